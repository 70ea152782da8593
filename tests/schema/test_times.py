import datetime as dt
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.schema.times import (
    as_times,
    is_time_zone,
    iso_text,
    rescale,
    to_instant,
    to_wall_clock,
)

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def _parse(text: str, **options: object) -> int | None:
    times = as_times(pa.array([text], pa.large_string()), unit="us", **options)  # type: ignore[arg-type]
    return int(times.values[0]) if times.valid[0] else None


@given(moment=st.datetimes(timezones=st.just(dt.UTC) | st.timezones()))
def test_iso_text_is_read_as_python_reads_it(moment: dt.datetime) -> None:
    offset = moment.utcoffset()
    assert offset is not None
    if offset.total_seconds() % 60:  # ISO offsets have no seconds
        moment = moment.astimezone(dt.UTC) if 1 < moment.year < 9999 else moment.replace(tzinfo=dt.UTC)
    assert _parse(moment.isoformat()) == (moment - EPOCH) // dt.timedelta(microseconds=1)


@given(text=st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True).filter(str.isascii))
def test_only_days_of_the_calendar_are_valid(text: str) -> None:
    try:
        expected = (dt.date.fromisoformat(text) - dt.date(1970, 1, 1)).days
    except ValueError:
        assert _parse(text) is None or text.startswith("0000")
    else:
        assert _parse(text) == expected * 86_400 * 10**6


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2020-01-02", "2020-01-02T00:00:00Z"),
        ("2020-01-02 03:04", "2020-01-02T03:04:00Z"),
        (" 2020-01-02T03:04:05,5 ", "2020-01-02T03:04:05.500000Z"),
        ("2020-01-02T03:04:05.1234567891", "2020-01-02T03:04:05.123456Z"),
        ("2020-01-02T03:04:05+0200", "2020-01-02T01:04:05Z"),
        ("2020-01-02T03:04:05-02", "2020-01-02T05:04:05Z"),
        ("2020-01-02 03:04:05 z", "2020-01-02T03:04:05Z"),
    ],
)
def test_the_usual_spellings_mean_the_same(text: str, same: str) -> None:
    assert _parse(text) == _parse(same) is not None


@pytest.mark.parametrize(
    "text", ["", "2020", "2020-1-2", "02/01/2020", "2020-01-02T24:00", "2020-01-02T03:60", "now"]
)
def test_other_text_is_not_a_time(text: str) -> None:
    assert _parse(text) is None


def test_times_without_a_zone_follow_summer_time() -> None:
    winter, summer = (
        _parse("2020-01-01T12:00", tz="Europe/Berlin"),
        _parse("2020-07-01T12:00", tz="Europe/Berlin"),
    )
    assert (winter, summer) == (_parse("2020-01-01T11:00Z"), _parse("2020-07-01T10:00Z"))


def test_a_day_is_read_from_the_wall_clock_as_written() -> None:
    text = pa.array(["2020-01-01T23:30:00-05:00"], pa.large_string())
    assert as_times(text, unit="D", wall_clock=True).values.tolist() == [18262]


@given(
    seconds=st.integers(-(10**10), 10**10),
    tz=st.sampled_from(["Europe/Berlin", "America/New_York", "+05:30"]),
)
def test_wall_clock_and_instant_undo_each_other(seconds: int, tz: str) -> None:
    instant = np.array([seconds])
    back = to_instant(to_wall_clock(instant, unit="s", tz=tz), unit="s", tz=tz)
    # The second pass through a repeated hour is read as the first: an hour (or less) earlier.
    assert 0 <= int(instant[0] - back[0]) <= 3600


def test_the_wall_clock_matches_pythons() -> None:
    moment = dt.datetime(2021, 10, 31, 0, 30, tzinfo=dt.UTC)
    wall = to_wall_clock(np.array([int(moment.timestamp())]), unit="s", tz="Europe/Berlin")
    local = moment.astimezone(ZoneInfo("Europe/Berlin")).replace(tzinfo=dt.UTC)
    assert wall.tolist() == [int(local.timestamp())]


def test_rescaling_floors_and_saturates() -> None:
    assert rescale(np.array([-1, 1999]), unit="ms", to="s").tolist() == [-1, 1]
    assert rescale(np.array([3]), unit="D", to="s").tolist() == [259_200]
    assert abs(int(rescale(np.array([2**63 - 1]), unit="s", to="ns")[0])) < 2**63


def test_bare_integers_are_counts_and_date64_is_a_date() -> None:
    assert as_times(pa.array([5, None]), unit="s").values.tolist() == [5, 0]
    assert as_times(pa.array([dt.date(1970, 1, 3)], pa.date64()), unit="s").values.tolist() == [172_800]


def test_zones_are_checked() -> None:
    assert all(is_time_zone(name) for name in ("UTC", "Europe/Berlin", "+01:00", "-11:30"))
    assert not any(is_time_zone(name) for name in ("", "Mars/Base", "+25:00", "../etc/passwd", "/etc"))


def test_iso_text_says_utc_when_the_column_has_a_zone() -> None:
    assert iso_text(1, unit="D") == "1970-01-02"
    assert iso_text(1, unit="s") == "1970-01-01T00:00:01"
    assert iso_text(-1, unit="ns", tz="Asia/Tokyo") == "1969-12-31T23:59:59.999999999Z"
