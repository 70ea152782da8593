from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from triplea.errors import MissingExtra, TableError
from triplea.tables import SqlQuery
from triplea.tables.source import require_columns
from triplea.tables.sql import SqlSource


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "clinic.duckdb"
    connection = duckdb.connect(str(path))
    connection.execute("CREATE TYPE mood AS ENUM ('low', 'high')")
    connection.execute(
        "CREATE TABLE visits (id INTEGER, age UTINYINT, mood mood, day DATE, raw VARCHAR, span INTERVAL)"
    )
    connection.execute("INSERT INTO visits VALUES (1, 42, 'low', '2020-01-02', '7', INTERVAL 1 DAY)")
    connection.execute("INSERT INTO visits VALUES (2, NULL, NULL, NULL, 'Jane Secret', NULL)")
    connection.close()
    yield path


def source(path: Path, query: str) -> SqlSource:
    return SqlSource(SqlQuery(url=f"duckdb:///{path}", query=query))


def test_declared_types_are_known_before_rows_and_values_come_back(database: Path) -> None:
    found = source(database, "SELECT * FROM visits ORDER BY id;")
    assert found.layout.field("age").type == pa.uint8()
    assert found.layout.field("day").type == pa.date32()
    assert pa.types.is_dictionary(found.layout.field("mood").type)
    table = pa.Table.from_batches(found.batches(["mood", "age"], 1))
    assert table.to_pylist() == [{"mood": "low", "age": 42}, {"mood": None, "age": None}]


def test_an_interval_is_refused_only_where_it_is_asked_for(database: Path) -> None:
    found = source(database, "SELECT * FROM visits")
    require_columns(found, ["age"])
    with pytest.raises(TableError, match='column "span" has the type'):
        require_columns(found, ["span"])


def test_a_file_can_be_queried_without_a_database(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    found = SqlSource(SqlQuery(url="duckdb://", query=f"SELECT sum(a) AS total FROM '{tmp_path / 't.csv'}'"))
    assert next(found.batches(["total"])).to_pylist() == [{"total": 3}]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT * FROM absent", "DuckDB cannot run the query: Catalog Error: Table with name absent"),
        ("SELEC 1", "cannot run the query: Parser Error"),
        ("DROP TABLE visits", "must be one SELECT"),
    ],
)
def test_a_bad_query_is_refused_with_what_duckdb_says_about_it(
    database: Path, query: str, words: str
) -> None:
    with pytest.raises(TableError, match=words):
        source(database, query)


def test_a_name_given_twice_is_made_different_by_duckdb(database: Path) -> None:
    found = source(database, "SELECT id AS a, age AS a FROM visits")
    assert len(set(found.layout.names)) == 2
    assert sum(batch.num_rows for batch in found.batches(found.layout.names)) == 2


def test_python_variables_are_no_tables(database: Path) -> None:
    secret_frame = pa.table({"a": [1]})
    assert secret_frame.num_rows == 1
    with pytest.raises(TableError, match="Table with name secret_frame does not exist"):
        source(database, "SELECT * FROM secret_frame")


def test_an_error_while_rows_are_read_never_quotes_them(database: Path) -> None:
    found = source(database, "SELECT CAST(raw AS INTEGER) AS a FROM visits")
    with pytest.raises(TableError, match="Its message is held back") as caught:
        list(found.batches(["a"]))
    assert "Jane" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_file_that_is_no_duckdb_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("no database" * 1000)
    with pytest.raises(TableError, match="DuckDB cannot open the file"):
        source(tmp_path / "no.db", "SELECT 1 AS a")


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtra, match=r"pip install 'triplea\[duckdb\]'"):
        SqlSource(SqlQuery(url="duckdb://", query="SELECT 1 AS a"))
