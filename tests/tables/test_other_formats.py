"""A file of another format is refused with the way out, instead of being read as one odd column."""

from __future__ import annotations

import bz2
import lzma
import sqlite3
import zipfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.feather
import pytest

from triplea.errors import TableError
from triplea.tables.opening import open_source


def _sqlite(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (name TEXT)")
    database.close()


def _duckdb(path: Path) -> None:
    duckdb.connect(str(path)).execute("CREATE TABLE t (name TEXT)").close()


def _workbook(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", "<row/>")


@pytest.mark.parametrize(
    ("name", "write", "words"),
    [
        ("ward.db", _sqlite, 'a SQLite database. Name it as "sqlite:///{path}", with a query'),
        ("ward.duckdb", _duckdb, 'a DuckDB database. Name it as "duckdb:///{path}", with a query'),
        ("ward.xlsx", _workbook, "an Excel workbook or a zip archive. Save the sheet as CSV"),
        ("ward.xls", lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0..."), "an old Excel workbook. Save"),
        ("ward.feather", lambda path: pa.feather.write_feather(pa.table({"a": [1]}), path), "an Arrow file."),
        ("ward.bz2", lambda path: path.write_bytes(bz2.compress(b"a,b\n")), "a bzip2 file. Unpack it"),
        ("ward.xz", lambda path: path.write_bytes(lzma.compress(b"a,b\n")), "an xz file. Unpack it"),
        ("ward.zst", lambda path: path.write_bytes(b"\x28\xb5\x2f\xfd..."), "a zstandard file. Unpack it"),
        ("ward.JSON", lambda path: path.write_text('[{"a": 1}]'), "this is JSON. Convert it to Parquet"),
    ],
)
def test_a_file_of_another_format_is_named_with_the_cure(tmp_path, name, write, words) -> None:
    path = tmp_path / name
    write(path)
    with pytest.raises(TableError) as caught:
        open_source(path)
    assert str(caught.value).startswith(f"{path}: this is ")
    assert words.format(path=path) in str(caught.value)
