"""DuckDB: results arrive as Arrow batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from triplea.errors import MissingExtra, TableError
from triplea.tables.source import FileStamp
from triplea.tables.sql import SqlQuery

_ROWS = 1 << 17


class DuckdbDriver:
    """Opens the file read-only."""

    def layout(self, query: SqlQuery) -> pa.Schema:
        """Return names and types of the query's result."""
        connection = _connect(query)
        try:
            return _reader(connection, query, " LIMIT 0").schema
        except Exception as error:  # the driver has many kinds; only those about the query's text are shown
            why = f": {_first_line(error)}" if type(error).__name__ in _ABOUT_THE_QUERY else ""
            raise TableError(
                f"{query.shown}: DuckDB cannot run the query{why}. It must be one SELECT."
            ) from None
        finally:
            connection.close()

    def rows(self, query: SqlQuery, layout: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the result as it is streamed."""
        connection = _connect(query)
        try:
            yield from _reader(connection, query)
        finally:
            connection.close()


_ABOUT_THE_QUERY = {"ParserException", "CatalogException", "BinderException"}


def _connect(query: SqlQuery) -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra(package="duckdb", extra="duckdb", purpose="Reading a DuckDB database") from None
    path = query.file.partition("?")[0]
    if path in ("", ":memory:"):
        return duckdb.connect()
    FileStamp.of(Path(path))
    try:
        return duckdb.connect(path, read_only=True)
    except duckdb.Error:
        raise TableError(
            f"{query.shown}: DuckDB cannot open the file. Is it a DuckDB database of a version that the "
            "installed duckdb reads, and does no other program hold it open for writing?"
        ) from None


def _reader(connection: Any, query: SqlQuery, ending: str = "") -> Any:
    # Without this, a name that is no table would be looked up among Python's variables.
    connection.execute("SET python_enable_replacements = false")
    result = connection.sql(f"SELECT * FROM (\n{query.select}\n){ending}")
    # The name changed in DuckDB 1.4.
    streamed = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
    return streamed(_ROWS)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")
