"""From what the user names to a source: a path, a data frame, an Arrow table or a query."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from triplea.errors import TableError
from triplea.tables.other_formats import LONGEST, refuse_other_formats
from triplea.tables.source import Source
from triplea.tables.sql import SqlQuery, SqlSource

_DATABASES = ("sqlite:", "duckdb:", "postgresql:", "postgres:")
_PARQUET_MAGIC = b"PAR1"


def parse_source(text: str, query: str | None = None) -> Path | SqlQuery:
    """Turn the words of a command line into a source: a path, or a database URL with its query."""
    if text.lower().startswith(_DATABASES):
        # The dataclass refuses an empty query with the cure.
        return SqlQuery(url=text, query=query or "")
    if "://" in text:
        scheme = text.partition("://")[0]
        raise TableError(
            f'"{scheme}://" cannot be read. Name a CSV or Parquet file, a folder of Parquet files, or '
            "a database (sqlite:///, duckdb:///, postgresql://)."
        )
    if query is not None:
        raise TableError(f"{text}: a query needs a database URL, for example sqlite:///{Path(text).name}.")
    return Path(text)


def open_source(source: Any) -> Source:
    """Return the reader for a source, or raise TableError; reads names and types, no rows."""
    if isinstance(source, Source):
        return source
    if isinstance(source, str):
        source = parse_source(source)
    if isinstance(source, os.PathLike):
        return _open_path(Path(source))
    if isinstance(source, SqlQuery):
        return SqlSource(source)
    if isinstance(source, pa.Table | pa.RecordBatch):
        from triplea.tables.frame_source import ArrowSource

        return ArrowSource(source)
    return _open_frame(source)


def _open_path(path: Path) -> Source:
    from triplea.tables.csv_source import CsvSource
    from triplea.tables.parquet_source import ParquetSource

    if path.is_dir() or path.suffix.lower() in (".parquet", ".pq"):
        return ParquetSource(path)
    start = _first_bytes(path)
    if start.startswith(_PARQUET_MAGIC):
        return ParquetSource(path)
    refuse_other_formats(path, start)
    return CsvSource(path)


def _first_bytes(path: Path) -> bytes:
    if not path.is_file():
        return b""  # the reader says what is wrong
    try:
        with path.open("rb") as file:
            return file.read(LONGEST)
    except OSError:
        return b""


def _open_frame(source: Any) -> Source:
    """Open a data frame; a library that was never imported cannot have made one."""
    from triplea.tables.frame_source import PandasSource, PolarsSource

    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(source, pandas.DataFrame):
        return PandasSource(source)
    if polars is not None and isinstance(source, polars.DataFrame | polars.LazyFrame):
        return PolarsSource(source)
    raise TableError(
        f"a table cannot be read from {type(source).__name__}. Pass a path (CSV file, Parquet file or folder "
        "of Parquet files), a pandas or polars DataFrame, a pyarrow Table, or SqlQuery(url=..., query=...)."
    )
