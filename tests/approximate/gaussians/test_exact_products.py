"""A row's product is the same in every company."""

import numpy as np
import pytest

from triplea.approximate.gaussians.exact_products import exact_dots, exact_product

RNG = np.random.default_rng(0)
MATRIX = RNG.normal(size=(301, 517))
PROJECTION = RNG.normal(size=(517, 33)) * 0.01


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8, 300])
def test_a_projected_row_is_the_same_alone_and_among_others(rows):
    whole = exact_product(MATRIX, PROJECTION)
    assert np.array_equal(exact_product(MATRIX[:rows], PROJECTION), whole[:rows])
    assert np.abs(whole - np.clip(MATRIX, -4, 4) @ PROJECTION).max() < 1e-3


def test_the_order_of_the_entries_does_not_matter():
    order = RNG.permutation(517)
    assert np.array_equal(
        exact_product(MATRIX, PROJECTION), exact_product(MATRIX[:, order], PROJECTION[order])
    )


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray])
@pytest.mark.parametrize("rows", [1, 2, 7, 300])
def test_a_row_times_its_own_direction_is_the_same_alone_and_among_others(rows, layout):
    directions, which = PROJECTION.T * np.geomspace(1e-3, 1.0, 33)[:, None], RNG.integers(0, 33, 301)
    whole = exact_dots(layout(MATRIX), directions, which)
    few = exact_dots(layout(MATRIX[:rows]), directions, which[:rows])
    assert np.array_equal(few, whole[:rows])
    true = np.einsum("ij,ij->i", np.clip(MATRIX, -4, 4), directions[which])
    assert np.abs(whole - true).max() < 1e-3


def test_nothing_is_lost_of_tables_without_entries_or_rows():
    assert exact_product(np.zeros((3, 0)), np.zeros((0, 2))).tolist() == [[0.0, 0.0]] * 3
    assert exact_product(np.zeros((0, 2)), np.ones((2, 2))).shape == (0, 2)
    assert exact_dots(np.zeros((2, 0)), np.zeros((1, 0)), np.zeros(2, dtype=int)).tolist() == [0.0, 0.0]
