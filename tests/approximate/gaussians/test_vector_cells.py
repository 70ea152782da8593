"""Cells of vectors: each vector finds its own, whatever the others are."""

import numpy as np
import pytest

from triplea.approximate.gaussians.vector_cells import HashedVectors, NearestCells, centres_of_gaussians

OWNER = np.array([0, 0, 0, 1, 2, 2])
RNG = np.random.default_rng(0)
RULES = [
    NearestCells(owner=OWNER, centres=RNG.normal(size=(6, 4))),
    HashedVectors(owner=OWNER, key=99),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_vector_goes_to_a_cell_of_its_class_alone_or_among_others(rule):
    rng = np.random.default_rng(1)
    klass, vectors = rng.integers(0, 3, 300), rng.normal(size=(300, 4))
    cell = rule.assign(klass, vectors)
    assert np.array_equal(OWNER[cell], klass)
    alone = [int(rule.assign(klass[i : i + 1], vectors[i : i + 1])[0]) for i in range(40)]
    assert alone == cell[:40].tolist()


def test_nearest_is_nearest():
    rule = NearestCells(owner=np.array([0, 0]), centres=np.array([[-1.0], [2.0]]))
    assert rule.assign(np.zeros(4, int), np.array([[-3.0], [0.4], [0.6], [9.0]])).tolist() == [0, 0, 1, 1]


def test_hashed_cells_are_about_equally_large():
    rule = HashedVectors(owner=np.zeros(4, dtype=np.int64), key=5)
    cells = rule.assign(np.zeros(8000, int), np.random.default_rng(2).normal(size=(8000, 3)))
    assert np.bincount(cells).min() > 1800


def test_centres_cover_the_gaussian_and_single_cells_sit_in_the_middle():
    covariances = np.array([np.diag([4.0, 0.01]), np.eye(2)])
    centres = centres_of_gaussians(covariances, np.array([0, 0, 1]), rng=np.random.default_rng(0))
    assert abs(centres[0, 0] - centres[1, 0]) > 2.0 and np.abs(centres[:2, 1]).max() < 0.1
    assert centres[2].tolist() == [0.0, 0.0]
