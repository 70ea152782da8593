import datetime as dt

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.schema.patterns import is_pattern, iso_from_pattern, width_in_digits

PATTERNS = [
    "%d/%m/%Y",
    "%Y%m%d",
    "%m-%d-%Y %H:%M",
    "%d.%m.%Y (%H.%M.%S)",
    "%Y%m%d%H%M%S",
    "at %H on %d %m %Y",
    "[%Y|%m|%d]",
]


@given(moment=st.datetimes(dt.datetime(1000, 1, 1)), pattern=st.sampled_from(PATTERNS))
def test_what_a_pattern_writes_is_read_back(moment: dt.datetime, pattern: str) -> None:
    text = moment.strftime(pattern)
    again = dt.datetime.strptime(text, pattern)
    assert iso_from_pattern(pa.array([text]), pattern).to_pylist() == [again.isoformat()]


@pytest.mark.parametrize("year", [1969, 1999, 2000, 2068])
def test_two_digit_years_turn_where_python_turns_them(year: int) -> None:
    text = f"{year % 100:02d}-05-06"
    assert iso_from_pattern(pa.array([text]), "%y-%m-%d").to_pylist() == [f"{year}-05-06T00:00:00"]


def test_single_digits_are_read_where_something_separates_them() -> None:
    assert iso_from_pattern(pa.array(["1/2/2020"]), "%d/%m/%Y").to_pylist() == ["2020-02-01T00:00:00"]
    assert iso_from_pattern(pa.array(["202012"]), "%Y%m%d").to_pylist() == [None]


@given(text=st.none() | st.text(max_size=20), pattern=st.sampled_from(PATTERNS))
def test_other_text_is_null_and_never_an_error(text: str | None, pattern: str) -> None:
    (read,) = iso_from_pattern(pa.array([text], pa.string()), pattern).to_pylist()
    assert read is None or any(character.isdigit() for character in str(text))


@pytest.mark.parametrize("pattern", [*PATTERNS, "%y%m%d"])
def test_patterns_with_a_whole_date_are_allowed(pattern: str) -> None:
    assert is_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "%Y",
        "%Q",
        "plain",
        "%Y-%m-%d%",
        "%Y-%m-%d %M",
        "%Y-%y-%m-%d",
        "%Y-%m-%d %d",
        "%b %d %Y",
        "%Y%m%d%%",
    ],
)
def test_other_patterns_are_not(pattern: str) -> None:
    assert not is_pattern(pattern)


def test_only_patterns_of_digits_have_a_width() -> None:
    assert width_in_digits("%Y%m%d") == 8
    assert width_in_digits("%y%m%d%H") == 8
    assert width_in_digits("%Y-%m-%d") is None
