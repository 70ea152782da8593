from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.binning import cells_of
from triplea.evaluate.dimensions import dimension_wise_probability, is_binary_table, predict_dimension
from triplea.evaluate.models import Settings
from triplea.evaluate.rows import Field, Rows


def predict(
    column: str, train: Rows, test: Rows, synthetic: Rows, *, binary: bool = False
) -> tuple[str, float, float]:
    found = predict_dimension(column, train, test, synthetic, binary_table=binary, settings=Settings())
    assert found is not None
    return found.metric, found.real, found.synthetic


def test_a_binary_column_gives_one_point_and_others_one_a_level(train: Rows, synthetic: Rows) -> None:
    points = dimension_wise_probability(train, cells_of(train), cells_of(synthetic))
    assert [(point.column, point.label) for point in points] == [
        ("ward", "a"),
        ("ward", "b"),
        ("ward", "c"),
        ("ill", "yes"),
    ]
    assert points[-1].real == pytest.approx((train["ill"] == 1).mean())
    assert points[-1].synthetic == pytest.approx((synthetic["ill"] == 1).mean())


def test_prediction_uses_f1_for_categories_and_r2_for_numbers(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    metric, real, ours = predict("ill", train, held_out, synthetic)
    assert metric == "F1"
    assert min(real, ours) > 0.7
    metric, real, ours = predict("age", train, held_out, synthetic)
    assert metric == "R2"
    assert min(real, ours) > 0


def test_a_synthetic_column_without_diversity_is_marked(train: Rows, held_out: Rows) -> None:
    for column, value in (("ill", np.zeros(len(train), int)), ("age", np.full(len(train), 3.0))):
        flat = Rows(fields=train.fields, values={**train.values, column: value})
        found = predict_dimension(column, train, held_out, flat, binary_table=False, settings=Settings())
        assert found is not None
        assert found.note == "no diversity: one value only"


def test_a_constant_real_column_has_no_point(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    flat = Rows(fields=train.fields, values={**train.values, "age": np.full(len(train), 3.0)})
    assert (
        predict_dimension("age", flat, held_out, synthetic, binary_table=False, settings=Settings()) is None
    )


def test_a_binary_table_is_scored_by_auroc() -> None:
    rng = np.random.default_rng(0)
    fields = (Field(name="u", levels=("0", "1")), Field(name="v", lower=0, upper=1, whole=True))
    u = rng.integers(0, 2, 300)
    rows = Rows(fields=fields, values={"u": u, "v": np.where(rng.random(300) < 0.1, 1 - u, u).astype(float)})
    assert is_binary_table(rows)
    for column in ("u", "v"):
        metric, real, ours = predict(column, rows, rows, rows, binary=True)
        assert metric == "AUROC"
        assert real == ours > 0.8
