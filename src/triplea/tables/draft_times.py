"""Guess how the dates and times of one column are written, for the owner's draft."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.schema.times import as_times

_DAY = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_INSTANT = (
    rf"{_DAY}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?( ?(Z|[+-][0-9]{{2}}:?[0-9]{{2}}))?$"
)
_LIKE_A_DAY = r"^\s*([0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}|[0-9]{4}[./][0-9]{1,2}[./][0-9]{1,2}|[0-9]{8})"
_DAYS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d")
_CLOCKS = ("", " %H:%M", " %H:%M:%S")
_FIRST_YEAR, _LAST_YEAR = 1800, 2200  # eight digits of any other year are a number
_GLIMPSE = 100  # values that a pattern must fit before all are tried
YEARS = "whole years around the rows"
_EITHER_WAY = "every value can be read with the day first and with the month first: check the format"

Entry = dict[str, Any]


def from_times(values: pa.ChunkedArray) -> Entry:
    """Propose an entry for a column of dates or timestamps."""
    ends = pc.min_max(values)
    first, last = (int(pc.year(ends[end]).as_py()) for end in ("min", "max"))
    if pa.types.is_date(values.type):
        return _between_years("date", first, last)
    entry = _between_years("datetime", first, last)
    whole = values.type.unit == "s" or bool(pc.all(pc.equal(pc.subsecond(values), 0.0)).as_py())
    zone = {"tz": values.type.tz} if values.type.tz else {}
    return {**entry, **({"time_unit": "s"} if whole else {}), **zone}


def from_time_texts(texts: pa.ChunkedArray) -> Entry | None:
    """Propose an entry for texts that are all dates or times, in ISO form or another; None for others."""
    if _all_match(texts, _DAY + "$") or _all_match(texts, _INSTANT):
        return _from_iso(texts)
    if not _all_match(texts.slice(0, _GLIMPSE), _LIKE_A_DAY):
        return None  # most columns: the patterns below take longer
    distinct = pc.unique(texts)
    patterns = [day + clock for day in _DAYS for clock in _CLOCKS if _fits(distinct, day + clock)]
    return _from_pattern(distinct, patterns) if patterns else None


def _from_iso(texts: pa.ChunkedArray) -> Entry:
    # ISO text sorts like time, up to the zone.
    years = [int(pc.min_max(texts).as_py()[end][:4]) for end in ("min", "max")]
    if _all_match(texts, _DAY + "$"):
        return _between_years("date", *years)
    entry = _between_years("datetime", *years)
    if not bool(pc.any(pc.match_substring(texts, ".")).as_py()):
        entry["time_unit"] = "s"
    zoned = bool(pc.any(pc.match_substring_regex(texts, r"(Z|[+-][0-9]{2}:?[0-9]{2})$")).as_py())
    return {**entry, "tz": "UTC"} if zoned else entry


def _fits(distinct: pa.Array, pattern: str) -> bool:
    for some in (distinct.slice(0, _GLIMPSE), distinct):
        if not bool(as_times(some, unit="s", pattern=pattern).valid.all()):
            return False
    first, last = _years(distinct, pattern)
    return pattern != "%Y%m%d" or (_FIRST_YEAR <= first and last <= _LAST_YEAR)


def _from_pattern(distinct: pa.Array, patterns: list[str]) -> Entry:
    pattern = patterns[0]
    clock = "%H" in pattern
    entry = _between_years("datetime" if clock else "date", *_years(distinct, pattern))
    unit = {"time_unit": "s"} if clock else {}
    doubt = {"note": _EITHER_WAY} if len(patterns) > 1 else {}
    return {**entry, "format": pattern, **unit, **doubt}


def _years(distinct: pa.Array, pattern: str) -> tuple[int, int]:
    seconds = as_times(distinct, unit="s", pattern=pattern).values
    years = np.array([seconds.min(), seconds.max()], "datetime64[s]").astype("datetime64[Y]").astype(int)
    return int(years[0]) + 1970, int(years[1]) + 1970


def _between_years(kind: str, first: int, last: int) -> Entry:
    end = "" if kind == "date" else "T23:59:59"
    lower, upper = f"{first:04d}-01-01", f"{last:04d}-12-31{end}"
    return {
        "kind": kind,
        "lower": lower,
        "upper": upper,
        "source": "observed",
        "note": YEARS,
    }


def _all_match(texts: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())
