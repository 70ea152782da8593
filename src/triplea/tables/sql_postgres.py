"""PostgreSQL: the result is streamed by COPY as CSV text, so no value can upset the driver."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any, BinaryIO, cast

import pyarrow as pa

from triplea.errors import MissingExtra, TableError
from triplea.tables.csv_header import Header
from triplea.tables.csv_source import read_rows
from triplea.tables.sql import SqlQuery

_BLOCK_BYTES = 1 << 25
_ROWS = 1 << 17
_TIMEOUT_SECONDS = 15
# Built-in types by their number in the catalog; every other type is read as text.
_TYPES = {
    16: pa.bool_(),
    21: pa.int16(),
    23: pa.int32(),
    20: pa.int64(),
    700: pa.float32(),
    701: pa.float64(),
    1700: pa.float64(),
    1082: pa.date32(),
    1114: pa.timestamp("us"),
    1184: pa.timestamp("us", tz="UTC"),
}
_WITH_ZONE = 1184


class PostgresDriver:
    """Reads in one read-only transaction, with dates as ISO text and times in UTC."""

    def layout(self, query: SqlQuery) -> pa.Schema:
        """Let the server parse the query, without running it, and return names and declared types."""
        fields = _describe(query)
        return pa.schema([(name, _TYPES.get(number, pa.string())) for name, number in fields])

    def rows(self, query: SqlQuery, layout: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the result as text, which the schema parses."""
        header = Header(names=tuple(layout.names), delimiter=",", end=0)
        columns = ", ".join(_as_text(part) for part in layout)
        statement = f"COPY (SELECT {columns} FROM (\n{query.select}\n) AS asked) TO STDOUT (FORMAT csv)"
        with (
            closing(_connect(query)) as connection,
            connection.cursor() as cursor,
            cursor.copy(statement) as copy,
        ):
            stream = cast(BinaryIO, _Blocks(copy))
            # COPY writes null as nothing and an empty text as a pair of quotes.
            yield from read_rows(
                stream,
                header,
                layout.names,
                _ROWS,
                block_bytes=_BLOCK_BYTES,
                ragged=Counter(),
                quoted_can_be_null=False,
            )


def _describe(query: SqlQuery) -> list[tuple[str, int]]:
    with closing(_connect(query)) as connection:
        server = connection.pgconn
        prepared = server.prepare(b"triplea", f"SELECT * FROM (\n{query.select}\n) AS asked".encode())
        if prepared.status not in _good():
            said = prepared.error_message.decode("utf-8", "replace").strip().partition("\n")[0]
            raise TableError(f"{query.shown}: PostgreSQL cannot run the query: {said}. Give one SELECT.")
        described = server.describe_prepared(b"triplea")
        return [
            (described.fname(i).decode("utf-8", "replace"), described.ftype(i))
            for i in range(described.nfields)
        ]


def _good() -> tuple[Any, ...]:
    from psycopg.pq import ExecStatus

    return (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def _connect(query: SqlQuery) -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingExtra(
            package="psycopg", extra="postgres", purpose="Reading a PostgreSQL database"
        ) from None
    try:
        connection = psycopg.connect(query.url, connect_timeout=_TIMEOUT_SECONDS, client_encoding="utf8")
        connection.read_only = True
        connection.execute("SET DateStyle TO ISO; SET TimeZone TO UTC; SET IntervalStyle TO iso_8601")
    except psycopg.Error:
        # The driver's text may hold the password.
        raise TableError(
            f"{query.shown}: cannot connect to PostgreSQL. Check that the server runs and can be reached, "
            "and check user, password (or ~/.pgpass) and the name of the database."
        ) from None
    return connection


def _as_text(part: pa.Field) -> str:
    quoted = '"' + part.name.replace('"', '""') + '"'
    return f"{quoted} AT TIME ZONE 'UTC'" if part.type == _TYPES[_WITH_ZONE] else quoted


class _Blocks(io.RawIOBase):
    """The blocks of a COPY as a byte stream."""

    def __init__(self, copy: Any) -> None:
        self._blocks = iter(copy)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at least one byte, or nothing at the end."""
        gathered, length = [self._rest], len(self._rest)
        while length < size or size < 0:
            block = next(self._blocks, None)
            if block is None:
                break
            gathered.append(bytes(block))
            length += len(block)
        whole = b"".join(gathered)
        out, self._rest = (whole, b"") if size < 0 else (whole[:size], whole[size:])
        return out
