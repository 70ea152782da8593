"""MST: what it asks, and that its tree holds the strongest pairs."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, synthetic
from triplea.anonymize.budget import Budget
from triplea.registry import create_method
from triplea.schema import load_schema

QUICK = {"estimator": "numpy"}
COINS = load_schema({"columns": [{"name": name, "kind": "boolean"} for name in "abcd"]})


def test_the_plan_has_one_choice_for_every_edge():
    asks = create_method("mst", params=QUICK).plan(SCHEMA, Budget(epsilon=1.0, delta=1e-5)).asks
    assert [(ask.mechanism.value, ask.times) for ask in asks] == [
        ("gaussian", 1),
        ("gaussian", 1),
        ("exponential", 3),
        ("gaussian", 1),
    ]
    assert sum(ask.share for ask in asks) == pytest.approx(1.0)


@pytest.mark.parametrize("options", [{}, {"delta": 0.0}, {"neighbours": "replace-one"}])
def test_copies_are_joined_by_an_edge(options):
    a, c = np.random.default_rng(0).random((2, 5000)) < 0.5
    table = pa.table({"a": a, "b": a, "c": c, "d": c})
    made, fake = synthetic("mst", table=table, schema=COINS, epsilon=3.0, params=QUICK, **options)
    assert (fake.a == fake.b).mean() > 0.95
    assert (fake.c == fake.d).mean() > 0.95
    assert abs((fake.a == fake.c).mean() - 0.5) < 0.1
    assert made.certificate.epsilon_proved <= 3.0


def test_a_tree_never_holds_more_than_pairs():
    made, _ = synthetic("mst", params=QUICK)
    assert max(array.ndim for array in made.model.model.state()[1].values()) == 2


def test_the_mbi_package_estimates_the_field():
    pytest.importorskip("mbi")
    pair = load_schema({"columns": [{"name": name, "kind": "boolean"} for name in "ab"]})
    a = np.random.default_rng(0).random(5000) < 0.3
    _, fake = synthetic("mst", table=pa.table({"a": a, "b": a}), schema=pair, params={"steps": 50})
    assert (fake.a == fake.b).mean() > 0.95
    assert abs(fake.a.mean() - 0.3) < 0.03


def test_one_column_needs_no_choice():
    one = load_schema({"columns": [{"name": "x", "kind": "categorical", "categories": ["a", "b"]}]})
    table = pa.table({"x": ["a"] * 900 + ["b"] * 100})
    _, fake = synthetic("mst", table=table, schema=one, params=QUICK)
    assert abs((fake.x == "b").mean() - 0.1) < 0.05
