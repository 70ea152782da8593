"""Clipped sums: exact on their grid, and never longer than the clip norm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from triplea.queries.cell_sums import BITS, CellSums, clipped_units
from triplea.queries.moments import MomentPart, bounded_units

AWKWARD = st.one_of(
    st.floats(-1e3, 1e3), st.sampled_from([0.0, 1e308, -1e308, 5e-324, np.inf, -np.inf, np.nan, 1.0])
)


class Rows(CellSums):
    """Each row's vector and cell as given."""

    def __init__(self, *, cells=1, width=2, clip_norm=1.0):
        super().__init__(columns=("x",), cells=cells, width=width, clip_norm=clip_norm)

    def vectors(self, rows):
        return rows["cell"], rows["x"]


@given(
    rows=hnp.arrays(float, st.tuples(st.integers(0, 5), st.integers(1, 6)), elements=AWKWARD),
    clip_norm=st.sampled_from([1e-9, 0.3, 1.0, 7.0, 1e9]),
)
def test_no_clipped_row_is_longer_than_the_clip_norm(rows, clip_norm):
    units = clipped_units(rows, clip_norm=clip_norm, bits=BITS)
    whole = [[int(entry) for entry in row] for row in units]  # exact integers: no rounding can hide here
    assert all(sum(entry * entry for entry in row) <= 4**BITS for row in whole)


def test_short_rows_are_kept_to_a_grid_step():
    rows = np.array([[0.3, -0.4], [0.1, 0.2]])
    units = clipped_units(rows, clip_norm=1.0, bits=BITS)
    assert np.abs(units / 2**BITS - rows).max() < 2.0**-BITS


def test_rows_that_are_not_finite_count_as_zero():
    units = clipped_units(np.array([[np.nan, 1.0], [np.inf, 0.0], [0.5, 0.5]]), clip_norm=1.0, bits=BITS)
    assert np.abs(units[:2]).sum() == 0
    assert np.abs(units[2]).sum() > 0


def test_rows_are_added_up_by_cell_and_strays_are_left_out():
    query = Rows(cells=3)
    rows = {
        "cell": np.array([0, 2, 2, 5]),
        "x": np.array([[0.5, 0.0], [0.25, 0.25], [0.25, -0.25], [1.0, 0.0]]),
    }
    total = query.partial_sums(rows) * query.grid
    assert total == pytest.approx(np.array([[0.5, 0.0], [0.0, 0.0], [0.5, 0.0]]), abs=1e-5)


def test_sums_of_long_tables_do_not_wrap_around():
    """Each row is worth 2^20 units, so a few thousand rows pass 2^31."""
    for rows in (5_000, 50_000):
        batch = {"cell": np.zeros(rows, dtype=int), "x": np.tile([-1.0, 0.0], (rows, 1))}
        assert Rows().partial_sums(batch)[0, 0] == -rows * 2**BITS


def test_the_sum_does_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(0)
    rows = {"cell": np.zeros(1000, dtype=int), "x": rng.normal(size=(1000, 2))}
    order = rng.permutation(1000)
    query = Rows()
    shuffled = query.partial_sums({name: values[order] for name, values in rows.items()})
    assert (query.partial_sums(rows) == shuffled).all()


@pytest.mark.parametrize("width", [9, 60, 517])
def test_a_row_is_clipped_alike_alone_and_among_others_in_any_layout(width):
    rng = np.random.default_rng(width)
    vectors, part = rng.normal(size=(400, width)), MomentPart(cells=1, width=width, radius=1.0, reach=3.0)
    for layout in (np.ascontiguousarray, np.asfortranarray):
        whole = clipped_units(layout(vectors), clip_norm=0.7, bits=20)
        moments = bounded_units(layout(vectors), part)
        for i in range(400):
            alone = layout(vectors[i : i + 1])
            assert np.array_equal(clipped_units(alone, clip_norm=0.7, bits=20)[0], whole[i])
            assert np.array_equal(bounded_units(alone, part)[0], moments[i])
