"""The roundest number in a stretch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.round_values import roundest


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (1.09952, 1.1008, 1.1),
        (0.7, 0.70001, 0.7),
        (0.29999, 0.3, 0.29999),
        (-1.1008, -1.09952, -1.1),
        (-5.0, 7.0, 0.0),
        (999_424, 1_000_448, 1_000_000),
        (15_024, 15_025, 15_024),
        (8e307, 8.1e307, 8e307),
        (0.0, 5e-324, 0.0),
    ],
)
def test_fewest_digits_win(low, high, found):
    assert roundest(low, high) == found


@given(st.floats(-1e300, 1e300), st.floats(1e-9, 1e3))
def test_it_lies_in_the_stretch(low, length):
    high = low + length
    if low < high:
        assert low <= roundest(low, high) < high


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
def test_whole_numbers_stay_whole(low, length):
    found = roundest(low, low + length)
    assert isinstance(found, int) and low <= found < low + length
