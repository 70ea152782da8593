import re
from typing import Any

import numpy as np
import pytest

from triplea.errors import SchemaError
from triplea.schema import Column, Kind
from triplea.schema.check import named, suggestion

LISTED = {"kind": "categorical", "categories": ["a", "b"]}
COUNTED = {"kind": "integer", "lower": 0, "upper": 9}
MEASURED = {"kind": "numeric", "lower": 0, "upper": 9}
TIMED = {"kind": "datetime", "lower": "2020-01-01", "upper": "2021-01-01"}

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"kind": "integr"}, "kind must be one of categorical, .*, got 'integr'; did you mean \"integer\"?"),
    ({"kind": "float"}, 'did you mean "numeric"?'),
    ({"kind": "bool"}, 'did you mean "boolean"?'),
    ({"kind": 7}, "kind must be one of"),
    (
        {"kind": "categorical"},
        "needs categories: give them, or set discover: true, or run `triplea schema draft`",
    ),
    ({"kind": "categorical", "categories": []}, "the list of categories is empty: give them"),
    ({"kind": "categorical", "categories": "ab"}, "categories must be a list, got 'ab'"),
    ({"kind": "categorical", "categories": 5}, "categories must be a list, got 5"),
    ({"kind": "categorical", "categories": ["a", "b", "a"]}, "category 'a' is listed twice; remove one"),
    ({"kind": "categorical", "categories": [1, 1.0]}, "category 1.0 is listed twice"),
    ({"kind": "categorical", "categories": ["a", None]}, "null is not a category; .* nullable: true"),
    ({"kind": "categorical", "categories": ["a", 1]}, "categories mix types ('a' and 1); .* in quotes"),
    ({"kind": "categorical", "categories": [True, "NO"]}, "categories mix types (True and 'NO')"),
    ({"kind": "categorical", "categories": [1.0, float("nan")]}, "category nan is not finite"),
    ({"kind": "categorical", "categories": [2**63]}, "does not fit 64 bits; write all categories in quotes"),
    ({"kind": "categorical", "categories": [["a"]]}, "must be text, a number, true or false"),
    ({"kind": "boolean", "categories": ["n", "y"]}, "has the categories false and true, got"),
    ({**LISTED, "lower": 1}, "lower and upper do not apply to kind categorical"),
    ({**COUNTED, "categories": [1, 2]}, "categories do not apply to kind integer"),
    ({**LISTED, "nullable": "yes"}, "nullable must be true or false, got 'yes'"),
    ({**LISTED, "discover": 1}, "discover must be true or false, got 1"),
    ({**LISTED, "unknown": "drop"}, 'unknown must be "missing" or "other", got \'drop\''),
    ({**LISTED, "unknown": "other"}, 'needs the category "other"; add it, or name one with other: NAME'),
    ({**LISTED, "unknown": "other", "other": "z"}, 'needs the category "z"'),
    ({**LISTED, "other": "a"}, "other: 'a' has no effect; add unknown: other"),
    ({**COUNTED, "unknown": "other"}, "unknown: other does not apply to kind integer"),
    ({**LISTED, "source": 5}, "source must be text, got 5"),
    ({**LISTED, "dtype": "itn32"}, "dtype 'itn32' is not an Arrow type name; use one such as int32"),
    ({**COUNTED, "tz": "UTC"}, "tz applies to datetime and date columns, not to kind integer"),
    ({**TIMED, "tz": "Europe/Berln"}, "tz 'Europe/Berln' is not a time zone; use \"Europe/Berlin\""),
    ({**TIMED, "kind": "date", "tz": "UTC"}, "tz does not apply to a date column"),
    ({**TIMED, "time_unit": "h"}, "time_unit of kind datetime must be one of s, ms, us, ns, got 'h'"),
    ({**TIMED, "kind": "date", "time_unit": "s"}, "time_unit of kind date must be one of D, got 's'"),
    ({**TIMED, "format": "%Y"}, "format '%Y' must hold %Y, %m, %d, then %H, %M, %S, as in \"%d/%m/%Y\""),
    ({**MEASURED, "decimals": 16}, "decimals must be an integer from 0 to 15, got 16"),
    ({**MEASURED, "decimals": -1}, "decimals must be an integer from 0 to 15, got -1"),
    ({**MEASURED, "decimals": 1.5}, "decimals must be an integer from 0 to 15, got 1.5"),
    ({**COUNTED, "decimals": 2}, "decimals applies to numeric columns, not to kind integer"),
]


@pytest.mark.parametrize(("entries", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_a_broken_rule_names_the_column_the_value_and_the_cure(entries: dict[str, Any], message: str) -> None:
    pattern = ".*".join(re.escape(part) for part in message.split(".*"))
    with pytest.raises(SchemaError, match=f'^column "who": .*{pattern}'):
        Column(name="who", **entries)


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_column_needs_a_name_that_is_text(name: Any) -> None:
    with pytest.raises(SchemaError, match="a column's name must be non-empty text"):
        Column(name=name, kind=Kind.BOOLEAN)


def test_entries_are_brought_to_one_form() -> None:
    mixed = Column(name="c", kind="ordinal", categories=[1, 2.5])  # type: ignore[arg-type]
    assert mixed.kind is Kind.ORDINAL
    assert mixed.categories == (1.0, 2.5)
    assert all(isinstance(category, float) for category in mixed.categories)
    from_numpy = Column(name="c", kind=Kind.CATEGORICAL, categories=tuple(np.array([3, 4])))
    assert [type(category) for category in from_numpy.categories or ()] == [int, int]
    assert Column(name="c", kind=Kind.BOOLEAN, categories=(True, False)).categories == (False, True)


def test_the_discover_flag_lets_categories_and_bounds_be_absent() -> None:
    assert not Column(name="c", kind=Kind.CATEGORICAL, discover=True).is_known
    assert not Column(name="c", kind=Kind.NUMERIC, discover=True, lower=0).is_known
    assert Column(name="c", kind=Kind.INTEGER, discover=True, lower=0, upper=1).is_known


def test_a_suggestion_is_made_for_near_misses_only() -> None:
    assert suggestion("nulable", ["nullable", "name"]) == '; did you mean "nullable"?'
    assert suggestion("zebra", ["nullable", "name"]) == ""


def test_very_many_columns_are_named_by_the_first_ones() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named(["a, b", "c ", "d\n", "\x1b[31me", "é"]) == r'"a, b", "c ", "d\n", "\u001b[31me", é'
    assert named([f"c{number}" for number in range(1021)]).endswith("c19 and 1,001 more")
