"""How the provable 3A shares its budget out."""

import pytest

from triplea.anonymize.noisy_cells import NoisyCells
from triplea.errors import MethodError


def test_the_shares_add_up_and_the_least_size_follows_the_noise():
    stage = NoisyCells(sigma_max=0.1, classes_share=0.5, cells_share=0.3)
    assert stage.codes_share == pytest.approx(0.2)
    assert stage.least_size(20.0) == pytest.approx(200.0)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"sigma_max": 0.0}, "sigma_max"),
        ({"classes_share": 1.0}, "classes_share"),
        ({"cells_share": 0.0}, "cells_share"),
        ({"classes_share": 0.6, "cells_share": 0.4}, "add up to less than 1, got 1"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes, named):
    with pytest.raises(MethodError, match=named):
        NoisyCells(**changes)
