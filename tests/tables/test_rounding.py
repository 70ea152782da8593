from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triplea.tables.rounding import round_outward, round_outward_whole, round_up

NUMBERS = st.floats(-1e12, 1e12)
WHOLE = st.integers(-(2**62), 2**62)


@given(NUMBERS, NUMBERS)
def test_rounded_bounds_enclose_the_values_and_are_not_much_wider(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    lower, upper = round_outward(low, high)
    assert lower <= low <= high <= upper
    assert lower < upper
    if high - low > 1e-6 * max(abs(low), abs(high), 1.0):
        assert upper - lower <= 1.3 * (high - low)


@given(WHOLE, WHOLE)
def test_rounded_whole_bounds_enclose_the_values(one: int, other: int) -> None:
    low, high = min(one, other), max(one, other)
    lower, upper = round_outward_whole(low, high)
    assert lower <= low <= high <= upper
    assert lower < upper


def test_extreme_numbers_do_not_raise() -> None:
    assert round_outward(-1.7e308, 1.7e308) == (-1.7e308, 1.7e308)
    assert round_outward_whole(-(2**63) + 1, 2**63 - 1) == (-(2**63) + 1, 2**63 - 1)


@given(st.integers(1, 10**12))
def test_a_count_is_rounded_up_to_one_two_or_five_times_a_power_of_ten(count: int) -> None:
    rounded = round_up(count)
    assert count <= rounded <= 2.5 * count
    assert str(rounded).rstrip("0") in ("1", "2", "5")
