"""The rules for lower and upper: finite, in order, inside 64 bits, and ISO text for times.

Messages name the column, what was got, the rule and the cure; they quote the schema, never rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.kinds import TIMED, Kind
from triplea.schema.parse import INT64_MAX, INT64_MIN
from triplea.schema.times import DAY, FIRST_SECOND, LAST_SECOND, NANOSECONDS, as_times

Entries = Mapping[str, Any]

CURE_UNKNOWN = "give them, or set discover: true, or run `triplea schema draft`"


def failure(entries: Entries, text: str) -> SchemaError:
    """The error that a column's entries cause."""
    return SchemaError(f'column "{entries["name"]}": {text}')


def checked_bounds(entries: Entries) -> dict[str, Any]:
    """Lower and upper in their one form: float, int, or a count of the time unit."""
    kind = entries["kind"]
    if (entries["lower"] is None or entries["upper"] is None) and not entries["discover"]:
        raise failure(entries, f"kind {kind} needs lower and upper bounds: {CURE_UNKNOWN}")
    read = _time_bound if kind in TIMED else _integer_bound if kind is Kind.INTEGER else _numeric_bound
    bounds = {key: None if entries[key] is None else read(entries, key) for key in ("lower", "upper")}
    if bounds["lower"] is not None and bounds["upper"] is not None:
        _check_range(entries, bounds["lower"], bounds["upper"])
    return bounds


def _check_range(entries: Entries, lower: Any, upper: Any) -> None:
    given = f"lower={entries['lower']}, upper={entries['upper']}"
    if lower > upper:
        raise failure(entries, f"bounds must be lower <= upper, got {given}; swap or mend them")
    if entries["kind"] is Kind.NUMERIC:
        if not math.isfinite(upper - lower):
            raise failure(entries, f"the range is too wide for a number, got {given}; give narrower bounds")
    elif upper - lower >= INT64_MAX - 1:
        raise failure(entries, f"the range does not fit 64 bits, got {given}; give narrower bounds")


def _numeric_bound(entries: Entries, key: str) -> float:
    value = entries[key]
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise failure(entries, f"{key} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise failure(entries, f"{key} must be finite, got {value}; give a bound that is publicly known")
    return number


def _integer_bound(entries: Entries, key: str) -> int:
    number, value = _numeric_bound(entries, key), entries[key]
    if number != math.floor(number):
        raise failure(entries, f"{key} must be a whole number, got {value!r}; round it or use kind: numeric")
    if not INT64_MIN <= int(value) <= INT64_MAX:
        raise failure(entries, f"{key} must fit 64 bits, got {value}; narrow it or use kind: numeric")
    return int(value)


def _time_bound(entries: Entries, key: str) -> int:
    value = entries[key]
    unit = entries["time_unit"] or (DAY if entries["kind"] is Kind.DATE else "us")
    is_count = isinstance(value, int | np.integer) and not isinstance(value, bool)
    count = int(value) if is_count else _count_of_text(entries, key, unit)
    # Two days of room at the ends of int64, so that a shift between zones cannot wrap around.
    size, room = NANOSECONDS[unit], 2 * NANOSECONDS[DAY]
    first = max(FIRST_SECOND * 10**9, size * INT64_MIN + room)
    last = min((LAST_SECOND + 1) * 10**9 - 1, size * INT64_MAX - room)
    if not first <= count * size <= last:
        raise failure(
            entries,
            f"{key} must lie in the years 1 to 9999 and fit 64 bits in time_unit {unit}, got {value!r}; "
            f"give another date or a coarser time_unit",
        )
    return count


def _count_of_text(entries: Entries, key: str, unit: str) -> int:
    value = entries[key]
    text = value.isoformat() if isinstance(value, date) else value
    if isinstance(text, str):
        cell = pa.array([text], pa.large_string())
        times = as_times(cell, unit=unit, tz=entries["tz"], wall_clock=entries["kind"] is Kind.DATE)
        if times.valid[0]:
            return int(times.values[0])
    raise failure(
        entries, f'{key} must be an ISO date in quotes ("2020-01-31" or "2020-01-31T12:00:00"), got {value!r}'
    )
