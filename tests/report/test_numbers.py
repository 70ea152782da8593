import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.report import numbers
from triplea.results import Score


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1e-5, "10\u207b\u2075"), (3.25e-7, "3.25\u00b710\u207b\u2077"),
        (-0.5, "\u22120.5"), (12_500, "12.5k"),
        (math.inf, "infinite"), (math.nan, "\u2013"), (2.7182818, "2.718"),
    ],
)  # fmt: skip
def test_numbers_are_short(value, written):
    assert numbers.short(value) == written


def test_a_score_without_an_interval_shows_none():
    assert numbers.interval(Score(value=0.5)) == ""
    assert numbers.interval(Score(value=0.5, low=0.4, high=0.6)) == "0.400 to 0.600"


def test_what_is_not_known_is_a_dash():
    assert numbers.fixed(None) == numbers.share(math.nan) == numbers.short(None) == numbers.NOTHING


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_ticks_are_few_and_inside(low, width):
    ticks = numbers.nice_ticks(low, low + width)
    assert len(ticks) <= 8
    slack = 1e-6 * (abs(low) + width)
    assert all(low - slack <= tick <= low + width + slack for tick in ticks)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (1.0, "1"), (1.10517, "1.106"), (99.99, "99.99"), (149.0, "149"), (2980.96, "2\u202f990"),
        (4.85e8, "485\u202f000\u202f000"), (1.4036e217, "1.41\u00b710\u00b2\u00b9\u2077"),
    ],
)  # fmt: skip
def test_a_factor_is_never_rounded_down(factor: float, text: str) -> None:
    assert numbers.times(factor) == text


def test_nothing_has_no_sign() -> None:
    assert numbers.fixed(-0.0004) == "0.000"
