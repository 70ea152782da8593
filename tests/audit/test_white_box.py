"""The exact part passes honest methods and shrinks what breaks a bound to a few rows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.audit import planted
from tests.audit.test_runs import requested
from triplea.audit.pairs import outlier, singleton_category
from triplea.audit.white_box import described, examine, shrunk
from triplea.methods._base import Method


def test_an_honest_method_passes_all_pairs() -> None:
    found = examine(requested(planted.Toy()), singleton_category(), rng=np.random.default_rng(0))
    assert found.ok and found.pairs >= 10
    assert found.used == pytest.approx(1.0)


@pytest.mark.parametrize("leak", [planted.UnderstatedBound, planted.BinEdgeFromRows, planted.ErrorFromARow])
def test_a_leak_is_found_and_shrunk(leak: type[Method]) -> None:
    found = examine(requested(leak(), outlier()), outlier(), rng=np.random.default_rng(0))
    assert not found.ok and found.smallest is not None
    assert len(found.smallest["first"]) <= 3, "a few rows are enough to show it"
    assert len(found.smallest["second"]) <= 4


def test_shrinking_keeps_the_row_that_differs() -> None:
    small = shrunk(requested(planted.UnderstatedBound(), outlier()), outlier())
    assert (small.table.num_rows, small.neighbour.num_rows) == (0, 1)
    assert described(small)["second"][0]["age"] == "120"
