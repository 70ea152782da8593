"""DP-KIP's numbers."""

import pytest

from triplea.adapt.private_inducing import PrivateInducing
from triplea.errors import MethodError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", 1.5), ("ridge", 1e-6), ("depth", -1), ("depth", 1.0), ("learning_rate", 0.0), ("steps", 0),
        ("sampling_rate", 0.0), ("sampling_rate", 1.5), ("clip_norm", float("inf")), ("share", 0.0),
    ],
)  # fmt: skip
def test_numbers_that_no_run_could_have_are_refused_by_name(name, value):
    with pytest.raises(MethodError, match=name):
        PrivateInducing(**{name: value})
