"""The synthetic table on its way out: as the type that went in, or into a file."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from triplea.errors import TableError
from triplea.tables.private_table import PrivateTable


def deliver(table: pa.Table, like: PrivateTable) -> Any:
    """Return synthetic rows as the container that went in.

    pandas and polars give a DataFrame with their own types restored; CSV, Parquet, SQL and Arrow give an
    Arrow table. No type depends on the rows: see docs/guide/tables.md.
    """
    return like._source.delivered(table, like.schema)  # noqa: SLF001  (asks for types, not for rows)


def write_table(table: pa.Table, path: str | Path) -> None:
    """Write a table as Parquet or CSV, by the ending of the path (.parquet, .csv, .csv.gz)."""
    write_tables([table], path)


def write_tables(parts: Iterable[pa.Table], path: str | Path) -> int:
    """Write tables with the same columns one after the other into one file; return the number of rows.

    Only one part is held at a time. A failure leaves no half-written file.
    """
    target = Path(path)
    endings = "".join(target.suffixes[-2:]).lower()
    if not endings.endswith((".parquet", ".csv", ".csv.gz")):
        raise TableError(f"{target}: the ending must be .parquet, .csv or .csv.gz, got {target.suffix!r}.")
    try:
        return _write_parquet(parts, target) if endings.endswith(".parquet") else _write_csv(parts, target)
    except BaseException as error:
        if target.is_file():
            target.unlink()
        if not isinstance(error, OSError):
            raise
        reason = error.strerror or "it cannot be opened"
        raise TableError(
            f"{target}: cannot be written: {reason}. Check the folder and its permissions."
        ) from None


def _write_parquet(parts: Iterable[pa.Table], target: Path) -> int:
    rows, writer = 0, None
    try:
        for part in parts:
            writer = writer or pq.ParquetWriter(target, part.schema, compression="zstd")
            writer.write_table(part)
            rows += part.num_rows
    finally:
        if writer is not None:
            writer.close()
    return rows


def _write_csv(parts: Iterable[pa.Table], target: Path) -> int:
    rows = 0
    with ExitStack() as opened:
        file = cast(BinaryIO, opened.enter_context(target.open("wb")))
        if target.suffix.lower() == ".gz":
            # Neither name nor time go into the file, so that the same rows give the same bytes.
            file = cast(BinaryIO, opened.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0)))
        for number, part in enumerate(parts):
            if number == 0:
                # Arrow writes every name in quotes but refuses one that holds a quote; so the header is ours.
                file.write((",".join(_quoted(name) for name in part.column_names) + "\n").encode())
            positions = [str(position) for position in range(part.num_columns)]
            texts = pa.table([_csv_column(column) for column in part.columns], names=positions)
            options = pa_csv.WriteOptions(include_header=False, quoting_style="needed")
            pa_csv.write_csv(texts, file, write_options=options)
            rows += part.num_rows
    return rows


def _csv_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    return column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',;\t|"\n\r') else name
