"""Instants and days as integers: ISO 8601 text, Arrow timestamps and dates, units and time zones.

A datetime column counts instants (UTC) in its unit; a date column counts days on the wall clock.
Times without a zone are read in the column's zone, or as UTC when it has none. Ambiguous and
skipped hours of a clock change take the earlier reading.
"""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.schema.parse import (
    INT64_MAX,
    Family,
    Ints,
    Mask,
    Parsed,
    as_ints,
    family_of,
    trimmed,
    valid_mask,
)
from triplea.schema.patterns import iso_from_pattern, width_in_digits

DAY = "D"
NANOSECONDS = {DAY: 86_400 * 10**9, "s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
# 0001-01-01 and 9999-12-31T23:59:59 in seconds: outside, calendars and zone rules are not defined.
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799

_MONTH_AND_DAY = (
    r"(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    r"|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_LEAP_DAY = r"(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
_CLOCK = r"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?"
_ISO = (
    rf"^(?P<base>(?:[0-9]{{4}}-{_MONTH_AND_DAY}|{_LEAP_DAY})(?:{_CLOCK})?)"
    r"(?:[.,](?P<fraction>[0-9]{1,9})[0-9]*)?"
    r" ?(?:(?P<utc>[Zz])|(?P<sign>[+-])(?P<hours>[01][0-9]|2[0-3]):?(?P<minutes>[0-5][0-9])?)?$"
)


def is_time_zone(name: str) -> bool:
    """Whether a zone name is known: an IANA name, or an offset such as +01:00."""
    if re.fullmatch(r"[+-]([01]\d|2[0-3]):[0-5]\d", name):
        return True
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def rescale(values: Ints, *, unit: str, to: str) -> Ints:
    """Counts of `unit` as counts of `to`: floored when coarser, saturated when too large."""
    have, want = NANOSECONDS[unit], NANOSECONDS[to]
    if have >= want:
        factor = have // want
        limit = INT64_MAX // factor - 1
        return np.clip(values, -limit, limit) * factor
    return values // (want // have)


def _shift(values: Ints, *, unit: str, convert: str, tz: str) -> Ints:
    """Move between wall clock and instant, whole seconds by zone rules, the rest unchanged."""
    per_second = 10**9 // NANOSECONDS[unit]
    limit = INT64_MAX - 2 * 86_400 * per_second  # room for the shift, so that nothing wraps around
    values = np.clip(values, -limit, limit)
    seconds = np.clip(values // per_second, FIRST_SECOND, LAST_SECOND)
    if convert == "to_instant":
        stamps = pa.array(seconds, pa.timestamp("s"))
        moved = pc.assume_timezone(stamps, tz, ambiguous="earliest", nonexistent="earliest")
    else:
        moved = pc.local_timestamp(pa.array(seconds, pa.timestamp("s", tz)))
    shift: Ints = moved.cast(pa.int64()).to_numpy() - seconds
    return values + shift * per_second


def to_instant(values: Ints, *, unit: str, tz: str | None) -> Ints:
    """Wall-clock counts in zone `tz` as UTC counts (unchanged without a zone)."""
    return values if tz is None else _shift(values, unit=unit, convert="to_instant", tz=tz)


def to_wall_clock(values: Ints, *, unit: str, tz: str | None) -> Ints:
    """UTC counts as wall-clock counts in zone `tz` (unchanged without a zone)."""
    return values if tz is None else _shift(values, unit=unit, convert="to_wall_clock", tz=tz)


def _field(match: pa.StructArray, name: str, found: Mask) -> pa.Array:
    field = match.field(name)
    return pc.if_else(pc.and_(pa.array(found), pc.not_equal(field, "")), field, pa.scalar(None, field.type))


def _numbers(text: pa.Array) -> Ints:
    return np.asarray(text.cast(pa.int64()).fill_null(0).to_numpy())


def _iso_times(text: pa.Array, *, unit: str, tz: str | None, wall_clock: bool) -> Parsed:
    match = pc.extract_regex(trimmed(text).cast(pa.string()), _ISO)
    found = valid_mask(match)
    fields = {field.name: _field(match, field.name, found) for field in match.type}
    seconds = fields["base"].cast(pa.timestamp("s")).cast(pa.int64()).fill_null(0).to_numpy()
    fraction = _numbers(pc.utf8_rpad(fields["fraction"], width=9, padding="0"))
    has_zone = valid_mask(fields["utc"]) | valid_mask(fields["sign"])
    if not wall_clock:
        east = np.where(np.asarray(pc.equal(fields["sign"], "-").fill_null(False)), -60, 60)
        offset = east * (60 * _numbers(fields["hours"]) + _numbers(fields["minutes"]))
        local = seconds if tz is None else np.where(has_zone, seconds, to_instant(seconds, unit="s", tz=tz))
        seconds = local - offset
    values = rescale(seconds, unit="s", to=unit)
    return Parsed(values if unit == DAY else values + fraction // NANOSECONDS[unit], found)


def _formatted_text(array: pa.Array, pattern: str) -> pa.Array:
    """ISO text of cells written by a pattern; where it is all digits they get back their leading zeros.

    Integers, floats and text alike: pandas turns the one into the other for a single odd row.
    """
    if family_of(array.type) is Family.FLOAT:
        whole = as_ints(array)
        array = pa.array(whole.values, mask=~whole.valid)
    text = trimmed(array.cast(pa.string()))
    return iso_from_pattern(pc.ascii_lpad(text, width=width_in_digits(pattern) or 0, padding="0"), pattern)


def as_times(
    array: pa.Array, *, unit: str, tz: str | None = None, wall_clock: bool = False, pattern: str | None = None
) -> Parsed:
    """Times as counts of `unit` since 1970-01-01. Bare integers already are such counts."""
    family = family_of(array.type)
    zone = None if wall_clock else tz
    if pattern is not None and family in (Family.TEXT, Family.INTEGER, Family.FLOAT):
        array, family = _formatted_text(array, pattern), Family.TEXT
    if family is Family.TEXT:
        return _iso_times(array, unit=unit, tz=tz, wall_clock=wall_clock)
    if family not in (Family.TIMESTAMP, Family.DATE):
        return as_ints(array)
    valid = valid_mask(array)
    if family is Family.DATE:
        days = array.cast(pa.date32(), safe=False).cast(pa.int32()).fill_null(0).to_numpy().astype(np.int64)
        return Parsed(to_instant(rescale(days, unit=DAY, to=unit), unit=unit, tz=zone), valid)
    counts = array.cast(pa.int64()).fill_null(0).to_numpy()
    if wall_clock:
        counts = to_wall_clock(counts, unit=array.type.unit, tz=array.type.tz)
    elif array.type.tz is None:
        counts = to_instant(counts, unit=array.type.unit, tz=tz)
    return Parsed(rescale(counts, unit=array.type.unit, to=unit), valid)


def iso_text(count: int, *, unit: str, tz: str | None = None) -> str:
    """The ISO 8601 text of one count, as a schema file writes it; UTC when the column has a zone."""
    text = str(np.array(count, dtype=f"datetime64[{unit}]"))
    return text if tz is None else f"{text}Z"
