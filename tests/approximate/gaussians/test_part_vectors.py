"""From rows to parts of classes, and to vectors about their centres."""

import numpy as np
import pytest

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.part_vectors import PartVectors
from triplea.approximate.gaussians.vector_cells import NearestCells
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "y", "kind": "boolean"},
            *({"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in "abc"),
        ],
    }
)
LAYOUT = NumberLayout.of(SCHEMA)
OWNER = np.array([0, 0, 1])
LEADING = np.array([[0.5], [-0.5], [0.0]])  # parts are told apart by the first entry
CENTRES = np.array([[0.5, 0.25, 0.0], [-0.5, 0.0, 0.125], [0.0, 0.0, 0.0]])


def _parts(*, projection=None, stretches=None):
    vectors = ClassVectors(
        layout=LAYOUT, code=NumberCode.plain(LAYOUT.numbers), centres=np.zeros((1, 3)), projection=projection
    )
    return PartVectors(
        vectors=vectors, rule=NearestCells(owner=OWNER, centres=LEADING), centres=CENTRES, stretches=stretches
    )


def test_rows_go_to_the_nearest_part_of_their_class_and_are_centred_there():
    parts = _parts()
    rows = {
        "y": np.array([0, 0, 1]),
        "a": np.array([0.75, -0.25, 0.75]),
        "b": np.array([0.5, 0.5, 0.5]),
        "c": np.zeros(3),
    }
    part, matrix = parts.of(rows)
    assert part.tolist() == [0, 1, 2]
    assert matrix.tolist() == [[0.25, 0.25, 0.0], [0.25, 0.5, -0.125], [0.75, 0.5, 0.0]]
    assert parts.groups == 3 and parts.width == 3 and set(parts.columns) == {"y", "a", "b", "c"}


def test_classes_are_stretched_each_in_its_own_way():
    stretches = np.array([[[2.0], [0.0], [0.0]], [[0.0], [4.0], [0.0]]])
    parts = _parts(stretches=stretches)
    rows = {"y": np.array([0, 1]), "a": np.array([0.75, 0.75]), "b": np.array([0.5, 0.5]), "c": np.zeros(2)}
    _, matrix = parts.of(rows)
    assert matrix.ravel() == pytest.approx([0.5, 2.0]) and parts.width == 1


def test_a_row_outside_all_classes_is_in_no_part_and_finite():
    rows = {"y": np.array([-1, -1]), "a": np.zeros(2), "b": np.zeros(2), "c": np.zeros(2)}
    for stretches in (None, np.ones((2, 3, 2))):
        part, matrix = _parts(stretches=stretches).of(rows)
        assert (part == -1).all() and np.isfinite(matrix).all()


def test_a_row_is_the_same_alone_and_among_others():
    rng = np.random.default_rng(0)
    parts = _parts(projection=rng.normal(size=(3, 3)), stretches=rng.normal(size=(2, 3, 2)))
    rows = {"y": rng.integers(0, 2, 60), **{name: rng.uniform(-1, 1, 60) for name in "abc"}}
    whole_part, whole = parts.of(rows)
    for i in range(60):
        alone = {name: values[i : i + 1] for name, values in rows.items()}
        part, matrix = parts.of(alone)
        assert part[0] == whole_part[i] and np.array_equal(matrix[0], whole[i])
