"""The Approximate stages of the provable 3A."""

import numpy as np

from triplea.approximate.cell_stages import CellStage, LearnedCells, RandomCells
from triplea.approximate.gaussians.groupings import RandomGroups
from triplea.approximate.mixtures.cell_estimates import Components

OWNER = np.array([0, 0, 1])
CLASSES = Components(rows=np.array([10.0, 5.0]), shares={"a": np.array([[0.5, 0.5], [0.1, 0.9]])})
CELLS = Components(
    rows=np.array([6.0, 4.0, 5.0]), shares={"a": np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])}
)


def test_both_are_stages_and_groupings_are_not():
    assert isinstance(LearnedCells(), CellStage) and isinstance(RandomCells(), CellStage)
    assert not isinstance(RandomGroups(), CellStage)


def test_learned_cells_follow_the_released_components():
    stage, rng = LearnedCells(clusters=2), np.random.default_rng(0)
    first = stage.first(CLASSES, OWNER, ordered={"a": False}, rng=rng)
    rule = stage.next(CELLS, OWNER, first)
    assert rule.assign(np.array([0, 0, 1]), {"a": np.array([0, 1, 1])}).tolist() == [0, 1, 2]


def test_random_cells_stay_the_same():
    stage, rng = RandomCells(clusters=2), np.random.default_rng(0)
    first = stage.first(CLASSES, OWNER, ordered={"a": False}, rng=rng)
    assert stage.next(CELLS, OWNER, first) is first


def test_vectors_find_cells_of_their_class_in_both():
    covariances, klass = np.array([np.eye(2)] * 2), np.array([0, 1, 0])
    for stage in (LearnedCells(), RandomCells()):
        rule = stage.of_vectors(covariances, OWNER, rng=np.random.default_rng(0))
        cell = rule.assign(klass, np.random.default_rng(1).normal(size=(3, 2)))
        assert np.array_equal(OWNER[cell], klass)
