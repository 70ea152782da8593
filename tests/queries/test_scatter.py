"""Second moments, against plain arithmetic and in exact integers."""

import numpy as np
import pytest

from tests.queries.test_class_numbers import LAYOUT, VECTORS
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.queries.scatter import ClassScatter

RNG = np.random.default_rng(0)
ROWS = {"y": RNG.integers(0, 2, 500), "a": RNG.uniform(-1, 1, 500), "b": RNG.uniform(-1, 1, 500)}


@pytest.mark.parametrize("pooled", [True, False])
def test_second_moments_are_those_of_the_rows(pooled):
    query = ClassScatter(vectors=VECTORS, radius=1.5, pooled=pooled)
    found = query.matrices(query.partial_sums(ROWS) * query.grid)
    matrix = np.column_stack([ROWS["a"], ROWS["b"]])
    groups = [np.ones(500, dtype=bool)] if pooled else [ROWS["y"] == 0, ROWS["y"] == 1]
    for own, members in zip(found, groups, strict=True):
        assert own == pytest.approx(matrix[members].T @ matrix[members], rel=0.02, abs=0.5)
        assert np.array_equal(own, own.T)


def test_the_longest_row_uses_the_whole_bound_and_no_more():
    query = ClassScatter(vectors=VECTORS, radius=0.5)
    row = {"y": np.array([0]), "a": np.array([1.0]), "b": np.array([1.0])}
    scaled = query.partial_sums(row) * query.grid / query.scale
    assert 0.99 * query.row_l2 < np.linalg.norm(scaled) <= query.row_l2
    assert 0.99 * query.row_l1 < np.abs(scaled).sum() <= query.row_l1 * (1 + 1e-12)


def test_the_sum_does_not_depend_on_batches():
    projected = ClassVectors(
        layout=LAYOUT, code=VECTORS.code, centres=np.zeros((1, 2)), projection=RNG.normal(size=(2, 3))
    )
    query = ClassScatter(vectors=projected, radius=0.9)
    parts = [query.partial_sums({k: v[i : i + 7] for k, v in ROWS.items()}) for i in range(0, 500, 7)]
    assert np.array_equal(sum(parts), query.partial_sums(ROWS))
