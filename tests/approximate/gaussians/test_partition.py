"""Trees put every vector into exactly one leaf."""

import numpy as np
import pytest

from triplea.approximate.gaussians.partition import quantile_cuts, random_tree, slabs, whole_space

POINTS = np.random.default_rng(0).uniform(-1, 1, (500, 3))


def test_one_leaf_holds_everything():
    tree = whole_space(3)
    assert tree.leaves == 1
    assert set(tree.assign(POINTS)) == {0}


def test_a_split_divides_one_leaf_and_leaves_the_others_alone():
    tree = whole_space(3).split(0, direction=np.array([1.0, 0, 0]), cut=0.0)
    finer = tree.split(1, direction=np.array([0, 1.0, 0]), cut=0.5)
    before, after = tree.assign(POINTS), finer.assign(POINTS)
    assert np.array_equal(after[before == 0], before[before == 0])
    assert np.array_equal(after == 2, (POINTS[:, 0] > 0) & (POINTS[:, 1] > 0.5))


@pytest.mark.parametrize("cuts", [[], [0.2], [-0.5, 0.0, 0.4, 0.9], [0.1, 0.1]])
def test_slabs_are_the_intervals_between_their_cuts(cuts):
    tree = slabs(np.array([0.0, 1.0, 0.0]), cuts)
    leaf = tree.assign(POINTS)
    interval = np.searchsorted(np.unique(cuts), POINTS[:, 1])
    assert tree.leaves == len(set(cuts)) + 1
    assert len({(a, b) for a, b in zip(leaf, interval, strict=True)}) == len(set(interval))


def test_random_trees_have_the_wanted_leaves_and_need_no_rows():
    tree = random_tree(3, 13, rng=np.random.default_rng(1))
    assert tree.leaves == 13
    assert tree.assign(POINTS).max() < 13
    again = random_tree(3, 13, rng=np.random.default_rng(1))
    assert np.array_equal(tree.cuts, again.cuts)


def test_cuts_split_the_mass_evenly():
    counts, edges = np.array([10.0, 30.0, -5.0, 60.0]), np.linspace(0, 4, 5)
    assert np.allclose(quantile_cuts(counts, edges, 4), [1.5, 3 + 10 / 60, 3 + 35 / 60])
    assert np.allclose(quantile_cuts(np.zeros(4), edges, 2), [2.0])
