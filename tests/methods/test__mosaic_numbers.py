"""The numeric half of mosaic: roles, refusals, mixed columns and conditions."""

import numpy as np
import pyarrow as pa
import pytest

import triplea
from tests.methods.numbers_support import fitted, schema_of
from triplea.errors import MethodError
from triplea.methods._mosaic_numbers import NumberMosaic, suits
from triplea.schema import load_schema

MIXED = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "y", "kind": "categorical", "categories": ["no", "yes"]},
            {"name": "town", "kind": "categorical", "categories": ["a", "b", "c"], "nullable": True},
            {"name": "age", "kind": "integer", "lower": 0, "upper": 99},
            {"name": "dose", "kind": "numeric", "lower": 0, "upper": 10, "nullable": True},
        ],
    }
)


def _mixed(n=20_000):
    rng = np.random.default_rng(0)
    ill = rng.random(n) < 0.3
    dose = np.clip(rng.normal(np.where(ill, 6.0, 3.0), 1.0), 0, 10)
    gone = rng.random(n) < np.where(ill, 0.5, 0.05)
    return pa.table(
        {
            "y": np.where(ill, "yes", "no"),
            "town": np.where(ill, "c", rng.choice(["a", "b"], n)),
            "age": np.clip(rng.normal(np.where(ill, 60, 40), 8), 0, 99).astype(int),
            "dose": pa.array(dose, mask=gone),
        }
    )


def test_mixed_columns_keep_what_they_say_about_the_label():
    made, method = fitted(_mixed(), MIXED)
    frame = made.rows.to_pandas()
    assert method.expected_rows == pytest.approx(20_000, rel=0.02)
    ages = frame.groupby("y", observed=True).age.mean()
    assert ages["yes"] - ages["no"] == pytest.approx(20, abs=3)
    assert (frame[frame.y == "yes"].town == "c").mean() > 0.95
    gone = frame.dose.isna().groupby(frame.y, observed=True).mean()
    assert gone["yes"] == pytest.approx(0.5, abs=0.05) and gone["no"] == pytest.approx(0.05, abs=0.03)
    assert frame[frame.y == "yes"].dose.mean() == pytest.approx(6.0, abs=0.4)


def test_a_condition_on_a_number_reweights_the_classes():
    made, _ = fitted(_mixed(), MIXED)
    old = made.model.sample(500, where={"age": 70}, seed=1).to_pandas()
    assert set(old.age) == {70}
    assert (old.y == "yes").mean() > 0.9


def test_a_numeric_target_is_one_more_number():
    schema = load_schema({"target": "age", "columns": [c for c in _listed() if c["name"] != "y"]})
    table = _mixed().drop_columns(["y"])
    made, method = fitted(table, schema)
    assert method.model_.label is None
    made_up, real = (
        frame.age.corr(frame.dose, method="spearman") for frame in (made.rows.to_pandas(), table.to_pandas())
    )
    assert real > 0.35
    assert made_up == pytest.approx(real, abs=0.05)


def _listed():
    from triplea.schema import dump_schema

    return dump_schema(MIXED)["columns"]


def test_tables_of_numbers_suit_and_others_do_not():
    assert suits(schema_of(20))
    assert not suits(schema_of(19))
    assert suits(schema_of(4, image={"shape": [2, 2]}))
    assert not suits(MIXED)
    flags = [{"name": f"f{i}", "kind": "integer", "lower": 0, "upper": 1} for i in range(20)]
    assert not suits(load_schema({"columns": flags}))


@pytest.mark.parametrize("hint", [{"shape": [3, 3]}, {"shape": [4]}, {"shape": [2, -2]}, "2x2", {}])
def test_a_wrong_image_key_is_refused_before_reading(hint):
    with pytest.raises(MethodError, match="image"):
        triplea.plan(schema=schema_of(4, image=hint), epsilon=1.0, delta=1e-5, method="mosaic-numbers")


def test_many_numbers_without_a_delta_are_refused():
    with pytest.raises(MethodError, match="delta"):
        triplea.plan(schema=schema_of(65), epsilon=1.0, delta=0.0, method="mosaic-numbers")


def test_too_many_cells_are_refused():
    with pytest.raises(MethodError, match="max_cells"):
        triplea.plan(
            schema=schema_of(30), epsilon=1.0, delta=1e-5, method="mosaic-numbers", params={"max_cells": 1000}
        )


def test_the_cost_grows_with_columns():
    method = NumberMosaic()
    assert method.cost(schema_of(300), 1000).cells > method.cost(schema_of(30), 1000).cells
    pixels = method.cost(schema_of(64, image={"shape": [8, 8]}), 1000)
    assert pixels.seconds > method.cost(schema_of(64), 1000).seconds


def test_the_shares_are_the_whole_budget():
    for schema in (MIXED, schema_of(30), schema_of(201), schema_of(64, image={"shape": [8, 8]})):
        from triplea.anonymize.budget import Budget

        plan = NumberMosaic().plan(schema, Budget(epsilon=1.0, delta=1e-5))
        assert sum(ask.share for ask in plan.asks) == pytest.approx(1.0)
