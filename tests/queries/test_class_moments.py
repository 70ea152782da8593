"""Questions about encoded rows by class, cell and direction."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.partition import slabs
from triplea.queries.class_moments import (
    CentredScatter,
    ClassMoments,
    ProjectionCounts,
    classes_of,
    features_of,
)
from triplea.schema import load_schema

CODE, CLASSES = VectorCode(SCHEMA, features_of(SCHEMA)), classes_of(SCHEMA)
ROWS = SCHEMA.encode(rows(400))
MATRIX, KLASS = CODE.encode(ROWS), ROWS["ill"]


def test_classes_come_from_listed_or_few_values_and_else_there_is_one():
    assert (CLASSES.column, CLASSES.size) == ("ill", 2)
    number = {"name": "y", "kind": "numeric", "lower": 0, "upper": 1}
    few = {"name": "y", "kind": "integer", "lower": 0, "upper": 3}
    flag = {"name": "x", "kind": "boolean"}
    wide = load_schema({"target": "y", "columns": [flag, number]})
    assert classes_of(wide).size == 1 and features_of(wide) == ("x", "y")
    narrow = load_schema({"target": "y", "columns": [flag, few]})
    assert classes_of(narrow).size == 4 and features_of(narrow) == ("x",)
    assert classes_of(load_schema({"columns": [flag, few]})).size == 1


def test_moments_go_by_class_and_cell():
    entries = np.array([0, 2])
    tree = slabs(np.array([1.0, 0.0]), [0.0])
    query = ClassMoments(
        code=CODE, classes=CLASSES, sets=[entries], trees=[[tree, tree]], leaves=2, weights=(0.2, 0.3, 0.5)
    )
    (moments,) = query.split(query.partial_sums(ROWS) * query.grid)
    for klass in (0, 1):
        for leaf in (0, 1):
            members = MATRIX[(KLASS == klass) & (tree.assign(MATRIX[:, entries]) == leaf)][:, entries]
            at = 2 * klass + leaf
            assert moments.count[at] == len(members)
            assert np.allclose(moments.total[at], members.sum(axis=0), atol=1e-3 * len(members) + 1e-9)
            assert np.allclose(moments.second[at], members.T @ members, atol=3e-3 * len(members) + 1e-9)


def test_scatter_is_that_of_centred_projected_rows():
    centres = np.array([MATRIX[KLASS == c].mean(axis=0) for c in (0, 1)])
    projection = np.eye(CODE.width)[:2]
    query = CentredScatter(code=CODE, classes=CLASSES, centres=centres, projection=projection, radius=3.0)
    second = query.split(query.partial_sums(ROWS) * query.grid)[0].second
    low = (MATRIX - centres[KLASS]) / 3.0 @ projection.T
    assert np.allclose(second[1], low[KLASS == 1].T @ low[KLASS == 1], atol=0.3)


def test_counts_along_a_direction_cover_all_rows():
    direction = np.zeros((2, CODE.width))
    direction[:, 0] = 1.0
    edges = np.linspace([-0.5, -0.5], [0.5, 0.5], 5, axis=1)
    query = ProjectionCounts(
        code=CODE, classes=CLASSES, sets=[np.arange(CODE.width)], directions=[direction], edges=[edges]
    )
    counts = query.partial_sums(ROWS).reshape(2, 4)
    assert counts.sum() == 400
    assert counts[0, 0] == ((KLASS == 0) & (MATRIX[:, 0] < -0.25)).sum()


WIDE = load_schema(
    {"columns": [{"name": f"x{i}", "kind": "numeric", "lower": 0, "upper": 1} for i in range(60)]}
)


@pytest.mark.parametrize("rows_beside", [1, 2, 3, 7, 100])
def test_a_wide_row_has_the_same_vector_and_cell_in_every_company(rows_beside):
    """Products of matrices round by how many rows there are: one row more would move others."""
    rng = np.random.default_rng(0)
    code, classes, every = VectorCode(WIDE), classes_of(WIDE), np.arange(60)
    table = {name: rng.random(101) for name in WIDE.names}
    few = {name: column[:rows_beside] for name, column in table.items()}
    projection, direction = rng.normal(size=(10, 60)) / 8, rng.normal(size=(1, 60))
    scatter = CentredScatter(
        code=code, classes=classes, centres=rng.uniform(-0.1, 0.1, (1, 60)), projection=projection, radius=8.0
    )
    (_, whole), (_, part) = (next(scatter.vectors(rows)) for rows in (table, few))
    assert np.array_equal(part, whole[:rows_beside])

    values = code.encode(table) @ direction[0]
    edges = np.linspace([values[0]], [values[0] + 4.0], 65, axis=1)  # the first row lies on an edge
    counts = ProjectionCounts(code=code, classes=classes, sets=[every], directions=[direction], edges=[edges])
    (whole,), (part,) = (list(counts.cells(rows)) for rows in (table, few))
    assert np.array_equal(part, whole[:rows_beside])

    tree = slabs(direction[0], [values[0]])
    assert np.array_equal(tree.assign(code.encode(few)), tree.assign(code.encode(table))[:rows_beside])
