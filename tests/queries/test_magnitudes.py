"""Counts by sign and power of two."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.queries.magnitudes import MagnitudeCounts


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_every_number_is_in_the_range_of_its_cell(value):
    query = MagnitudeCounts(column="x")
    (cell,) = next(iter(query.cells({"x": np.array([value])}))).tolist()
    if not np.isfinite(value):
        assert cell == -1
        return
    low, high = query.edges(cell)
    assert low <= value <= high or abs(value) < 2.0**-31 or abs(value) >= 2.0**61


def test_an_offset_turns_codes_back_into_values():
    query = MagnitudeCounts(column="x", offset=-100)
    (cell,) = next(iter(query.cells({"x": np.array([104])}))).tolist()
    assert query.edges(cell) == (4.0, 8.0)


def test_a_missing_whole_number_counts_nothing():
    """Its code is the one behind the largest: taken for a value, it would look like the largest of all."""
    query = MagnitudeCounts(column="x", offset=-100, size=201)
    assert next(iter(query.cells({"x": np.array([201, 200])}))).tolist()[0] == -1
    assert query.partial_sums({"x": np.array([201, 201])}).sum() == 0
