"""Which exact values are counted, from public knowledge alone."""

import numpy as np

from triplea.queries.values import ValueCounts, candidate_values
from triplea.schema import Column


def test_a_small_integer_column_offers_all_its_values():
    column = Column(name="x", kind="integer", lower=10, upper=14)
    assert candidate_values(column, most=100).tolist() == [0, 1, 2, 3, 4]
    query = ValueCounts(column=column, candidates=candidate_values(column, most=100))
    assert query.partial_sums({"x": np.array([0, 0, 4])}).tolist() == [2, 0, 0, 0, 1]


def test_a_wide_column_offers_its_ends_and_zero():
    column = Column(name="x", kind="numeric", lower=-2.0, upper=7.5)
    assert candidate_values(column, most=100).tolist() == [-2.0, 0.0, 7.5]
    query = ValueCounts(column=column, candidates=candidate_values(column, most=100))
    assert query.partial_sums({"x": np.array([0.0, 0.1, 7.5, np.nan])}).tolist() == [0, 1, 1]


def test_decimals_make_a_numeric_column_countable():
    column = Column(name="x", kind="numeric", lower=0.0, upper=0.5, decimals=1)
    assert candidate_values(column, most=100).tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
