"""Moments are exact, clipped, and move at most as stated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from triplea.queries.moments import CellMoments, MomentPart, bounded_units

WILD = st.sampled_from([0.0, 1.0, -1.0, 0.3, -0.999, 1e300, -1e300, np.nan, np.inf, 1e-320, 7.0])


class Plain(CellMoments):
    """Vectors as they come, in cell 0 or 1 by the sign of the first entry."""

    def __init__(self, width, *, radius, reach, weights=(0.2, 0.3, 0.5), norm="L2", parts=1):
        part = MomentPart(cells=2, width=width, radius=radius, reach=reach)
        super().__init__(columns=("x",), parts=[part] * parts, weights=weights, norm=norm)

    def vectors(self, rows):
        for _ in self.parts:
            yield (rows["x"][:, 0] > 0).astype(np.int64), rows["x"]


def scaled(query, units):
    return units * query.grid / query.scale


@pytest.mark.parametrize("norm", ["L1", "L2"])
@given(
    rows=hnp.arrays(np.float64, (2, 4), elements=WILD),
    radius=st.sampled_from([0.5, 1.0, np.sqrt(3), 2.0]),
    parts=st.integers(1, 3),
)
def test_one_row_moves_moments_at_most_by_the_bounds(norm, rows, radius, parts):
    query = Plain(4, radius=radius, reach=2 * radius, norm=norm, parts=parts)
    one, two = (scaled(query, query.partial_sums({"x": row[None]})) for row in rows)
    assert np.linalg.norm(one) <= query.row_l2
    assert np.abs(one).sum() <= query.row_l1
    assert np.linalg.norm(one - two) <= query.swap_l2
    assert np.abs(one - two).sum() <= query.swap_l1


def test_the_swap_bound_covers_a_vector_that_turns_round_within_its_cell():
    query = Plain(4, radius=2.0, reach=4.0, weights=(0.0, 1.0, 0.0))
    there = np.array([[-1.0, 1.0, 1.0, 1.0]])
    back = np.array([[-1.0, -1.0, -1.0, -1.0]])
    one, two = (scaled(query, query.partial_sums({"x": row})) for row in (there, back))
    assert np.sqrt(2.0) * query.row_l2 < np.linalg.norm(one - two) <= query.swap_l2


def test_the_row_bound_is_reached_by_a_vector_of_ones():
    query = Plain(3, radius=np.sqrt(3), reach=3.0)
    assert np.linalg.norm(scaled(query, query.partial_sums({"x": np.ones((1, 3))}))) >= 0.999 * query.row_l2


def test_moments_are_those_of_the_rows():
    rows = np.array([[0.5, -0.25, 0.0], [-0.5, 1.0, 0.125], [0.25, 0.25, 0.25]])
    query = Plain(3, radius=2.0, reach=4.0)
    (moments,) = query.split(query.partial_sums({"x": rows}) * query.grid)
    assert moments.count.tolist() == [1, 2]
    assert np.array_equal(moments.total, [rows[1], rows[0] + rows[2]])
    assert np.array_equal(moments.second[0], np.outer(rows[1], rows[1]))
    assert np.array_equal(moments.second[1], np.outer(rows[0], rows[0]) + np.outer(rows[2], rows[2]))


def test_orders_of_weight_zero_are_left_out():
    query = Plain(3, radius=1.0, reach=2.0, weights=(0.0, 1.0, 0.0))
    assert query.shape == (6,)
    (moments,) = query.split(np.arange(6.0))
    assert moments.count is None and moments.second is None


def test_batches_add_up():
    rows = np.random.default_rng(0).normal(size=(500, 4))
    query = Plain(4, radius=1.5, reach=2.0)
    parts = [query.partial_sums({"x": rows[i : i + 77]}) for i in range(0, 500, 77)]
    assert np.array_equal(query.partial_sums({"x": rows}), sum(parts))


def test_units_fit_both_norms_in_whole_numbers():
    part = MomentPart(cells=1, width=5, radius=1.3, reach=1.9)
    units = bounded_units(np.random.default_rng(1).normal(size=(2000, 5)) * 3, part)
    assert np.array_equal(units, np.trunc(units))
    assert ((units**2).sum(axis=1) <= (1.3 * 2**part.bits) ** 2 * (1 + 1e-11)).all()
    assert (np.abs(units).sum(axis=1) <= 1.9 * 2**part.bits * (1 + 1e-11)).all()
