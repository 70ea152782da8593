"""A query on a database as a table: SQLite, DuckDB or PostgreSQL.

The result is copied once, when the first question is asked, to a temporary file that has no name and is
gone when the process ends. So all questions see the same rows in the same order, and the database is
asked once. What a database says after the query has started may quote rows, so it is never passed on.
"""

from __future__ import annotations

import mmap
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import SplitResult, urlsplit, urlunsplit

import pyarrow as pa
import pyarrow.parquet as pq

from triplea.errors import TableError
from triplea.tables.parquet_source import read_parquet
from triplea.tables.plain import plain_type
from triplea.tables.source import BATCH_ROWS, Source, refuse_repeated

_SCHEMES = {"sqlite": "sqlite", "duckdb": "duckdb", "postgresql": "postgresql", "postgres": "postgresql"}


@dataclass(frozen=True, kw_only=True)
class SqlQuery:
    """A SELECT on a database, named by a URL; its text forms never show a password.

    URLs: `sqlite:///relative.db`, `sqlite:////absolute.db`, `duckdb:///file.db`, `duckdb://` (in memory,
    for queries on files) and `postgresql://user:password@host:port/database`.
    """

    url: str = field(repr=False)
    query: str = field(repr=False)

    def __post_init__(self) -> None:
        if self.scheme not in _SCHEMES:
            raise TableError(
                "the database URL must begin with sqlite:///, duckdb:/// or postgresql://, "
                "for example sqlite:///visits.db."
            )
        if not self.select:
            raise TableError(f'{self.shown}: the query is empty. Give one, such as "SELECT * FROM visits".')

    @property
    def scheme(self) -> str:
        """The part of the URL before the colon, in lower case."""
        return self.url.partition(":")[0].lower()

    @property
    def select(self) -> str:
        """The query without the semicolon at its end, so that it can stand inside another."""
        return self.query.strip().rstrip(";").strip()

    @property
    def file(self) -> str:
        """The file of a SQLite or DuckDB URL."""
        return re.sub(r"^\w+:(//)?/?", "", self.url, count=1)

    @property
    def shown(self) -> str:
        """The URL without password and options."""
        if _SCHEMES.get(self.scheme) != "postgresql":
            return f"{self.scheme}:///{self.file.partition('?')[0]}"
        try:
            parts = urlsplit(self.url)
            where = parts.hostname or ""
            where += f":{parts.port}" if parts.port else ""
        except ValueError:
            return "postgresql://..."
        who = _user(parts)
        return urlunsplit(("postgresql", f"{who}{where}", parts.path, "", ""))

    def __repr__(self) -> str:
        return f"SqlQuery({self.shown})"


class Driver(Protocol):
    """What one kind of database must offer."""

    def layout(self, query: SqlQuery) -> pa.Schema:
        """Return names and declared types without reading a row."""

    def rows(self, query: SqlQuery, layout: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the result; any exception is replaced by a constant text."""


class SqlSource(Source):
    """The result of a query, read once and kept in a nameless temporary file."""

    container = "sql"

    def __init__(self, query: SqlQuery) -> None:
        self.name = query.shown
        self._query = query
        self._driver = _driver(query.scheme)
        self.layout = self._driver.layout(query)
        self._copy: pa.Buffer | None = None
        if not self.layout.names:
            raise TableError(f"{self.name}: the query gives no columns. It must be a SELECT.")
        refuse_repeated(self.name, self.layout.names)

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the asked columns of the copy."""
        if self._copy is None:
            self._copy = self._copied()
        reader = pa.BufferReader(self._copy)
        layout = pq.read_schema(pa.BufferReader(self._copy))
        yield from read_parquet(reader, layout, columns, batch_rows)

    def _copied(self) -> pa.Buffer:
        # Columns of types that cannot be read are left out: `require_columns` has refused them already.
        kept = [part.name for part in self.layout if plain_type(part.type) is not None]
        with tempfile.TemporaryFile(prefix="triplea-") as file:
            try:
                self._write(file, kept)
            except Exception:  # whatever it was, its text may quote rows
                raise TableError(
                    f"{self.name}: the database stopped the query while it was reading rows. Its message is "
                    "held back, as it may quote rows: run the query in the database's own tool to see it."
                ) from None
            file.flush()
            return pa.py_buffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def _write(self, file: object, kept: list[str]) -> None:
        batches = self._driver.rows(self._query, self.layout)
        first = next(batches, None)
        empty = pa.schema([(name, pa.string()) for name in kept])
        with pq.ParquetWriter(file, empty if first is None else first.select(kept).schema) as writer:
            if first is not None:
                writer.write_batch(first.select(kept))
            for batch in batches:
                writer.write_batch(batch.select(kept))


def _driver(scheme: str) -> Driver:
    if _SCHEMES[scheme] == "sqlite":
        from triplea.tables.sql_sqlite import SqliteDriver

        return SqliteDriver()
    if _SCHEMES[scheme] == "duckdb":
        from triplea.tables.sql_duckdb import DuckdbDriver

        return DuckdbDriver()
    from triplea.tables.sql_postgres import PostgresDriver

    return PostgresDriver()


def _user(parts: SplitResult) -> str:
    return f"{parts.username}@" if parts.username else ""
