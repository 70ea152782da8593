"""The synthetic table on its way out: as the type that went in, or into a file."""

from __future__ import annotations

import gzip
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
    """Write a table as Parquet or CSV, by the ending of the path (.parquet, .csv, .csv.gz).

    A failure leaves no half-written file.
    """
    target = Path(path)
    try:
        _write(table, target)
    except OSError as error:
        if target.is_file():
            target.unlink()
        reason = error.strerror or "it cannot be opened"
        raise TableError(
            f"{target}: cannot be written: {reason}. Check the folder and its permissions."
        ) from None


def _write(table: pa.Table, target: Path) -> None:
    endings = "".join(target.suffixes[-2:]).lower()
    if endings.endswith(".parquet"):
        pq.write_table(table, target, compression="zstd")
    elif endings.endswith(".csv.gz"):
        with gzip.GzipFile(target, "wb", mtime=0) as zipped:
            _write_csv(table, cast(BinaryIO, zipped))
    elif endings.endswith(".csv"):
        with target.open("wb") as file:
            _write_csv(table, file)
    else:
        raise TableError(f"{target}: the ending must be .parquet, .csv or .csv.gz, got {target.suffix!r}.")


def _write_csv(table: pa.Table, file: BinaryIO) -> None:
    # Arrow writes every column name in quotes but refuses one that holds a quote; so the header is ours.
    header = ",".join(_quoted(name) for name in table.column_names) + "\n"
    file.write(header.encode())
    positions = [str(position) for position in range(table.num_columns)]
    texts = pa.table([_csv_column(column) for column in table.columns], names=positions)
    options = pa_csv.WriteOptions(include_header=False, quoting_style="needed")
    pa_csv.write_csv(texts, file, write_options=options)


def _csv_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    return column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',;\t|"\n\r') else name
