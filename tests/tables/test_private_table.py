from __future__ import annotations

import copy
import pickle
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from triplea.errors import SchemaError, TableError
from triplea.schema import Column, Kind, Schema, Unit
from triplea.tables import SqlQuery, open_table

ID = Column(name="id", kind=Kind.IDENTIFIER)
NAME = Column(name="name", kind=Kind.IDENTIFIER)
AGE = Column(name="age", kind=Kind.INTEGER, lower=0, upper=120)
SCHEMA = Schema(columns=(AGE,))
READERS = """__len__ __iter__ __getitem__ __next__ __contains__ __array__ __dataframe__ __arrow_c_stream__
__arrow_c_array__ __reversed__ __bool__ head tail to_pandas to_arrow to_numpy to_pylist read rows collect
schema_of columns shape num_rows sample""".split()


def test_private_table_has_no_public_reader() -> None:
    table = open_table(pa.table({"age": [42, 43]}), schema=SCHEMA)
    public = {name for name in dir(table) if not name.startswith("_")}
    assert public == {"container", "name", "path", "schema", "types"}
    assert not any(hasattr(table, name) for name in READERS)
    assert not any(callable(getattr(table, name)) for name in public - {"schema", "types"})
    for reads in (len, iter, list, pd.DataFrame, pa.table):
        with pytest.raises((TypeError, ValueError, NotImplementedError)):
            reads(table)


def test_its_text_and_types_show_no_row(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age\n42\n")
    table = open_table(tmp_path / "t.csv", schema=SCHEMA)
    assert repr(table) == str(table) == f"PrivateTable(csv, {tmp_path / 't.csv'})"
    assert table.path == tmp_path / "t.csv"
    assert table.types == pa.schema([("age", pa.string())])
    assert not hasattr(table, "__dict__")


def test_it_cannot_be_copied_or_pickled() -> None:
    table = open_table(pa.table({"age": [42]}), schema=SCHEMA)
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="its rows stay in this process"):
            leak(table)


def test_opening_reads_names_and_types_but_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("rows were read")

    monkeypatch.setattr("triplea.tables.frame_source.ArrowSource.batches", refuse)
    open_table(
        pa.table({"age": [1], "id": ["x"]}),
        schema=Schema(columns=(AGE, ID), unit=Unit(column="id", max_rows=1)),
    )


def test_missing_columns_and_unfit_types_are_refused_before_rows() -> None:
    with pytest.raises(TableError, match='column "age" of the schema is not in the table'):
        open_table(pa.table({"Age": [1]}), schema=SCHEMA)
    with pytest.raises(SchemaError, match="cannot be read from storage type date32"):
        open_table(pa.table({"age": pa.array([1], pa.date32())}), schema=SCHEMA)
    unit = Schema(columns=(AGE, ID), unit=Unit(column="id", max_rows=1))
    with pytest.raises(TableError, match='column "id"'):
        open_table(pa.table({"age": [1]}), schema=unit)


def test_every_batch_obeys_the_row_limit_of_the_unit_and_always_holds_the_same_rows() -> None:
    rows = pa.table({"id": [i % 10 for i in range(100)], "age": list(range(100))})
    schema = Schema(columns=(AGE, ID), unit=Unit(column="id", max_rows=3))
    table = open_table(rows, schema=schema)
    first, again = (
        [row for batch in table._arrow_batches(["id", "age"], size) for row in batch.to_pylist()]
        for size in (7, 50)
    )
    assert first == again
    assert Counter(row["id"] for row in first) == {unit: 3 for unit in range(10)}
    only_age = [row["age"] for batch in table._arrow_batches(["age"]) for row in batch.to_pylist()]
    assert only_age == [row["age"] for row in first]


def test_ragged_rows_do_not_shift_the_row_limit(tmp_path: Path) -> None:
    lines = ["id,age"] + [f"{i % 5},{i}" + (",x" if i % 3 == 0 else "") for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    schema = Schema(columns=(AGE, ID), unit=Unit(column="id", max_rows=2))
    table = open_table(tmp_path / "t.csv", schema=schema)
    kept = [row for batch in table._arrow_batches(["id", "age"], 4) for row in batch.to_pylist()]
    assert all(int(row["age"]) % 5 == int(row["id"]) for row in kept)
    assert Counter(row["id"] for row in kept) == {str(unit): 2 for unit in range(5)}


@pytest.mark.parametrize("kind", ["csv", "pandas", "binary", "sqlite"])
def test_ids_that_differ_in_bytes_that_are_no_text_are_different_units(kind: str, tmp_path: Path) -> None:
    """Else removing one person could move another one's row: twice what a unit of one row may."""
    ids = ["M\xfcller".encode("latin-1"), "M\xf6ller".encode("latin-1"), b"M", b"M\0"]
    schema = Schema(columns=(NAME, AGE), unit=Unit(column="name", max_rows=1))
    source: Any
    if kind == "csv":
        source = tmp_path / "rows.csv"
        source.write_bytes(b"name,age\n" + b"".join(name + b",1\n" for name in ids))
    elif kind == "pandas":
        names = [name.decode("utf-8", "surrogateescape") for name in ids]
        source = pd.DataFrame({"name": pd.Series(names, dtype=object), "age": 1})
    elif kind == "binary":
        source = pa.table({"name": pa.array(ids, pa.binary()), "age": [1] * 4})
    else:
        with sqlite3.connect(tmp_path / "rows.db") as connection:
            connection.execute("CREATE TABLE rows (name BLOB, age INTEGER)")
            connection.executemany("INSERT INTO rows VALUES (?, 1)", [(name,) for name in ids])
        source = SqlQuery(url=f"sqlite:///{tmp_path / 'rows.db'}", query="SELECT * FROM rows")
    table = open_table(source, schema=schema)
    assert sum(batch.num_rows for batch in table._arrow_batches(["age"])) == 4
