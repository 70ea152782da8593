"""Guess the kind of one column from its values, for the owner's draft."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.tables.draft_times import YEARS, from_time_texts, from_times
from triplea.tables.rounding import round_outward, round_outward_whole

_SPELLINGS_OF_NULL = ("", "na", "n/a", "nan", "null", "none", "?", "-")
_INTEGER = r"^\s*[+-]?[0-9]{1,18}\s*$"
_WHOLE = r"^-?[0-9]{1,15}\.0$"  # integers as pandas writes them from a column with nulls
_NUMBER = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_COMMA_NUMBER = r"^\s*[+-]?[0-9.]*[0-9](,[0-9]+)?\s*$"
_ZERO_LED = r"^\s*0[0-9]"
_DRESSED_NUMBER = r"^\s*[€$£¥]?\s*[+-]?[0-9][0-9., ']*[€$£¥%]?\s*$"
_ID_NAME = re.compile(r"(^|[_\W])(id|ids|uuid|guid|key|ssn|mrn)($|[_\W])|[a-z]I[dD]$", re.IGNORECASE)
_MOST_CATEGORIES = 1000
_MOST_CLASSES = 20
_MOST_DECIMALS = 6
_FEWEST_UNIQUE_TEXTS = 50
_WIDEST = 2**62
_LARGEST = 2**63 - 1
_COMMAS = "looks like numbers with a decimal comma: write them with a point, or they count as words"
_DRESSED = "looks like numbers with a unit or separators: write plain numbers, or they count as words"
_CODES = "leading zeros: taken for codes, which come back as they are"
_ROUNDED = "bounds rounded outward from the rows"
ROUTINE = (_ROUNDED, YEARS, _CODES)  # notes that ask for nothing
_TOO_WIDE = {"discover": True, "source": "observed", "note": "the range seen is too wide: give public bounds"}

Entry = dict[str, Any]


def draft_column(name: str, values: pa.ChunkedArray, *, is_target: bool, nulls_make_floats: bool) -> Entry:
    """Propose name, kind, bounds or categories, and nullability of one column.

    `nulls_make_floats` says that the container turns integers with nulls into floats.
    """
    present = _without_nulls(values)
    entry = {
        "name": name,
        **_proposal(name, present, len(present) < len(values), is_target, nulls_make_floats),
    }
    if len(present) < len(values) and entry["kind"] != "identifier":
        entry["nullable"] = True
    return {**entry, "source": "observed"}


def may_say_whose(entry: Entry) -> bool:
    """Whether a drafted column is called an id, and yet its many values do not name one row each."""
    if entry["kind"] not in ("integer", "categorical") or not _ID_NAME.search(entry["name"]):
        return False
    listed, width = len(entry.get("categories", ())), entry.get("upper", 0) - entry.get("lower", 0)
    return bool(entry.get("discover")) or max(listed, width) > _MOST_CLASSES


def _without_nulls(values: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if _is_text(values.type):
        spelled = pc.is_in(
            pc.utf8_lower(pc.utf8_trim_whitespace(values)), pa.array(_SPELLINGS_OF_NULL, values.type)
        )
        return values.filter(pc.invert(spelled)).drop_null()
    if pa.types.is_floating(values.type):
        return values.filter(pc.is_finite(values)).drop_null()
    return values.drop_null()


def _proposal(
    name: str, present: pa.ChunkedArray, nulls: bool, is_target: bool, nulls_make_floats: bool
) -> Entry:
    if len(present) == 0:
        return _of_no_value(present.type)
    if _is_text(present.type):
        return _from_text(name, present, is_target, nulls)
    if pa.types.is_boolean(present.type):
        return {"kind": "boolean"}
    if pa.types.is_date(present.type) or pa.types.is_timestamp(present.type):
        return from_times(present)
    return _from_any_number(name, present, is_target, whole_if_possible=nulls and nulls_make_floats)


def _of_no_value(stored: pa.DataType) -> Entry:
    """Only the storage type is known."""
    if pa.types.is_boolean(stored):
        return {"kind": "boolean"}
    note = "no value was seen: list the categories or give the bounds, or leave the column out"
    kinds = (
        (pa.types.is_date, "date"),
        (pa.types.is_timestamp, "datetime"),
        (pa.types.is_integer, "integer"),
        (_is_text, "categorical"),
    )
    kind = next((kind for matches, kind in kinds if matches(stored)), "numeric")
    return {"kind": kind, "discover": True, "source": "observed", "note": note}


def _from_any_number(name: str, present: pa.ChunkedArray, is_target: bool, whole_if_possible: bool) -> Entry:
    if pa.types.is_integer(present.type):
        return _from_integers(name, present, is_target)
    floats = present.cast(pa.float64(), safe=False)
    if whole_if_possible and _all_whole(floats):
        return _from_integers(name, floats.cast(pa.int64()), is_target)
    return _from_numbers(floats, _decimals(floats, single=present.type == pa.float32()))


def _from_text(name: str, texts: pa.ChunkedArray, is_target: bool, nulls: bool) -> Entry:
    texts = texts.cast(pa.large_string())
    words = pc.unique(pc.ascii_lower(pc.ascii_trim_whitespace(texts)))
    if set(words.slice(0, 3).to_pylist()) <= {"true", "false"}:
        return {"kind": "boolean"}
    return from_time_texts(texts) or _from_numerals(name, texts, is_target, nulls) or _noted(name, texts)


def _from_numerals(name: str, texts: pa.ChunkedArray, is_target: bool, nulls: bool) -> Entry | None:
    """Propose an entry for texts that are all numbers; None for others."""
    if _all_match(texts, _INTEGER):
        if bool(pc.any(pc.match_substring_regex(texts, _ZERO_LED)).as_py()):
            return {"note": _CODES, **_from_words(name, texts)}
        trimmed = pc.utf8_ltrim(pc.ascii_trim_whitespace(texts), characters="+")
        return _from_integers(name, trimmed.cast(pa.int64()), is_target)
    if nulls and _all_match(texts, _WHOLE):
        return _from_integers(name, texts.cast(pa.float64()).cast(pa.int64()), is_target)
    return _from_number_texts(texts) if _all_match(texts, _NUMBER) else None


def _noted(name: str, texts: pa.ChunkedArray) -> Entry:
    """Words, and whether they look like numbers that could be written as such."""
    numbers = ((_COMMA_NUMBER, _COMMAS), (_DRESSED_NUMBER, _DRESSED))
    note = next((note for pattern, note in numbers if _all_match(texts, pattern)), None)
    words = _from_words(name, texts)
    return words if note is None else {**words, "note": note}


def _from_words(name: str, texts: pa.ChunkedArray) -> Entry:
    distinct = pc.unique(texts)
    unique = len(distinct) == len(texts) > 1
    if unique and (_ID_NAME.search(name) or len(texts) >= _FEWEST_UNIQUE_TEXTS):
        return {
            "kind": "identifier",
            "note": "every value seen is different: names one row, so it is left out",
        }
    if len(distinct) > _MOST_CATEGORIES:
        note = f"more than {_MOST_CATEGORIES} values: list the public ones, or discover them under the budget"
        return {"kind": "categorical", "discover": True, "source": "observed", "note": note}
    return {"kind": "categorical", "categories": sorted(distinct.to_pylist()), "source": "observed"}


def _from_integers(name: str, values: pa.ChunkedArray, is_target: bool) -> Entry:
    distinct = pc.count_distinct(values).as_py()
    if distinct == len(values) > 1 and _ID_NAME.search(name):
        return {
            "kind": "identifier",
            "note": "every value seen is different: names one row, so it is left out",
        }
    if distinct <= (_MOST_CLASSES if is_target else 2):
        return {
            "kind": "categorical",
            "categories": sorted(pc.unique(values).to_pylist()),
            "source": "observed",
        }
    ends = pc.min_max(values).as_py()
    if ends["max"] > _LARGEST:
        return _from_numbers(values.cast(pa.float64(), safe=False), 0)
    lower, upper = round_outward_whole(ends["min"], ends["max"])
    if upper - lower >= _WIDEST:
        return {"kind": "integer", **_TOO_WIDE}
    return {"kind": "integer", "lower": lower, "upper": upper, "source": "observed", "note": _ROUNDED}


def _from_numbers(floats: pa.ChunkedArray, decimals: int | None) -> Entry:
    ends = pc.min_max(floats).as_py()
    lower, upper = round_outward(ends["min"], ends["max"])
    if not np.isfinite(upper - lower):
        return {"kind": "numeric", **_TOO_WIDE}
    entry = {"kind": "numeric", "lower": lower, "upper": upper, "source": "observed", "note": _ROUNDED}
    return entry if decimals is None else {**entry, "decimals": decimals}


def _from_number_texts(texts: pa.ChunkedArray) -> Entry:
    trimmed = pc.utf8_ltrim(pc.ascii_trim_whitespace(texts), characters="+")
    floats = trimmed.cast(pa.float64())
    finite = floats.filter(pc.is_finite(floats))
    if len(finite) == 0:
        return {
            "kind": "numeric",
            "discover": True,
            "source": "observed",
            "note": "no number that can be held",
        }
    return _from_numbers(finite, _decimals(finite, single=False))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _all_match(texts: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _all_whole(floats: pa.ChunkedArray) -> bool:
    within = pc.less(pc.abs(floats), float(2**53))
    return bool(pc.all(pc.and_(pc.equal(floats, pc.round(floats)), within)).as_py())


def _decimals(floats: pa.ChunkedArray, *, single: bool) -> int | None:
    """Return the least number of decimals that writes every value, if it is small."""
    numbers = floats.to_numpy()
    kind = np.float32 if single else np.float64
    with np.errstate(over="ignore", invalid="ignore"):
        for decimals in range(_MOST_DECIMALS + 1):
            if np.array_equal(np.round(numbers, decimals).astype(kind), numbers.astype(kind)):
                return decimals
    return None
