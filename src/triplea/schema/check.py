"""The rules that one column's entries must follow. The first broken rule is the error.

Messages name the column, what was got, the rule and the cure; they quote the schema, never rows.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from triplea.errors import SchemaError
from triplea.schema.bounds import CURE_UNKNOWN, Entries, checked_bounds, failure
from triplea.schema.categories import as_text, category_type
from triplea.schema.dtypes import parse_dtype
from triplea.schema.kinds import BOUNDED, DISCRETE, LISTED, TIMED, Kind
from triplea.schema.parse import INT64_MAX, INT64_MIN
from triplea.schema.patterns import is_pattern
from triplea.schema.times import DAY, NANOSECONDS, is_time_zone

_MEANT = {
    "float": "numeric", "double": "numeric", "real": "numeric", "number": "numeric", "continuous": "numeric",
    "int": "integer", "count": "integer", "bool": "boolean", "binary": "boolean", "str": "categorical",
    "string": "categorical", "text": "categorical", "category": "categorical", "nominal": "categorical",
    "timestamp": "datetime", "time": "datetime", "day": "date", "id": "identifier", "key": "identifier",
}  # fmt: skip
_MAX_DECIMALS = 15


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean "x"?` for a near miss, else nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""


def named(columns: Sequence[str], most: int = 20) -> str:
    """Columns by name; of very many the first ones, and how many more there are.

    >>> named(["age", "sex", "ill"], most=2)
    'age, sex and 1 more'
    >>> named(["age", "height, cm"])
    'age, "height, cm"'
    """
    rest = len(columns) - most
    shown = ", ".join(_quoted_if_odd(column) for column in columns[:most])
    return shown + (f" and {rest:,} more" if rest > 0 else "")


def _quoted_if_odd(column: str) -> str:
    """A name that would be taken for several, or that would move a terminal's cursor, goes in quotes."""
    odd = "," in column or column != column.strip() or not column.isprintable()
    return json.dumps(column, ensure_ascii=not column.isprintable()) if odd else column


def checked(entries: Entries) -> dict[str, Any]:
    """The entries that change when brought to their one form. Raises on the first broken rule."""
    _check_name(entries)
    kind = _kind(entries)
    entries = {**entries, "kind": kind}
    changes: dict[str, Any] = {"kind": kind}
    _check_flags(entries)
    _check_texts(entries)
    _check_time_entries(entries)
    if kind in DISCRETE:
        changes["categories"] = _categories(entries)
    elif entries["categories"] is not None:
        raise failure(entries, f"categories do not apply to kind {kind}; remove them or change the kind")
    _check_other({**entries, **changes})
    if kind in BOUNDED:
        changes.update(checked_bounds(entries))
    elif entries["lower"] is not None or entries["upper"] is not None:
        raise failure(entries, f"lower and upper do not apply to kind {kind}; remove them or change the kind")
    _check_decimals(entries)
    return changes


def _check_name(entries: Entries) -> None:
    name = entries["name"]
    if not isinstance(name, str) or not name:
        raise SchemaError(f"a column's name must be non-empty text, got {name!r}; put it in quotes")


def _kind(entries: Entries) -> Kind:
    kind = entries["kind"]
    if isinstance(kind, str) and kind in list(Kind):
        return Kind(kind)
    word = str(kind).lower()
    hint = f'; did you mean "{_MEANT[word]}"?' if word in _MEANT else suggestion(word, Kind)
    raise failure(entries, f"kind must be one of {', '.join(Kind)}, got {kind!r}{hint}")


def _check_flags(entries: Entries) -> None:
    for key in ("nullable", "discover", "confirmed"):
        if not isinstance(entries[key], bool):
            raise failure(entries, f"{key} must be true or false, got {entries[key]!r}")


def _check_texts(entries: Entries) -> None:
    for key in ("source", "note", "dtype", "format", "tz", "time_unit"):
        if entries[key] is not None and not isinstance(entries[key], str):
            raise failure(entries, f"{key} must be text, got {entries[key]!r}; put it in quotes")
    if entries["dtype"] is not None:
        try:
            parse_dtype(entries["dtype"])
        except SchemaError as error:
            raise failure(entries, str(error)) from None


def _check_time_entries(entries: Entries) -> None:
    kind, unit, tz = entries["kind"], entries["time_unit"], entries["tz"]
    for key in ("time_unit", "tz", "format"):
        if entries[key] is not None and kind not in TIMED:
            raise failure(
                entries, f"{key} applies to datetime and date columns, not to kind {kind}; remove it"
            )
    allowed = [DAY] if kind is Kind.DATE else [known for known in NANOSECONDS if known != DAY]
    if unit is not None and unit not in allowed:
        raise failure(entries, f"time_unit of kind {kind} must be one of {', '.join(allowed)}, got {unit!r}")
    if tz is not None and kind is Kind.DATE:
        raise failure(entries, "tz does not apply to a date column; remove it or use kind: datetime")
    if tz is not None and not is_time_zone(tz):
        raise failure(
            entries, f'tz {tz!r} is not a time zone; use "Europe/Berlin", "UTC", "+01:00" or another'
        )
    if entries["format"] is not None and not is_pattern(entries["format"]):
        raise failure(
            entries, f'format {entries["format"]!r} must hold %Y, %m, %d, then %H, %M, %S, as in "%d/%m/%Y"'
        )


def _categories(entries: Entries) -> tuple[Any, ...] | None:
    given = entries["categories"]
    if entries["kind"] is Kind.BOOLEAN:
        if given is not None and not _is_false_and_true(given):
            raise failure(entries, f"a boolean column has the categories false and true, got {given!r}")
        return (False, True)
    if given is None:
        if not entries["discover"]:
            raise failure(entries, f"kind {entries['kind']} needs categories: {CURE_UNKNOWN}")
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise failure(entries, f"categories must be a list, got {given!r}")
    categories = tuple(value.item() if isinstance(value, np.generic) else value for value in given)
    if not categories:
        raise failure(entries, f"the list of categories is empty: {CURE_UNKNOWN}")
    for value in categories:
        _check_category(entries, value)
    _check_one_type(entries, categories)
    as_one_type = category_type(categories)
    categories = tuple(as_one_type(value) for value in categories)
    _check_distinct(entries, categories)
    return categories


def _is_false_and_true(given: Any) -> bool:
    return isinstance(given, list | tuple) and list(given) in ([False, True], [True, False])


def _check_category(entries: Entries, value: Any) -> None:
    if value is None:
        raise failure(entries, "null is not a category; remove it and set nullable: true")
    if not isinstance(value, str | int | float | bool):
        raise failure(entries, f"category {value!r} must be text, a number, true or false; put it in quotes")
    if isinstance(value, float) and not math.isfinite(value):
        raise failure(entries, f"category {value!r} is not finite; remove it, nullable: true allows missing")
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        raise failure(entries, f"category {value} does not fit 64 bits; write all categories in quotes")


def _check_one_type(entries: Entries, categories: tuple[Any, ...]) -> None:
    types = {type(value) for value in categories}
    if len(types) > 1 and types != {int, float}:
        first = categories[0]
        odd = next(value for value in categories if type(value) is not type(first))
        raise failure(entries, f"categories mix types ({first!r} and {odd!r}); write all of them in quotes")


def _check_distinct(entries: Entries, categories: tuple[Any, ...]) -> None:
    seen: set[Any] = set()
    for value in categories:
        if value in seen:
            raise failure(entries, f"category {value!r} is listed twice; remove one")
        seen.add(value)


def _check_other(entries: Entries) -> None:
    unknown, other = entries["unknown"], entries["other"]
    if unknown not in ("missing", "other"):
        raise failure(entries, f'unknown must be "missing" or "other", got {unknown!r}')
    if unknown == "missing":
        if other is not None:
            raise failure(entries, f"other: {other!r} has no effect; add unknown: other, or remove it")
        return
    if entries["kind"] not in LISTED:
        raise failure(entries, f"unknown: other does not apply to kind {entries['kind']}; remove it")
    name = "other" if other is None else other
    if entries["categories"] is not None and name not in entries["categories"]:
        raise failure(
            entries,
            f'unknown: other needs the category "{as_text(name)}"; add it, or name one with other: NAME',
        )


def _check_decimals(entries: Entries) -> None:
    decimals = entries["decimals"]
    if decimals is None:
        return
    if entries["kind"] is not Kind.NUMERIC:
        raise failure(
            entries, f"decimals applies to numeric columns, not to kind {entries['kind']}; remove it"
        )
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= _MAX_DECIMALS:
        raise failure(entries, f"decimals must be an integer from 0 to {_MAX_DECIMALS}, got {decimals!r}")
