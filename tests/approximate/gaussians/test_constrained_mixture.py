"""The size-constrained mixture: a partition, planted clusters found, and the fall-back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplea.approximate.gaussians.constrained_mixture import (
    ConstrainedMixture,
    constrained_kmeans,
    squared_distances,
    starting_means,
)
from triplea.approximate.gaussians.groupings import Grouping

PLANTED = np.array([[0.1, 0.1], [0.9, 0.2], [0.5, 0.9]])


def planted(sizes, spread=0.03, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    return PLANTED[truth] + spread * rng.standard_normal((len(truth), 2)), truth


@settings(max_examples=25)
@given(rows=st.integers(3, 80), least=st.integers(1, 30), equal=st.booleans(), seed=st.integers(0, 99))
def test_every_cluster_has_the_least_size_and_all_rows_are_in_one(rows, least, equal, seed):
    rng = np.random.default_rng(seed)
    vectors = np.full((rows, 3), 0.5) if equal else rng.random((rows, 3))
    least = min(least, rows)
    group = ConstrainedMixture(restarts=2, iterations=5).groups(vectors, least, rng=rng)
    sizes = np.bincount(group)
    assert sizes.sum() == rows and sizes.min() >= least and len(sizes) == rows // least


def test_planted_clusters_are_found():
    vectors, truth = planted([40, 40, 40])
    group = ConstrainedMixture().groups(vectors, 40, rng=np.random.default_rng(1))
    for number in range(3):
        assert len(np.unique(group[truth == number])) == 1


def test_sizes_are_kept_where_the_truth_has_smaller_clusters():
    vectors, _ = planted([70, 40, 10])
    group = ConstrainedMixture().groups(vectors, 40, rng=np.random.default_rng(1))
    assert np.bincount(group).tolist() == [40, 40, 40]


@pytest.mark.parametrize("spent", [{"work": 0.0}, {"work": 500.0}, {"time_limit": -1.0}])
def test_out_of_work_or_at_the_time_limit_it_is_constrained_kmeans(spent):
    vectors = planted([70, 40, 10])[0]
    group = ConstrainedMixture(**spent).groups(vectors, 40, rng=np.random.default_rng(1))
    assert np.bincount(group).min() >= 40


def test_by_default_the_clock_plays_no_part(monkeypatch):
    monkeypatch.setattr("time.monotonic", lambda: pytest.fail("looked at the clock"))
    vectors = planted([70, 40, 10])[0]
    one, two = (ConstrainedMixture().groups(vectors, 40, rng=np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(one, two)


def test_kmeans_keeps_the_sizes_and_starts_far_apart():
    vectors, truth = planted([50, 50, 50])
    means = starting_means(vectors, 3, np.random.default_rng(0))
    assert len(np.unique(squared_distances(PLANTED, means).argmin(axis=1))) == 3
    group = constrained_kmeans(vectors, means, 50)
    assert all(len(np.unique(group[truth == number])) == 1 for number in range(3))


def test_it_is_a_grouping():
    assert isinstance(ConstrainedMixture(), Grouping)
