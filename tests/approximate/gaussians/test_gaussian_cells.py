"""The model draws classes, cells and vectors by their weights, and conditions on numbers and categories."""

import json

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.gaussian_cells import GaussianCells, SetCells
from triplea.schema import dump_schema, load_schema

SCHEMA = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "a", "kind": "numeric", "lower": -1, "upper": 1},
            {"name": "b", "kind": "numeric", "lower": -1, "upper": 1},
            {"name": "c", "kind": "boolean"},
            {"name": "y", "kind": "categorical", "categories": ["n", "p"]},
        ],
    }
)
CODE = VectorCode(SCHEMA, ("a", "b", "c"))


def cells(entries, means, spread):
    means = np.asarray(means, dtype=float)
    width = means.shape[-1]
    return SetCells(
        entries=np.array(entries),
        weights=np.array([[3.0, 1.0], [2.0, 2.0]]),
        means=means,
        covariances=np.broadcast_to(np.asarray(spread, dtype=float), (*means.shape[:2], width, width)).copy(),
        shifts=np.zeros_like(means),
    )


def model(**changes):
    pair = cells([0, 1], [[[-0.5, -0.5], [0, 0]], [[0, 0], [0.5, 0.5]]], [[0.01, 0.009], [0.009, 0.01]])
    coin = cells([2], [[[-0.5], [-0.5]], [[0.5], [0.5]]], [[0.25]])
    label = ("y", each_value(SCHEMA.column("y")))
    options = {"classes": np.array([1.0, 3.0]), "sets": [pair, coin], **changes}
    return GaussianCells(code=CODE, label=label, **options)


def test_classes_and_cells_follow_their_weights():
    rows = model().sample(40_000, rng=np.random.default_rng(0))
    assert list(rows) == ["a", "b", "c", "y"]
    assert abs(rows["y"].mean() - 0.75) < 0.001
    first = rows["y"] == 0
    assert abs((rows["a"][first] < -0.25).mean() - 0.75) < 0.02
    assert np.corrcoef(rows["a"], rows["b"])[0, 1] > 0.95
    assert rows["c"][first].mean() < 0.2 < 0.8 < rows["c"][~first].mean()


def test_conditions_hold_and_move_the_rest():
    rows = model().sample(4000, rng=np.random.default_rng(1), where={"a": 0.5, "c": 1})
    assert set(rows["a"]) == {0.5} and set(rows["c"]) == {1}
    assert rows["y"].mean() > 0.99
    assert abs(rows["b"].mean() - 0.5) < 0.02
    only = model().sample(500, rng=np.random.default_rng(2), where={"y": 0})
    assert set(only["y"]) == {0} and only["a"].mean() < -0.2


def test_a_condition_that_never_happens_still_holds():
    rows = model().sample(5, rng=np.random.default_rng(1), where={"a": -1.0, "b": 1.0, "c": 1, "y": 1})
    assert all(set(rows[name]) == {value} for name, value in (("a", -1.0), ("b", 1.0), ("c", 1), ("y", 1)))


def test_joined_cells_come_together():
    joined = np.array([[0, 0, 1], [1, 1, 0]])
    both = model(joined=joined, joined_weights=np.array([1.0, 1.0]))
    rows = both.sample(2000, rng=np.random.default_rng(0))
    assert rows["y"].mean() == pytest.approx(0.5, abs=0.01)
    assert (rows["a"][rows["y"] == 0] < 0).all() and (rows["a"][rows["y"] == 1] > 0).all()
    given = both.sample(200, rng=np.random.default_rng(0), where={"a": 0.5})
    assert given["y"].mean() > 0.99


@pytest.mark.parametrize(
    "changes", [{}, {"joined": np.array([[0, 0, 1]]), "joined_weights": np.array([1.0])}]
)
def test_states_round_trip(changes):
    one = model(**changes)
    description, arrays = one.state()
    two = GaussianCells.from_state(json.loads(json.dumps(description, default=str)), arrays)
    first, second = (m.sample(50, rng=np.random.default_rng(3)) for m in (one, two))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert dump_schema(two.code.schema) == dump_schema(SCHEMA)
