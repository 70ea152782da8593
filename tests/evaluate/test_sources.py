from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from tests.evaluate.toys import arrow_of
from triplea.errors import TableError
from triplea.evaluate.rows import Rows
from triplea.evaluate.sources import align, field_of, locate, read_tables
from triplea.schema import Column, Kind, Schema, load_schema


def same(a: Rows, b: Rows) -> bool:
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.names)


def test_aligned_rows_hold_what_the_table_holds(train: Rows, schema: Schema) -> None:
    assert same(align(arrow_of(train), schema), train)


def test_csv_parquet_and_a_release_folder_read_alike(tmp_path: Path, train: Rows, schema: Schema) -> None:
    table = arrow_of(train)
    (tmp_path / "release").mkdir()
    places = [tmp_path / "t.csv", tmp_path / "t.parquet", tmp_path / "release"]
    pc.write_csv(table, places[0])
    pq.write_table(table, places[1])
    pq.write_table(table, places[2] / "data.parquet")
    for place in places:
        assert same(read_tables(table, table, place, schema=schema).synthetic, train), place.name


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nothing\.csv: there is no such file or folder"):
        locate(tmp_path / "nothing.csv")


def test_a_missing_column_names_the_table_and_the_column(train: Rows, schema: Schema) -> None:
    table = arrow_of(train)
    with pytest.raises(TableError, match=r"synthetic rows: .*ward"):
        read_tables(table, table, table.drop_columns(["ward"]), schema=schema)


def test_an_empty_table_is_refused(train: Rows, schema: Schema) -> None:
    table = arrow_of(train)
    with pytest.raises(TableError, match="synthetic rows: the table is empty; there is nothing to evaluate"):
        read_tables(table, table, table.slice(0, 0), schema=schema)


def test_unknown_values_are_missing_and_noted_even_where_null_is_not_allowed(
    train: Rows, schema: Schema
) -> None:
    table = arrow_of(train)
    strange = table.set_column(3, "ill", pa.array(["?"] * 3 + table["ill"].to_pylist()[3:]))
    found = read_tables(table, table, strange, schema=schema)
    assert found.synthetic.missing("ill").sum() == 3
    assert [(note.code, note.column) for note in found.notes] == [("unknown-values", "ill")]


def test_extra_columns_are_left_out_and_noted(train: Rows, schema: Schema) -> None:
    table = arrow_of(train)
    found = read_tables(table, table, table.append_column("note", table["ward"]), schema=schema)
    assert [note.code for note in found.notes] == ["extra-columns"]
    assert "note" not in found.synthetic.names


def test_row_numbers_that_pandas_wrote_are_no_news(train: Rows, schema: Schema) -> None:
    table = arrow_of(train)
    numbered = table.append_column("__index_level_0__", pa.array(range(table.num_rows)))
    assert read_tables(table, table, numbered, schema=schema).notes == ()


def test_a_schema_without_bounds_takes_them_from_the_real_rows(train: Rows) -> None:
    open_schema = load_schema(
        {
            "columns": [
                {"name": "age", "kind": "integer", "discover": True},
                {"name": "dose", "kind": "numeric", "discover": True, "nullable": True},
                {"name": "ward", "kind": "categorical", "discover": True, "nullable": True},
            ]
        }
    )
    table = arrow_of(train).drop_columns(["ill"])
    found = read_tables(table, table, table, schema=open_schema)
    assert found.train.field("ward").levels == ("a", "b", "c")
    assert found.train.field("age").upper == train["age"].max()
    assert [note.code for note in found.notes] == ["observed-domain"] * 3


def test_bounds_are_taken_from_cells_as_a_release_reads_them() -> None:
    open_schema = load_schema(
        {
            "columns": [
                {"name": "seen", "kind": "datetime", "time_unit": "s", "discover": True},
                {"name": "born", "kind": "date", "format": "%d.%m.%Y", "discover": True, "nullable": True},
                {"name": "dose", "kind": "numeric", "discover": True, "nullable": True},
                {"name": "never", "kind": "integer", "discover": True, "nullable": True},
            ]
        }
    )
    rows = {"seen": ["1969-12-31 23:59:50", "2021-01-01 10:00:00"], "born": ["01.02.1950", "n/a"]}
    table = pa.table({**rows, "dose": ["0.5", "n/a"], "never": pa.nulls(2, pa.string())})
    found = read_tables(table, table, table, schema=open_schema)
    ends = {field.name: (field.lower, field.upper) for field in found.train.fields}
    assert ends["seen"] == (-10, 1609495200)
    assert ends["born"][0] == -7274
    assert (ends["dose"][0], ends["never"]) == (0.5, (0, 1))
    assert np.isnan(found.train["dose"][1]) and np.isnan(found.train["never"]).all()


def test_dates_and_booleans_have_fields() -> None:
    day = field_of(Column(name="d", kind=Kind.DATE, lower="2020-01-01", upper="2020-12-31"))
    assert (day.whole, day.upper - day.lower) == (True, 365)
    assert field_of(Column(name="b", kind=Kind.BOOLEAN)).levels == ("False", "True")


def test_an_object_with_rows_is_a_release() -> None:
    class Release:
        rows = pa.table({"x": [1]})

    assert locate(Release()) is Release.rows
