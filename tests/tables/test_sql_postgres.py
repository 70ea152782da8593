from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest

from triplea.errors import MissingExtra, TableError
from triplea.schema import Column, Kind, Schema
from triplea.tables import SqlQuery, open_table
from triplea.tables.sql import SqlSource


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def _as_ordinary_user(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a server of this test's own, on a free port, with a password."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's initdb is not installed")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("running as root without runuser: PostgreSQL cannot be started")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="triplea-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    (folder / "password").write_text("hunter2")
    (folder / "password").chmod(0o644)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    control = [str(programs / "pg_ctl"), "-D", str(folder / "data"), "-w", "-l", str(folder / "log")]
    initdb = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", "ann", "-A", "scram-sha-256", "-N"]
    run = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
    try:
        subprocess.run(_as_ordinary_user([*initdb, f"--pwfile={folder / 'password'}", "-E", "UTF8"]), **run)
        subprocess.run(_as_ordinary_user([*control, "-o", options, "start"]), **run)
        try:
            yield f"postgresql://ann:hunter2@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run(_as_ordinary_user([*control, "-m", "immediate", "stop"]), **run)
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def visits(server: str) -> str:
    with psycopg.connect(server) as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('low', 'high')")
        connection.execute(
            'CREATE TABLE visits (id int, age smallint, "odd ""name" text, mood mood, paid numeric(8,2), '
            "day date, seen timestamptz, ok boolean, tags text[])"
        )
        connection.execute(
            "INSERT INTO visits VALUES (1, 42, E'a\\nb,\"c\"', 'low', 12.50, '2020-01-02', "
            "'2020-01-02 03:04:05.6+02', true, '{a}'), "
            "(2, NULL, '', NULL, 'NaN', 'infinity', '-infinity', NULL, NULL), "
            "(3, -5, NULL, 'high', 0, '0044-03-15 BC', '2020-01-01', false, NULL)"
        )
        connection.execute(
            "CREATE TABLE many AS SELECT i AS n, 'name ' || i AS s FROM generate_series(1, 300000) i"
        )
    return server


def source(url: str, query: str) -> SqlSource:
    return SqlSource(SqlQuery(url=url, query=query))


def test_declared_types_are_known_before_rows(visits: str) -> None:
    layout = source(visits, "SELECT * FROM visits;").layout
    assert layout.field("age").type == pa.int16()
    assert layout.field("seen").type == pa.timestamp("us", tz="UTC")
    assert [layout.field(name).type for name in ("mood", "tags", 'odd "name')] == [pa.string()] * 3


def test_rows_are_read_and_no_value_upsets_the_driver(visits: str) -> None:
    columns = ("age", 'odd "name', "mood", "seen", "ok")
    schema = Schema(
        columns=(
            Column(name="age", kind=Kind.INTEGER, lower=0, upper=120, nullable=True),
            Column(name='odd "name', kind=Kind.CATEGORICAL, categories=('a\nb,"c"', "z"), nullable=True),
            Column(name="mood", kind=Kind.CATEGORICAL, categories=("low", "high"), nullable=True),
            Column(name="paid", kind=Kind.NUMERIC, lower=0, upper=100, nullable=True),
            Column(name="day", kind=Kind.DATE, lower="1900-01-01", upper="2100-01-01", nullable=True),
            Column(
                name="seen",
                kind=Kind.DATETIME,
                lower="1900-01-01",
                upper="2100-01-01",
                nullable=True,
                tz="UTC",
            ),
            Column(name="ok", kind=Kind.BOOLEAN, nullable=True),
        )
    )
    query = SqlQuery(url=visits, query="SELECT * FROM visits ORDER BY id")
    table = open_table(query, schema=schema)
    assert "hunter2" not in repr(table) + repr(query)
    raw = pa.Table.from_batches(table._arrow_batches(schema.names))
    back = schema.decode(schema.encode(raw), types=table.types).select(columns).to_pylist()
    assert [back[0][name] for name in columns[:3]] == [42, 'a\nb,"c"', "low"]
    assert back[0]["seen"].isoformat() == "2020-01-02T01:04:05.600000+00:00"
    assert [row["ok"] for row in back] == [True, None, False]
    assert raw.column('odd "name').to_pylist() == ['a\nb,"c"', "", None]


def test_many_rows_are_streamed_in_batches(visits: str) -> None:
    found = source(visits, "SELECT * FROM many")
    numbers = [batch.column("n").cast(pa.string()).cast(pa.int64()) for batch in found.batches(["n"], 10_000)]
    assert max(len(part) for part in numbers) <= 10_000
    assert sum(pa.compute.sum(part).as_py() for part in numbers) == 300_000 * 300_001 // 2


def test_a_result_without_rows_is_a_table_without_rows(visits: str) -> None:
    assert list(source(visits, "SELECT * FROM visits WHERE false").batches(["age"])) == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT * FROM absent", 'relation "absent" does not exist'),
        ("SELEC 1", "syntax error"),
        ("DROP TABLE visits", "syntax error"),
        ("SELECT 1; SELECT 2", "syntax error"),
        ("SELECT id, id FROM visits", "columns 1 and 2 have the same name"),
    ],
)
def test_a_bad_query_is_refused_with_what_the_server_says_about_it(
    visits: str, query: str, words: str
) -> None:
    with pytest.raises(TableError, match=words) as caught:
        source(visits, query)
    assert "hunter2" not in str(caught.value)


def test_a_query_cannot_write(visits: str) -> None:
    with psycopg.connect(visits) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM visits RETURNING 1'"
        )
    with pytest.raises(TableError, match="held back"):
        list(source(visits, "SELECT wipe() AS a").batches(["a"]))


def test_an_error_while_rows_are_read_never_quotes_them(visits: str) -> None:
    found = source(visits, "SELECT s::int AS a FROM many")
    with pytest.raises(TableError, match="Its message is held back") as caught:
        list(found.batches(["a"]))
    assert "name 1" not in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_failed_connection_shows_where_but_never_the_password(server: str) -> None:
    for url in (server.replace("hunter2", "wrong-hunter"), "postgresql://ann:hunter2@127.0.0.1:1/postgres"):
        with pytest.raises(TableError, match="cannot connect to PostgreSQL") as caught:
            source(url, "SELECT 1 AS a")
        assert "hunter" not in str(caught.value)
        assert "postgresql://ann@127.0.0.1:" in str(caught.value)


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'triplea\[postgres\]'"):
        source("postgresql://localhost/x", "SELECT 1 AS a")
