"""A sum query must say what a batch adds, and a score what its sums are worth."""

import pytest

from triplea.queries import Scores, SumQuery


@pytest.mark.parametrize("kind", [SumQuery, Scores])
def test_the_bases_cannot_be_used_by_themselves(kind):
    with pytest.raises(TypeError, match="abstract"):
        kind()
