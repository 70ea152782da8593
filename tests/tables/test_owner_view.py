from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from triplea.errors import TableError
from triplea.schema import Column, Kind, Schema, Unit
from triplea.tables.owner_view import read_all

AGE = Column(name="age", kind=Kind.INTEGER, lower=0, upper=120)
ID = Column(name="id", kind=Kind.IDENTIFIER)


def test_all_readable_columns_and_rows_are_there_for_the_owner() -> None:
    rows = pa.table({"id": [1, 1, 2], "age": [3, 4, 5], "nested": [[1], [2], [3]]})
    assert read_all(rows).to_pylist() == rows.select(["id", "age"]).to_pylist()


def test_with_a_schema_only_its_columns_are_read_and_nothing_is_bounded() -> None:
    rows = pa.table({"id": [1, 1, 2], "age": [3, 4, 5]})
    schema = Schema(columns=(AGE, ID), unit=Unit(column="id", max_rows=1))
    assert read_all(rows, schema).to_pylist() == [{"age": 3}, {"age": 4}, {"age": 5}]
    with pytest.raises(TableError, match='column "age"'):
        read_all(rows.drop_columns(["age"]), schema)


def test_a_table_without_rows_still_has_its_columns(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,id\n")
    assert read_all(tmp_path / "t.csv").schema == pa.schema([("age", pa.string()), ("id", pa.string())])
