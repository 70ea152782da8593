"""Counts over halves, quarters, ... of the public range."""

import numpy as np

from triplea.queries.dyadic import DyadicCounts, leaf_of
from triplea.schema import Column

NUMBER = Column(name="x", kind="numeric", lower=-1.0, upper=1.0, nullable=True)
WHOLE = Column(name="x", kind="integer", lower=5, upper=14)


def test_levels_nest():
    query = DyadicCounts(column=NUMBER, levels=[1, 2])
    rows = {"x": np.array([-1.0, -0.4, 0.1, 1.0, np.nan])}
    halves, quarters = query.split(query.partial_sums(rows).astype(float))
    assert halves.tolist() == [2, 2, 1]
    assert quarters.tolist() == [1, 1, 1, 1, 1]


def test_levels_come_without_the_missing_cells():
    query = DyadicCounts(column=NUMBER, levels=[1, 2])
    rows = {"x": np.array([-1.0, -0.4, 0.1, 1.0, np.nan])}
    halves, quarters = query.levels_of(query.partial_sums(rows).astype(float))
    assert halves.tolist() == [2, 2] and quarters.tolist() == [1, 1, 1, 1]


def test_every_code_of_an_integer_column_has_a_leaf():
    leaf, missing = leaf_of(np.arange(10), column=WHOLE, depth=3)
    assert leaf.min() == 0
    assert leaf.max() == 7
    assert (np.diff(leaf) >= 0).all()
    assert not missing.any()


def test_a_constant_column_falls_into_one_leaf():
    constant = Column(name="x", kind="numeric", lower=3.0, upper=3.0)
    leaf, _ = leaf_of(np.full(4, 3.0), column=constant, depth=4)
    assert set(leaf.tolist()) == {0}


def test_quantiles_of_a_uniform_column_are_about_right():
    query = DyadicCounts(column=NUMBER, levels=range(1, 9))
    rows = {"x": np.linspace(-1, 1, 10_001)}
    found = query.quantiles(query.partial_sums(rows).astype(float), [0.1, 0.5, 0.9])
    assert np.abs(found - [-0.8, 0.0, 0.8]).max() < 0.02
