"""The shared body of the counting methods: plans, sizes, refusals."""

import pytest

from tests.methods.counting_support import SCHEMA, synthetic
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)


def test_bins_are_asked_for_only_where_a_column_needs_them():
    listed = load_schema({"columns": [{"name": "a", "kind": "categorical", "categories": ["x", "y"]}]})
    assert [ask.label for ask in create_method("independent").plan(listed, BUDGET).asks] == ["counts"]
    assert len(create_method("independent").plan(SCHEMA, BUDGET).asks) == 2


def test_bad_parameters_are_refused_before_reading():
    with pytest.raises(MethodError, match="bins_share"):
        create_method("naive-bayes", params={"bins_share": 1.5}).plan(SCHEMA, BUDGET)
    with pytest.raises(MethodError, match="most_bins"):
        create_method("naive-bayes", params={"most_bins": 1}).plan(SCHEMA, BUDGET)
    with pytest.raises(MethodError, match="max_cells=10"):
        create_method("naive-bayes", params={"max_cells": 10}).plan(SCHEMA, BUDGET)


def test_the_row_count_is_a_noisy_one():
    made, _ = synthetic("naive-bayes")
    assert made.certificate.rows != 20_000
    assert made.certificate.rows == pytest.approx(20_000, rel=0.02)


def test_costs_grow_with_rows_and_cells():
    method = create_method("naive-bayes")
    assert method.cost(SCHEMA, 10**7).seconds > method.cost(SCHEMA, 10**4).seconds
