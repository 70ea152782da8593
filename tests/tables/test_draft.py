from __future__ import annotations

from datetime import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triplea.errors import TableError
from triplea.schema import load_schema
from triplea.tables.check import check_table
from triplea.tables.draft import GARBLED, WHOSE, draft_schema

ROWS = pa.table(
    {
        "patient": pa.array([1, 1, 1, 2, 2, 3]),
        "age": pa.array([20, 40, 60, 80, 100, 127], pa.int8()),
        "ward": pa.array(["a", "b", None, "a", "b", "a"]).dictionary_encode(),
        "dose": pa.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0], pa.float32()),
        "died": pa.array([0, 1, 2, 0, 1, 2]),
    }
)


def entries(draft: dict[str, object]) -> dict[str, dict[str, object]]:
    return {entry["name"]: entry for entry in draft["columns"]}  # type: ignore[attr-defined]


def test_a_draft_is_a_schema_that_knows_it_was_read_off_the_rows(tmp_path: Path) -> None:
    pq.write_table(ROWS, tmp_path / "clinic.parquet")
    draft = draft_schema(tmp_path / "clinic.parquet", target="died", unit="patient")
    schema = load_schema(draft)
    assert schema.name == "clinic"
    assert schema.target == "died"
    assert set(schema.observed) == {"age", "ward", "dose", "died"}
    assert "must be confirmed" in str(draft["notes"])
    assert schema.unit is not None
    assert (schema.unit.column, schema.unit.max_rows) == ("patient", 5)
    assert schema.unit.is_observed, "how many rows people have was read off the rows as well"


def test_an_id_that_repeats_is_named_unless_the_owner_said_whose_rows_they_are() -> None:
    visits = pa.table({"patient_id": [1000 + i // 2 for i in range(100)], "age": list(range(100))})
    assert entries(draft_schema(visits))["patient_id"]["note"] == WHOSE
    assert WHOSE not in str(draft_schema(visits, unit="patient_id"))


def test_nothing_of_a_draft_passes_for_public_knowledge() -> None:
    """Whether truth values are ever missing, and that no two ids are equal, are facts about rows."""
    table = pa.table(
        {
            "sick": pa.array([True, None] * 30),
            "told": ["yes", "no"] * 30,
            "well": [True, False] * 30,
            "key": [f"p{i}" for i in range(60)],
        }
    )
    schema = load_schema(draft_schema(table))
    assert schema.column("sick").nullable and not schema.column("well").nullable
    assert [column.name for column in schema.dropped] == ["key"]
    assert set(schema.observed) == {"sick", "told", "well", "key"}


def test_a_typed_container_has_its_types_recorded_and_bounds_stay_inside_them() -> None:
    found = entries(draft_schema(ROWS))
    assert {name: entry["dtype"] for name, entry in found.items() if "dtype" in entry} == {
        "patient": "int64",
        "age": "int8",
        "ward": "dictionary",
        "dose": "float",
        "died": "int64",
    }
    assert found["age"]["upper"] == 127


def test_a_csv_file_and_pandas_floats_record_no_type_that_rows_decided(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,day\n20,2020-01-01\n30,2021-01-01\n40,\n")
    found = entries(draft_schema(tmp_path / "t.csv"))
    assert found["age"]["kind"] == "integer"
    assert found["day"]["kind"] == "date"
    assert not any("dtype" in entry for entry in found.values())
    assert "dtype" not in entries(draft_schema(pd.DataFrame({"a": [1.0, 2.0, 7.0, np.nan]})))["a"]


def test_rows_fit_the_schema_that_was_drafted_from_them(tmp_path: Path) -> None:
    assert check_table(ROWS, load_schema(draft_schema(ROWS))) == []


def test_letters_of_another_encoding_are_pointed_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("town,straße,age\nKöln,Ring,30\nBonn,Ring,40\n".encode("latin-1"))
    notes = [column.get("note") for column in draft_schema(tmp_path / "t.csv")["columns"][:2]]
    assert notes == [GARBLED, GARBLED]
    (tmp_path / "t.csv").write_text("town,straße,age\nKöln,Ring,30\nBonn,Ring,40\n", encoding="utf-8")
    assert GARBLED not in str(draft_schema(tmp_path / "t.csv"))


def test_a_table_without_rows_has_nothing_to_draft_from() -> None:
    with pytest.raises(TableError, match="has no rows to draft a schema from .* or write the schema by hand"):
        draft_schema(ROWS.slice(0, 0))


def test_types_that_no_kind_holds_are_left_out_and_named() -> None:
    odd = {
        "visits": pa.array([[1, 2], [3]]),
        "woke": pa.array([time(6), time(7)]),
        "address": pa.array([{"street": "a"}, {"street": "b"}]),
        "age": pa.array([20, 40]),
    }
    found = entries(draft_schema(pa.table(odd)))
    assert [name for name, entry in found.items() if entry["kind"] == "identifier"] == [
        "visits",
        "woke",
        "address",
    ]
    assert "no kind holds the type time64[us]" in str(found["woke"]["note"])


def test_columns_without_a_value_keep_to_their_type_and_load() -> None:
    kinds = {
        "number": (pa.float64(), "numeric"),
        "count": (pa.int32(), "integer"),
        "day": (pa.date32(), "date"),
        "moment": (pa.timestamp("us"), "datetime"),
        "word": (pa.string(), "categorical"),
        "nothing": (pa.null(), "categorical"),
        "flag": (pa.bool_(), "boolean"),
    }
    draft = draft_schema(pa.table({name: pa.nulls(3, kind) for name, (kind, _) in kinds.items()}))
    load_schema(draft)
    found = entries(draft)
    assert {name: entry["kind"] for name, entry in found.items()} == {
        name: kind for name, (_, kind) in kinds.items()
    }
    assert "dtype" not in found["nothing"]


def test_integers_beyond_64_bits_with_a_sign_become_numbers() -> None:
    draft = draft_schema(pa.table({"serial": pa.array([2**64 - 1, 2**63, 5], pa.uint64())}))
    assert load_schema(draft).column("serial").kind == "numeric"


def test_an_ordered_dictionary_becomes_ordinal_in_its_order() -> None:
    ordered = pa.DictionaryArray.from_arrays(
        pa.array([2, 0, 0], pa.int8()), pa.array(["low", "middle", "high"]), ordered=True
    )
    found = entries(draft_schema(pa.table({"risk": ordered})))["risk"]
    assert (found["kind"], found["categories"]) == ("ordinal", ["low", "high"])
    assert found["dtype"] == "dictionary<values=string, indices=int8, ordered=1>"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("note", "cannot be predicted: every value seen is different"),
        ("whose", "cannot be predicted: it says whose row it is"),
        ("spans", "cannot be predicted: left out: no kind holds the type list"),
    ],
)
def test_a_target_that_would_be_left_out_is_refused(target: str, words: str) -> None:
    table = pa.table({"note": [f"note {i}" for i in range(60)], "whose": [1, 2] * 30, "spans": [[1]] * 60})
    with pytest.raises(TableError, match=words):
        draft_schema(table, target=target, unit="whose")


def test_a_target_or_unit_that_is_no_column_is_refused() -> None:
    with pytest.raises(TableError, match='the target "dead" is not a column'):
        draft_schema(ROWS, target="dead")
    with pytest.raises(TableError, match='the unit "who" is not a column'):
        draft_schema(ROWS, unit="who")


@pytest.mark.parametrize("name", ["adult", "cervical", "diabetes", "phishing"])
def test_public_data_sets_fit_their_draft(data_folder: Path, name: str) -> None:
    path = data_folder / f"{name}.parquet"
    assert check_table(path, load_schema(draft_schema(path))) == []
