from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from triplea.errors import TableError
from triplea.schema import Column, Kind, Schema
from triplea.tables import SqlQuery, open_table
from triplea.tables.sql import SqlSource

URL = "postgresql://ann:hunter2@db.example:5433/clinic?sslpassword=hunter3"


def test_no_text_form_shows_a_password_or_the_query() -> None:
    query = SqlQuery(url=URL, query="SELECT * FROM visits WHERE name = 'Jane'")
    for text in (repr(query), str(query), f"{query}", query.shown):
        assert "hunter" not in text
        assert "Jane" not in text
    assert query.shown == "postgresql://ann@db.example:5433/clinic"


@pytest.mark.parametrize(
    ("url", "shown", "file"),
    [
        ("sqlite:///x.db", "sqlite:///x.db", "x.db"),
        ("sqlite:////tmp/x.db?key=hunter2", "sqlite:////tmp/x.db", "/tmp/x.db?key=hunter2"),
        ("duckdb:///a/b.db", "duckdb:///a/b.db", "a/b.db"),
        ("duckdb://", "duckdb:///", ""),
        ("postgresql://u:p:w@h:notaport/x", "postgresql://...", None),
    ],
)
def test_urls_name_files_and_are_shown_without_options(url: str, shown: str, file: str | None) -> None:
    query = SqlQuery(url=url, query="SELECT 1")
    assert query.shown == shown
    if file is not None:
        assert query.file == file


@pytest.mark.parametrize("url", ["mysql://root:hunter2@h/x", "hunter2", "", "/tmp/x.db"])
def test_an_unknown_kind_of_database_is_refused_without_showing_the_url(url: str) -> None:
    with pytest.raises(TableError, match="must begin with sqlite:///, duckdb:/// or postgresql://") as caught:
        SqlQuery(url=url, query="SELECT 1")
    assert "hunter2" not in str(caught.value)


def test_an_empty_query_is_refused() -> None:
    with pytest.raises(TableError, match="the query is empty"):
        SqlQuery(url="sqlite:///x.db", query=" ; ")


def test_all_questions_see_the_rows_of_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (a, b)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(i, "x") for i in range(10)])
    source = SqlSource(SqlQuery(url=f"sqlite:///{path}", query="SELECT * FROM t;"))
    first = [row for batch in source.batches(["b", "a"], 4) for row in batch.to_pylist()]
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM t")
    database.close()
    assert first == [{"b": "x", "a": str(i)} for i in range(10)]
    assert [row for batch in source.batches(["b", "a"], 4) for row in batch.to_pylist()] == first


def test_a_private_table_of_a_query_shows_the_database_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    schema = Schema(columns=(Column(name="a", kind=Kind.INTEGER, lower=0, upper=9),))
    table = open_table(
        SqlQuery(url=f"sqlite:///{path}", query="SELECT a FROM t WHERE 'Jane' = 'Jane'"), schema=schema
    )
    assert repr(table) == f"PrivateTable(sql, sqlite:///{path})"
    assert table.container == "sql"
    assert list(table._arrow_batches(["a"])) == []
