"""Histograms count every row once, and only inside their cells."""

import numpy as np
import pytest

from triplea.queries.counts import Counts


class Given(Counts):
    """Counts with cells that are written down."""

    def __init__(self, columns_of_cells, *, sizes, scales=None):
        self.given = columns_of_cells
        super().__init__(columns=("x",), sizes=sizes, scales=scales)

    def cells(self, rows):
        del rows
        yield from (np.asarray(cells) for cells in self.given)


def test_each_histogram_is_counted_by_itself():
    query = Given([[0, 1, 1], [2, 2, 0]], sizes=[2, 3])
    assert query.partial_sums({"x": np.zeros(3)}).tolist() == [1, 2, 1, 0, 2]
    assert [part.tolist() for part in query.split(np.arange(5.0))] == [[0, 1], [2, 3, 4]]


def test_cells_outside_a_histogram_count_nothing():
    query = Given([[-1, 0, 7, 1]], sizes=[2])
    assert query.partial_sums({"x": np.zeros(4)}).tolist() == [1, 1]


def test_no_rows_give_zeros():
    query = Given([np.zeros(0, dtype=int)], sizes=[3])
    assert query.partial_sums({"x": np.zeros(0)}).tolist() == [0, 0, 0]


def test_sensitivities_grow_with_the_number_of_histograms():
    query = Given([], sizes=[2, 3, 4, 5])
    assert (query.row_l1, query.row_l2) == (4.0, 2.0)
    assert query.swap_l2 == pytest.approx(np.sqrt(8))
    assert query.swap_l1 == 8.0


def test_a_histogram_with_half_the_noise_costs_four_times_its_share():
    plain = Given([], sizes=[2, 2])
    weighted = Given([], sizes=[2, 2], scales=[1.0, 0.5])
    assert weighted.row_l2**2 == pytest.approx(plain.row_l2**2 - 1 + 4)
    assert np.asarray(weighted.scale).tolist() == [1.0, 1.0, 0.5, 0.5]
