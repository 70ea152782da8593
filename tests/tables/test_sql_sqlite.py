from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from triplea.errors import TableError
from triplea.tables import SqlQuery
from triplea.tables.sql import SqlSource


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "clinic.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute('CREATE TABLE visits (id INTEGER, age INT, "odd ""name" TEXT, note BLOB)')
        rows = [
            (1, 42, "x", b"ok"),
            (2, "not a number", None, b"\xff"),
            (3, 2.5, "é", None),
            (4, 2**62, "", b""),
        ]
        connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO visits VALUES (5, 1, CAST(x'ff41' AS TEXT), NULL)")
    yield path


def source(path: Path, query: str) -> SqlSource:
    return SqlSource(SqlQuery(url=f"sqlite:///{path}", query=query))


def test_every_value_is_text_so_that_no_type_depends_on_a_row(database: Path) -> None:
    found = source(database, "SELECT * FROM visits ORDER BY id -- a remark")
    assert set(found.layout.types) == {pa.string()}
    table = pa.Table.from_batches(found.batches(found.layout.names, 2))
    assert table.column("age").to_pylist() == ["42", "not a number", "2.5", str(2**62), "1"]
    assert table.column('odd "name').to_pylist() == ["x", None, "é", "", "\ufffd\ue4ffA"]
    assert table.column("note").to_pylist() == ["ok", "\ufffd\ue4ff", None, "", None]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT * FROM absent", "SQLite cannot run the query: no such table: absent"),
        ("SELEC 1", "cannot run the query: near"),
        ("DELETE FROM visits", "must be one SELECT"),
        ("SELECT 1; SELECT 2", "must be one SELECT"),
    ],
)
def test_a_bad_query_is_refused_with_what_sqlite_says_about_it(
    database: Path, query: str, words: str
) -> None:
    with pytest.raises(TableError, match=words):
        source(database, query)


def test_a_name_given_twice_is_made_different_by_sqlite(database: Path) -> None:
    found = source(database, "SELECT id, id FROM visits")
    assert len(set(found.layout.names)) == 2
    assert sum(batch.num_rows for batch in found.batches(found.layout.names)) == 5


def test_an_error_while_rows_are_read_is_a_constant_text(database: Path) -> None:
    found = source(
        database, "SELECT abs(CASE WHEN id = 4 THEN -9223372036854775808 ELSE age END) AS a FROM visits"
    )
    with pytest.raises(TableError, match="Its message is held back") as caught:
        list(found.batches(["a"]))
    assert "overflow" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_file_is_opened_read_only_and_must_be_there(database: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="No such file"):
        source(tmp_path / "absent.db", "SELECT 1 AS a")
    assert not (tmp_path / "absent.db").exists()
    (tmp_path / "no.db").write_text("this is no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(TableError, match="cannot run the query"):
        source(tmp_path / "no.db", "SELECT * FROM sqlite_master")
