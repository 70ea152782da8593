"""Slices of space."""

import numpy as np

from triplea.approximate.gaussians.regions import regions_for, slice_randomly


def test_regions_are_a_partition_and_no_vector_is_lost():
    vectors = np.random.default_rng(0).random((500, 3))
    region = slice_randomly(vectors, 6, rng=np.random.default_rng(1))
    assert len(region) == 500 and set(region.tolist()) == set(range(6))


def test_a_region_lies_on_one_side_of_every_cut():
    vectors = np.random.default_rng(0).random((400, 1))
    region = slice_randomly(vectors, 4, rng=np.random.default_rng(1))
    order = np.argsort(vectors[:, 0])
    assert int(np.count_nonzero(np.diff(region[order]))) == 3


def test_equal_vectors_stay_together():
    assert set(slice_randomly(np.ones((50, 2)), 5, rng=np.random.default_rng(0)).tolist()) == {0}


def test_the_number_of_regions_grows_with_the_rows():
    assert [regions_for(rows) for rows in (0, 100, 32_561, 285_000)] == [1, 1, 2, 14]
