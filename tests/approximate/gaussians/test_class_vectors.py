"""From rows to classes and vectors."""

import numpy as np

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "y", "kind": "boolean"},
            {"name": "a", "kind": "numeric", "lower": -1, "upper": 1, "nullable": True},
            {"name": "b", "kind": "numeric", "lower": -1, "upper": 1},
        ],
    }
)
LAYOUT = NumberLayout.of(SCHEMA)


def test_rows_are_centred_by_class_and_missing_numbers_stand_at_the_centre():
    centres = np.array([[0.0, 0.0], [0.5, 0.25]])
    vectors = ClassVectors(layout=LAYOUT, code=NumberCode.plain(LAYOUT.numbers), centres=centres)
    rows = {"y": np.array([0, 1]), "a": np.array([0.5, np.nan]), "b": np.array([0.5, 0.5])}
    klass, matrix = vectors.of(rows)
    assert klass.tolist() == [0, 1]
    assert matrix.tolist() == [[0.5, 0.5], [0.0, 0.25]]


def test_a_projected_row_is_the_same_alone_and_among_others():
    rng = np.random.default_rng(0)
    code, centres = NumberCode.plain(LAYOUT.numbers), np.array([[0.1, 0.3], [0.5, 0.25]])
    vectors = ClassVectors(layout=LAYOUT, code=code, centres=centres, projection=rng.normal(size=(2, 3)))
    rows = {"y": rng.integers(0, 2, 40), "a": rng.uniform(-1, 1, 40), "b": rng.uniform(-1, 1, 40)}
    _, whole = vectors.of(rows)
    for i in range(40):
        alone = {name: part[i : i + 1] for name, part in rows.items()}
        assert np.array_equal(vectors.of(alone)[1][0], whole[i])
