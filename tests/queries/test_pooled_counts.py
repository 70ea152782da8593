"""One histogram for several columns."""

import numpy as np

from triplea.queries.pooled_counts import PooledCounts, same_range
from triplea.schema import Column

COLUMNS = [Column(name=name, kind="numeric", lower=0, upper=1, nullable=name == "b") for name in "ab"]


def test_all_values_are_counted_and_missing_ones_are_not():
    query = PooledCounts(columns=COLUMNS, depth=2)
    rows = {"a": np.array([0.1, 0.9]), "b": np.array([0.1, np.nan])}
    assert query.partial_sums(rows).tolist() == [2, 0, 0, 1]


def test_one_row_can_use_the_whole_bound():
    query = PooledCounts(columns=COLUMNS, depth=2)
    moved = query.partial_sums({"a": np.array([0.1]), "b": np.array([0.1])})
    assert np.linalg.norm(moved) == query.row_l2


def test_only_equal_ranges_share_a_histogram():
    assert same_range(COLUMNS)
    assert not same_range(COLUMNS[:1])
    assert not same_range([COLUMNS[0], Column(name="c", kind="numeric", lower=0, upper=2)])
