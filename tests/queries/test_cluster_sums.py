"""Counts and sums of vectors by cell. Bounds are checked for all queries in tests/contracts."""

import numpy as np
import pytest

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.vector_cells import NearestCells
from triplea.queries.cluster_sums import ClusterSums
from triplea.schema import load_schema

SCHEMA = load_schema(
    {"columns": [{"name": name, "kind": "numeric", "lower": -1.0, "upper": 1.0} for name in ("x", "y")]}
)


def test_rows_are_added_up_in_the_nearest_cell():
    layout = NumberLayout.of(SCHEMA)
    vectors = ClassVectors(layout=layout, code=NumberCode.plain(layout.numbers), centres=np.zeros((1, 2)))
    cells = NearestCells(owner=np.array([0, 0]), centres=np.array([[-0.5, 0.0], [0.5, 0.0]]))
    query = ClusterSums(vectors=vectors, cells=cells, radius=2.0)
    rows = {"x": np.array([-0.6, 0.4, 0.8]), "y": np.array([0.0, 0.5, -0.5])}
    values = query.partial_sums(rows) * query.grid
    assert query.counts(values) == pytest.approx([1.0, 2.0], abs=1e-4)
    assert query.totals(values) == pytest.approx(np.array([[-0.6, 0.0], [1.2, 0.0]]), abs=1e-4)
