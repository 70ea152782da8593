"""Published points as a model."""

import numpy as np
import pytest

from tests.support.tables import MIXED, mixed_table
from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.unit_code import UnitCode
from triplea.approximate.mixtures.noisy_points import NoisyPoints
from triplea.schema import load_schema

SCHEMA = load_schema(MIXED)
ROWS = SCHEMA.encode(mixed_table(40))


@pytest.fixture
def model():
    features = [name for name in SCHEMA.names if name != SCHEMA.target]
    code = UnitCode.fitted(SCHEMA, features, ROWS, codes="ordinal", scaling="min-max")
    label = each_value(SCHEMA.column(SCHEMA.target))
    points = code.encode(ROWS)[:6]
    return NoisyPoints(
        order=SCHEMA.names,
        code=code,
        label=(SCHEMA.target, label),
        points=points,
        classes=np.array([0, 0, 0, 1, 1, 1]),
        spreads=np.full(6, 0.1),
    )


def test_as_many_rows_as_points_are_the_points(model):
    rows = model.sample(6, rng=np.random.default_rng(0))
    assert sorted(rows[SCHEMA.target].tolist()) == [0, 0, 0, 1, 1, 1]
    assert tuple(rows) == SCHEMA.names


@pytest.mark.parametrize("n", [0, 1, 25])
def test_any_number_of_rows(model, n):
    rows = model.sample(n, rng=np.random.default_rng(0))
    assert SCHEMA.decode(rows).num_rows == n


def test_further_rows_are_points_with_another_draw_of_noise(model):
    scores = model.sample(600, rng=np.random.default_rng(0))["score"]
    assert len(np.unique(scores)) > 100
    points = model.sample(6, rng=np.random.default_rng(0))["score"]
    assert len(np.unique(points)) <= 6


def test_the_classes_of_drawn_rows_are_those_of_the_points(model):
    rows = model.sample(30, rng=np.random.default_rng(0))
    assert np.array_equal(model.classes_of(rows), rows[SCHEMA.target])
    model.label = None
    assert not model.classes_of(rows).any()


def test_one_hot_entries_do_not_scatter():
    features = [name for name in SCHEMA.names if name != SCHEMA.target]
    code = UnitCode.fitted(SCHEMA, features, ROWS, codes="one-hot", scaling="min-max")
    sure = NoisyPoints(
        order=tuple(features), code=code, label=None, points=code.encode(ROWS)[:1], classes=np.zeros(1, int),
        spreads=np.full(1, 0.3),
    )  # fmt: skip
    rows = sure.sample(50, rng=np.random.default_rng(0))
    hot = [column.name for column, flag in zip(code.columns, code.one_hot, strict=True) if flag]
    assert hot and all(len(np.unique(rows[name])) == 1 for name in hot)
    assert len(np.unique(rows["score"])) > 10


def test_conditions_hold(model):
    rows = model.sample(9, rng=np.random.default_rng(0), where={SCHEMA.target: 1, "age": 30})
    assert set(rows[SCHEMA.target].tolist()) == {1} and set(rows["age"].tolist()) == {30}


def test_a_stored_model_draws_the_same(model):
    description, arrays = model.state()
    again = NoisyPoints.from_state(description, arrays)
    one, two = (m.sample(12, rng=np.random.default_rng(5)) for m in (model, again))
    assert all(np.array_equal(one[name], two[name], equal_nan=one[name].dtype.kind == "f") for name in one)
