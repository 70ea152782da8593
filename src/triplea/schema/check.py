"""The rules that one column's entries must follow. The first broken rule is the error.

Messages name the column, what was got, the rule and the cure; they quote the schema, never rows.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.categories import as_text, category_type
from triplea.schema.dtypes import parse_dtype
from triplea.schema.kinds import BOUNDED, DISCRETE, LISTED, TIMED, Kind
from triplea.schema.parse import INT64_MAX, INT64_MIN
from triplea.schema.times import DAY, NANOSECONDS, as_times, is_time_zone

Entries = Mapping[str, Any]

_MEANT = {
    "float": "numeric", "double": "numeric", "real": "numeric", "number": "numeric", "continuous": "numeric",
    "int": "integer", "count": "integer", "bool": "boolean", "binary": "boolean", "str": "categorical",
    "string": "categorical", "text": "categorical", "category": "categorical", "nominal": "categorical",
    "timestamp": "datetime", "time": "datetime", "day": "date", "id": "identifier", "key": "identifier",
}  # fmt: skip
_MAX_DECIMALS = 15
_CURE_UNKNOWN = "give them, or set discover: true, or run `triplea schema draft`"


def _fail(entries: Entries, text: str) -> SchemaError:
    return SchemaError(f'column "{entries["name"]}": {text}')


def suggestion(word: str, known: list[str]) -> str:
    """` (did you mean "x"?)` for a near miss, else nothing."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""


def checked(entries: Entries) -> dict[str, Any]:
    """The entries that change when brought to their one form. Raises on the first broken rule."""
    _check_name(entries)
    kind = _kind(entries)
    entries = {**entries, "kind": kind}
    changes: dict[str, Any] = {"kind": kind}
    _check_flags(entries)
    _check_texts(entries)
    if kind in DISCRETE:
        changes["categories"] = _categories(entries)
        _check_other({**entries, **changes})
    elif entries["categories"] is not None:
        raise _fail(
            entries, f"categories do not apply to a {kind} column; remove them or use kind: categorical"
        )
    if kind in BOUNDED:
        changes.update(_bounds(entries))
    elif entries["lower"] is not None or entries["upper"] is not None:
        raise _fail(
            entries, f"lower and upper do not apply to a {kind} column; remove them or use kind: integer"
        )
    _check_decimals(entries)
    return changes


def _check_name(entries: Entries) -> None:
    name = entries["name"]
    if not isinstance(name, str) or not name:
        raise SchemaError(f"a column's name must be non-empty text, got {name!r}; quote it in the schema")


def _kind(entries: Entries) -> Kind:
    kind = entries["kind"]
    if isinstance(kind, str) and kind in list(Kind):
        return Kind(kind)
    meant = _MEANT.get(str(kind).lower())
    hint = (
        f'; did you mean "{meant}"?'
        if meant
        else suggestion(str(kind).lower(), [str(known) for known in Kind])
    )
    raise _fail(entries, f"kind must be one of {', '.join(Kind)}, got {kind!r}{hint}")


def _check_flags(entries: Entries) -> None:
    for key in ("nullable", "discover", "confirmed"):
        if not isinstance(entries[key], bool):
            raise _fail(entries, f"{key} must be true or false, got {entries[key]!r}")


def _check_texts(entries: Entries) -> None:
    for key in ("source", "note", "dtype", "format", "tz", "time_unit"):
        if entries[key] is not None and not isinstance(entries[key], str):
            raise _fail(entries, f"{key} must be text, got {entries[key]!r}")
    if entries["unknown"] not in ("missing", "other"):
        raise _fail(entries, f'unknown must be "missing" or "other", got {entries["unknown"]!r}')
    if entries["dtype"] is not None:
        try:
            parse_dtype(entries["dtype"])
        except SchemaError as error:
            raise _fail(entries, str(error)) from None
    _check_time_entries(entries)


def _check_time_entries(entries: Entries) -> None:
    kind, unit, tz = entries["kind"], entries["time_unit"], entries["tz"]
    for key in ("time_unit", "tz", "format"):
        if entries[key] is not None and kind not in TIMED:
            raise _fail(entries, f"{key} applies to datetime and date columns only, not to kind {kind}")
    allowed = [DAY] if kind is Kind.DATE else [known for known in NANOSECONDS if known != DAY]
    if unit is not None and unit not in allowed:
        raise _fail(
            entries, f"time_unit of a {kind} column must be one of {', '.join(allowed)}, got {unit!r}"
        )
    if tz is not None and kind is Kind.DATE:
        raise _fail(entries, "tz does not apply to a date column; remove it or use kind: datetime")
    if tz is not None and not is_time_zone(tz):
        raise _fail(
            entries,
            f'tz {tz!r} is not a known time zone; use a name such as "Europe/Berlin", "UTC" or "+01:00"',
        )


def _categories(entries: Entries) -> tuple[Any, ...] | None:
    given = entries["categories"]
    if entries["kind"] is Kind.BOOLEAN:
        if given is not None and (
            len(given) != 2 or {type(value) for value in given} != {bool} or given[0] == given[1]
        ):
            raise _fail(
                entries, f"a boolean column's categories are false and true, got {given!r}; leave them out"
            )
        return (False, True)
    if given is None:
        if not entries["discover"]:
            raise _fail(entries, f"a {entries['kind']} column needs categories: {_CURE_UNKNOWN}")
        return None
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise _fail(entries, f"categories must be a list, got {given!r}")
    categories = tuple(given)
    if not categories:
        raise _fail(entries, f"the list of categories is empty: {_CURE_UNKNOWN}")
    for value in categories:
        _check_category(entries, value)
    _check_one_type(entries, categories)
    categories = tuple(category_type(categories)(value) for value in categories)
    _check_distinct(entries, categories)
    return categories


def _check_category(entries: Entries, value: Any) -> None:
    if value is None:
        raise _fail(entries, "null is not a category; remove it and set nullable: true")
    if not isinstance(value, str | int | float | bool):
        raise _fail(entries, f"category {value!r} must be text, a number, true or false; put it in quotes")
    if isinstance(value, float) and not math.isfinite(value):
        raise _fail(
            entries, f"category {value!r} is not finite; remove it, and set nullable: true for missing values"
        )
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        raise _fail(
            entries, f"category {value} does not fit 64 bits; write the categories as text, in quotes"
        )


def _check_one_type(entries: Entries, categories: tuple[Any, ...]) -> None:
    types = {type(value) for value in categories}
    if len(types) > 1 and types != {int, float}:
        first = categories[0]
        odd = next(value for value in categories if type(value) is not type(first))
        raise _fail(
            entries, f"categories mix types ({first!r} and {odd!r}); write all of them as text, in quotes"
        )


def _check_distinct(entries: Entries, categories: tuple[Any, ...]) -> None:
    seen: set[Any] = set()
    for value in categories:
        if value in seen:
            raise _fail(entries, f"category {value!r} is listed twice; remove one")
        seen.add(value)


def _check_other(entries: Entries) -> None:
    if entries["unknown"] != "other":
        if entries["other"] is not None:
            raise _fail(
                entries, 'an "other" category has no effect without unknown: other; add that or remove it'
            )
        return
    other = "other" if entries["other"] is None else entries["other"]
    if entries["kind"] not in LISTED:
        raise _fail(
            entries, 'unknown: other applies to categorical and ordinal columns only; use unknown: "missing"'
        )
    if entries["categories"] is not None and other not in entries["categories"]:
        raise _fail(
            entries,
            f"unknown: other needs the category {as_text(other)!r} in the list; add it, or name one with other: NAME",
        )


def _check_decimals(entries: Entries) -> None:
    decimals = entries["decimals"]
    if decimals is None:
        return
    if entries["kind"] is not Kind.NUMERIC:
        raise _fail(entries, f"decimals applies to numeric columns only, not to kind {entries['kind']}")
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= _MAX_DECIMALS:
        raise _fail(entries, f"decimals must be an integer from 0 to {_MAX_DECIMALS}, got {decimals!r}")


def _bounds(entries: Entries) -> dict[str, Any]:
    kind = entries["kind"]
    if (entries["lower"] is None or entries["upper"] is None) and not entries["discover"]:
        raise _fail(entries, f"a {kind} column needs lower and upper bounds: {_CURE_UNKNOWN}")
    read = _time_bound if kind in TIMED else _integer_bound if kind is Kind.INTEGER else _numeric_bound
    bounds = {key: None if entries[key] is None else read(entries, key) for key in ("lower", "upper")}
    lower, upper = bounds["lower"], bounds["upper"]
    if lower is not None and upper is not None:
        if lower > upper:
            raise _fail(
                entries,
                f"bounds must be lower <= upper, got lower={entries['lower']}, upper={entries['upper']}; swap or mend them",
            )
        if kind is Kind.NUMERIC and not math.isfinite(upper - lower):
            raise _fail(
                entries, f"the range from lower={lower} to upper={upper} is not finite; give narrower bounds"
            )
        if kind is not Kind.NUMERIC and upper - lower >= INT64_MAX - 1:
            raise _fail(
                entries, f"the range from lower={lower} to upper={upper} does not fit 64 bits; narrow it"
            )
    return bounds


def _numeric_bound(entries: Entries, key: str) -> float:
    value = entries[key]
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise _fail(entries, f"{key} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _fail(
            entries, f"{key} must be finite, got {value}; give the largest value that is publicly possible"
        )
    return number


def _integer_bound(entries: Entries, key: str) -> int:
    value = entries[key]
    number = _numeric_bound(entries, key)
    if number != math.floor(number):
        raise _fail(
            entries, f"{key} of an integer column must be a whole number, got {value!r}; or use kind: numeric"
        )
    whole = int(value)
    if not INT64_MIN <= whole <= INT64_MAX:
        raise _fail(
            entries, f"{key} must fit 64 bits ({INT64_MIN} to {INT64_MAX}), got {whole}; or use kind: numeric"
        )
    return whole


def _time_bound(entries: Entries, key: str) -> int:
    value, kind = entries[key], entries["kind"]
    unit = entries["time_unit"] or (DAY if kind is Kind.DATE else "us")
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        count = int(value)
    else:
        text = value.isoformat() if isinstance(value, date) else value
        if not isinstance(text, str):
            raise _fail(entries, f'{key} must be an ISO date such as "2020-01-31", in quotes, got {value!r}')
        cell = pa.array([text], pa.large_string())
        times = as_times(cell, unit=unit, tz=entries["tz"], wall_clock=kind is Kind.DATE)
        if not times.valid[0]:
            raise _fail(
                entries,
                f'{key} must be an ISO date such as "2020-01-31" or "2020-01-31T12:00:00", got {value!r}',
            )
        count = int(times.values[0])
    if abs(count) * NANOSECONDS[unit] > _LAST_NANOSECOND[unit]:
        raise _fail(
            entries, f"{key} {value!r} does not fit 64 bits in time_unit {unit}; use a coarser time_unit"
        )
    return count


# Two days of room at the end of int64, so that zone shifts cannot wrap; years 0 to 9999 otherwise.
_LAST_NANOSECOND = {
    unit: min(INT64_MAX * nanoseconds - 2 * NANOSECONDS[DAY], 292_000 * 366 * NANOSECONDS[DAY])
    for unit, nanoseconds in NANOSECONDS.items()
}
