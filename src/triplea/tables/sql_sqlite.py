"""SQLite through the standard library. Its values have types of their own, so all are read as text."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from triplea.errors import TableError
from triplea.tables.plain import MARKED
from triplea.tables.source import FileStamp
from triplea.tables.sql import SqlQuery

_ROWS = 1 << 16
# What SQLite says about the text of a query; everything else is held back.
_ABOUT_THE_QUERY = re.compile(
    r"no such (table|column|function)|near |incomplete input|unrecognized token|ambiguous"
)


class SqliteDriver:
    """Opens the file read-only."""

    def layout(self, query: SqlQuery) -> pa.Schema:
        """Compile the query and return its names; the type of every column is text."""
        try:
            with closing(_connect(query)) as connection:
                cursor = connection.execute(f"SELECT * FROM (\n{query.select}\n) LIMIT 0")
                names = [part[0] for part in cursor.description]
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            said = str(error)
            why = f": {said}" if _ABOUT_THE_QUERY.match(said) else ""
            raise TableError(
                f"{query.shown}: SQLite cannot run the query{why}. It must be one SELECT."
            ) from None
        return pa.schema([(name, pa.string()) for name in names])

    def rows(self, query: SqlQuery, layout: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the result as text."""
        with closing(_connect(query)) as connection:
            cursor = connection.execute(query.select)
            while fetched := cursor.fetchmany(_ROWS):
                columns = [
                    pa.array([_text(value) for value in column], pa.string())
                    for column in zip(*fetched, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=layout)


def _connect(query: SqlQuery) -> sqlite3.Connection:
    path = Path(query.file.partition("?")[0])
    FileStamp.of(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.text_factory = lambda raw: raw.decode("utf-8", MARKED)
    return connection


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", MARKED) if isinstance(value, bytes) else str(value)
