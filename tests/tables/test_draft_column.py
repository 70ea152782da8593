from __future__ import annotations

from datetime import date, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.schema import Column
from triplea.tables.draft_column import draft_column, may_say_whose


def draft(values: list[object] | pa.Array, name: str = "x", **options: bool) -> dict[str, object]:
    array = values if isinstance(values, pa.Array) else pa.array(values)
    chosen = {"is_target": False, "nulls_make_floats": False, **options}
    entry = draft_column(name, pa.chunked_array([array]), **chosen)
    Column(**entry)
    return entry


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([17, 90, 33], {"kind": "integer", "lower": 15, "upper": 90}),
        (["17", " 90", "+33"], {"kind": "integer", "lower": 15, "upper": 90}),
        ([0, 1, 1], {"kind": "categorical", "categories": [0, 1]}),
        ([1, 5], {"kind": "categorical", "categories": [1, 5]}),
        (["0.5", "12", "1e1"], {"kind": "numeric", "lower": 0.0, "upper": 12.0, "decimals": 1}),
        ([0.125, 3.0], {"kind": "numeric", "lower": 0.0, "upper": 3.0, "decimals": 3}),
        ([True, False], {"kind": "boolean"}),
        (["True", "false"], {"kind": "boolean"}),
        (["b", "a", "b"], {"kind": "categorical", "categories": ["a", "b"]}),
        (["2020-05-04", "2021-02-03"], {"kind": "date", "lower": "2020-01-01", "upper": "2021-12-31"}),
        ([date(2020, 5, 4)], {"kind": "date", "lower": "2020-01-01", "upper": "2020-12-31"}),
        (["2020-05-04T10:00", "2020-05-04 11:00:30"], {"kind": "datetime", "time_unit": "s"}),
        (["2020-05-04T10:00:00.5Z"], {"kind": "datetime", "tz": "UTC"}),
        ([datetime(2020, 5, 4, 1)], {"kind": "datetime", "upper": "2020-12-31T23:59:59", "time_unit": "s"}),
    ],
)
def test_the_kind_is_guessed_from_the_values(values: list[object], expected: dict[str, object]) -> None:
    entry = draft(values)
    assert {key: entry.get(key) for key in expected} == expected
    assert "nullable" not in entry


@pytest.mark.parametrize("values", [[1, 2, 3], [1.5, 2.5], ["a", "b"], ["2020-01-01"], ["1.5"]])
def test_everything_taken_from_the_rows_says_observed(values: list[object]) -> None:
    assert draft(values)["source"] == "observed"


def test_nulls_and_their_spellings_make_a_column_nullable() -> None:
    for values in ([1, 2, 3, None], ["1", "2", "3", "NA"], ["a", "b", "?"], [0.5, float("nan"), 2.0]):
        assert draft(values)["nullable"] is True


def test_values_that_name_one_row_are_identifiers() -> None:
    assert draft([11, 12, 13], "patient_id")["kind"] == "identifier"
    assert draft([11, 12, 13], "patientId")["kind"] == "identifier"
    assert draft(["p1", "p2"], "ID")["kind"] == "identifier"
    assert draft([f"name {i}" for i in range(60)], "who")["kind"] == "identifier"
    assert draft([11, 12, 13, 13], "patient_id")["kind"] == "integer"
    assert draft([11, 12, 13], "width")["kind"] == "integer"


def test_decimal_commas_are_pointed_out() -> None:
    assert "decimal comma" in str(draft(["1,5", "20", "-1.000,25"])["note"])
    assert "note" not in draft(["a,b", "1,5"])
    assert "decimal comma" not in str(draft(["1.5", "20"])["note"])


@pytest.mark.parametrize(
    "values", [["€ 5", "7.50 €"], ["50%", "12.5 %"], ["1'000", "20"], ["$1,234.50", "$2"]]
)
def test_numbers_with_a_unit_or_separators_are_pointed_out(values: list[object]) -> None:
    assert "looks like numbers with a unit" in str(draft(values)["note"])
    assert "note" not in draft([*values, "five"])


def test_codes_with_leading_zeros_stay_text() -> None:
    codes = draft(["01067", "10115", "80331"], "postcode")
    assert (codes["kind"], codes["categories"]) == ("categorical", ["01067", "10115", "80331"])
    assert draft(["0", "10", "5"])["kind"] == "integer"
    assert draft([f"{code:05d}" for code in range(60)], "postcode")["note"].startswith("every value")  # type: ignore[attr-defined]


def test_an_id_that_repeats_may_say_whose_a_row_is() -> None:
    assert may_say_whose(draft(list(range(50)) * 2, "patient_id"))
    assert may_say_whose(draft([f"p{i}" for i in range(50)] * 2, "patientID"))
    assert not may_say_whose(draft(list(range(50)), "patient_id")), "one row each: left out already"
    assert not may_say_whose(draft(list(range(50)) * 2, "age"))
    assert not may_say_whose(draft([1, 2, 3] * 30, "payment_id")), "three values are a list of kinds"


def test_a_target_with_few_whole_values_is_a_list_of_classes() -> None:
    assert draft([1, 2, 3, 3], is_target=True)["categories"] == [1, 2, 3]
    assert draft(list(range(50)), is_target=True)["kind"] == "integer"


def test_integers_that_a_null_made_floats_are_integers_again_where_the_container_does_that() -> None:
    values = pa.array([1.0, None, 40.0, 7.0])
    assert draft(values, nulls_make_floats=True)["kind"] == "integer"
    assert draft(values)["kind"] == "numeric"
    written = ["1.0", None, "40.0", "7.0"]
    assert draft(written)["kind"] == "integer", "as pandas writes them to a file"
    assert draft(written, "patient_id")["kind"] == "identifier"
    assert draft(["1.0", "40.0", "7.0"])["kind"] == "numeric"


def test_a_range_that_no_schema_can_hold_is_left_to_the_owner() -> None:
    assert draft([-(2**63), 0, 2**63 - 1])["discover"] is True
    assert draft([-1.7e308, 1.7e308])["discover"] is True


def test_a_column_of_very_many_values_and_one_without_any_are_left_to_discovery() -> None:
    many = draft([f"word {i % 2500}" for i in range(5000)])
    assert many["discover"] is True
    assert "categories" not in many
    assert draft(pa.nulls(3).cast(pa.string()))["discover"] is True


ANYTHING = st.one_of(
    st.lists(st.one_of(st.none(), st.text(max_size=5))).map(
        lambda v: pa.array(v, pa.string()) if _ok(v) else None
    ),
    st.lists(st.one_of(st.none(), st.floats())).map(lambda v: pa.array(v, pa.float64())),
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))).map(lambda v: pa.array(v, pa.int64())),
    st.lists(st.datetimes()).map(lambda v: pa.array(v, pa.timestamp("us"))),
    st.lists(st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2})?", fullmatch=True)).map(pa.array),
    st.lists(st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,9}(e-?[0-9]{1,3})?", fullmatch=True)).map(pa.array),
).filter(lambda array: array is not None)


def _ok(values: list[str | None]) -> bool:
    return all(value is None or value.isprintable() for value in values)


@given(ANYTHING, st.booleans(), st.booleans())
def test_any_column_gives_an_entry_that_a_schema_takes(
    array: pa.Array, is_target: bool, floats: bool
) -> None:
    if pa.types.is_null(array.type):
        array = array.cast(pa.string())
    draft(array, is_target=is_target, nulls_make_floats=floats)
