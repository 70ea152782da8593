"""Counts of leaves and of runs of leaves."""

import numpy as np
import pytest

from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.queries.leaf_counts import ColumnTrees, LeafCounts, run_lengths
from triplea.schema import Column

X = Column(name="x", kind="integer", lower=0, upper=299, nullable=True)
C = Column(name="c", kind="categorical", categories=tuple("abcdefghijklmnopqrstuvwxyz"))


def test_runs_nest_and_missing_has_its_own_cell():
    query = LeafCounts(column="x", leaves=leaves_of(X), lengths=run_lengths(300))
    long, middle, single = query.split(query.partial_sums({"x": np.array([0, 17, 299, 300])}).astype(float))
    assert long.tolist() == [2, 1, 1]
    assert middle[:2].tolist() == [1, 1]
    assert middle[-1] == 1
    assert single[[0, 17, 299, 300]].tolist() == [1, 1, 1, 1]


def test_columns_are_asked_about_together():
    trees = ColumnTrees(leaves={"x": leaves_of(X), "c": leaves_of(C)}, ordered={"x": True, "c": False})
    rows = {"x": np.array([5]), "c": np.array([2])}
    levels = trees.by_column(trees.partial_sums(rows).astype(float))
    assert [len(level) for level in levels["x"]] == [3, 20, 301]
    assert [len(level) for level in levels["c"]] == [26]
    # Long ordered columns carry 2.8 times the weight, half of it on runs; categories weigh one.
    assert trees.row_l2**2 == pytest.approx(2.8**2 * (1 + 0.25 + 0.25) + 1)
