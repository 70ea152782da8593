"""What MST and AIM refuse alike, and how they say what they need."""

import pytest

from tests.methods.counting_support import SCHEMA
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method

BUDGET = Budget(epsilon=1.0, delta=1e-5)


@pytest.mark.parametrize("method", ["mst", "aim"])
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"estimator": "magic"}, "'estimator' must be one of mbi, numpy, got 'magic'"),
        ({"choice_share": 0.9}, "must add up to less than 1"),
        ({"columns_share": 0.0}, "'columns_share' must lie strictly between 0 and 1"),
        ({"steps": 0}, "'steps' must be a whole number from 1"),
        ({"most_bins": 1}, "'most_bins' must be a whole number from 2"),
        ({"max_cells": 10}, "more than max_cells=10"),
        ({"most_columns": 3}, "takes at most most_columns=3, got 4"),
    ],
)
def test_bad_parameters_are_refused_before_reading(method, params, message):
    with pytest.raises(MethodError, match=message):
        create_method(method, params=params).plan(SCHEMA, BUDGET)


@pytest.mark.parametrize("method", ["mst", "aim"])
def test_the_cost_grows_with_rows_and_with_compiling(method):
    quick, compiled = (create_method(method, params={"estimator": name}) for name in ("numpy", "mbi"))
    assert quick.cost(SCHEMA, 10).seconds < quick.cost(SCHEMA, 10**9).seconds
    assert quick.cost(SCHEMA, 10).seconds < compiled.cost(SCHEMA, 10).seconds
