"""Random groups and microaggregation as stages."""

import numpy as np
import pytest

from triplea.approximate.gaussians.groupings import Grouping, Microaggregated, RandomGroups, centroids


@pytest.mark.parametrize("stage", [RandomGroups(), Microaggregated()])
@pytest.mark.parametrize(("rows", "least"), [(1, 1), (10, 10), (17, 5), (60, 7)])
def test_groups_are_a_partition_with_the_least_size(stage, rows, least):
    rng = np.random.default_rng(0)
    group = stage.groups(rng.random((rows, 2)), least, rng=rng)
    assert isinstance(stage, Grouping)
    assert len(group) == rows and np.bincount(group).min() >= least


def test_random_groups_do_not_look_at_the_vectors():
    one, two = (
        RandomGroups().groups(vectors, 5, rng=np.random.default_rng(3))
        for vectors in (np.zeros((40, 2)), np.random.default_rng(0).random((40, 2)))
    )
    assert np.array_equal(one, two)


def test_centroids_are_means():
    means, sizes = centroids(np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 5.0]]), np.array([0, 0, 1]))
    assert means.tolist() == [[1.0, 2.0], [5.0, 5.0]] and sizes.tolist() == [2, 1]
