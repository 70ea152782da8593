"""MDAV equals the textbook, is fast, and regroups everybody when one row moves."""

import time

import numpy as np
import pytest

from triplea.approximate.gaussians.microaggregation import mdav


def textbook(vectors, k):
    """The algorithm as printed, with all distances computed anew."""
    left, group, label = list(range(len(vectors))), np.zeros(len(vectors), dtype=int), 0

    def take(point, count):
        nonlocal label
        near = sorted(left, key=lambda i: np.sum((vectors[i] - point) ** 2))[:count]
        for i in near:
            left.remove(i)
        group[near] = label
        label += 1

    def farthest(point):
        return max(left, key=lambda i: np.sum((vectors[i] - point) ** 2))

    while len(left) >= 3 * k:
        r = vectors[farthest(vectors[left].mean(axis=0))]
        take(r, k)
        take(vectors[farthest(r)], k)
    if len(left) >= 2 * k:
        take(vectors[farthest(vectors[left].mean(axis=0))], k)
    group[left] = label
    return group


@pytest.mark.parametrize(("n", "k"), [(40, 3), (101, 7), (60, 30), (59, 20), (10, 10), (30, 1)])
def test_groups_are_those_of_the_textbook(n, k):
    vectors = np.random.default_rng(n).normal(size=(n, 4))
    ours, theirs = mdav(vectors, k), textbook(vectors, k)
    assert len(set(zip(ours.tolist(), theirs.tolist(), strict=True))) == len(set(ours.tolist()))
    assert np.bincount(ours).min() >= k


@pytest.mark.parametrize(("n", "k"), [(0, 3), (1, 3), (5, 10), (5, 5)])
def test_fewer_rows_than_two_groups_need_are_one_group(n, k):
    assert set(mdav(np.ones((n, 2)), k)) <= {0}


def test_equal_rows_still_make_groups_of_k():
    assert np.bincount(mdav(np.zeros((20, 2)), 4)).tolist() == [4] * 5


def corners(mover):
    """Corner points 49/50/50/50 and one mover, in [-1, 1]^2."""
    points = np.array([[0.1, 0.1]] * 49 + [[0.1, 0.9]] * 50 + [[0.9, 0.1]] * 50 + [[0.9, 0.9]] * 50 + [mover])
    return 2 * points - 1


def test_one_row_regroups_all_others():
    """The guarantee of MC-GEN assumes that a replaced row moves one cluster's mean by at most 2d/k = 0.04."""
    one, two = corners([0.0, 0.1]), corners([0.1, 0.0])
    assert (one != two).any(axis=1).sum() == 1
    means = []
    for points in (one, two):
        group = mdav(points, 100)
        means.append(np.array([points[group == g].mean(axis=0) for g in (0, 1)]))
    nearest = min(np.abs(means[0] - means[1][order]).sum() for order in ([0, 1], [1, 0]))
    assert nearest > 3.0  # 3.2, eighty times what is assumed


def test_fifty_thousand_rows_take_less_than_a_minute():
    vectors = np.random.default_rng(0).normal(size=(50_000, 20))
    start = time.process_time()
    group = mdav(vectors, 50)
    assert time.process_time() - start < 60
    assert np.bincount(group).min() >= 50
