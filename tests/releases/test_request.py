"""A request is checked and priced before anything is read."""

import pytest

from tests.methods.counting_support import SCHEMA
from triplea.anonymize.budget import Budget
from triplea.anonymize.neighbours import Neighbours
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.releases.request import prepare, whole_plan
from triplea.schema import load_schema


def test_shares_of_discovery_and_method_make_one_budget():
    schema = load_schema({"columns": [{"name": "town", "kind": "categorical", "discover": True}]})
    plan = whole_plan(create_method("independent"), schema, Budget(epsilon=1.0, delta=1e-5))
    assert sum(ask.share for ask in plan.asks) == pytest.approx(1.0)
    assert plan.asks[0].label == "categories of 'town'"


def test_relations_may_be_given_by_name():
    request = prepare(schema=SCHEMA, epsilon=1.0, delta=1e-5, neighbours="replace-one")
    assert request.budget.neighbours is Neighbours.REPLACE_ONE
    assert request.proved
    assert request.cost().cells > 0


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        (3, None, "method must be a name or a Method, got int"),
        (
            create_method("independent"),
            {"most_bins": 3},
            "params is for a method's name, got it with Independent",
        ),
    ],
)
def test_a_method_is_a_name_with_parameters_or_one_that_has_them(method, params, words):
    with pytest.raises(MethodError, match=words):
        prepare(schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, params=params)
