"""From what the user names to aligned rows: a release folder, a file of any tool, or a data frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.errors import TableError, UserError
from triplea.evaluate.rows import Field, Rows
from triplea.releases.discovery import stand_in
from triplea.results import Note
from triplea.schema import Column, Kind, Schema
from triplea.schema.kinds import TIMED
from triplea.tables.owner_view import read_all

PANDAS_INDEX = "__index_level_"  # pandas writes its row numbers into Parquet files under such names
ROLES = ("real training rows", "real test rows", "synthetic rows")


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The three tables over the same columns, and what was odd about them."""

    train: Rows
    test: Rows
    synthetic: Rows
    notes: tuple[Note, ...]


def locate(source: Any) -> Any:
    """Return what holds the rows: `data.parquet` of a release folder, a release's rows, or the source."""
    if isinstance(source, str | Path) and "://" not in str(source):
        path = Path(source)
        if not path.exists():
            raise TableError(f"{path}: there is no such file or folder")
        inside = path / "data.parquet"
        return inside if path.is_dir() and inside.is_file() else path
    # Asked of the class: a data frame answers `.rows` if it has a column of that name.
    return source.rows if hasattr(type(source), "rows") else source


def name_of(source: Any) -> str:
    """Return a short name for the source."""
    return Path(source).name if isinstance(source, str | Path) else type(source).__name__


def read_tables(train: Any, test: Any, synthetic: Any, *, schema: Schema) -> Tables:
    """Read all three tables and align them to the schema.

    Values outside of the schema's bounds are clamped; unknown categories and what cannot be read count as
    missing, also in columns that are not nullable: evaluation must see them.
    """
    found = [
        _read(locate(source), role, schema)
        for source, role in zip((train, test, synthetic), ROLES, strict=True)
    ]
    notes = []
    public = _open_ended(schema)
    for column in public.columns:
        if not column.is_known:
            public = public.replace_column(_observed(column, found[:2]))
            text = "the schema gives no categories or bounds: those of the real rows are used"
            notes.append(Note(code="observed-domain", text=text, level="info", column=column.name))
    aligned = [align(table, public) for table in found]
    notes += _unread(found[2], aligned[2])
    extra = _extra_columns(locate(synthetic), schema)
    if extra:
        text = f"columns of the synthetic table that are not in the schema are left out: {extra}"
        notes.append(Note(code="extra-columns", text=text, level="info"))
    return Tables(train=aligned[0], test=aligned[1], synthetic=aligned[2], notes=tuple(notes))


def align(table: pa.Table, schema: Schema) -> Rows:
    """Encode a table by the schema and turn codes into aligned rows. Missing is allowed in every column."""
    schema = _open_ended(schema)
    encoded = schema.encode(table)
    values = {}
    for column in schema.columns:
        codes = encoded[column.name]
        if column.is_discrete:
            values[column.name] = np.where(codes == column.missing_code, -1, codes).astype(np.int64)
        elif column.is_countable:
            counted = codes.astype(np.float64) + float(column.bounds[0])
            values[column.name] = np.where(codes == column.missing_code, np.nan, counted)
        else:
            values[column.name] = codes.astype(np.float64)
    return Rows(fields=tuple(field_of(column) for column in schema.columns), values=values)


def field_of(column: Column) -> Field:
    """Return what evaluation needs to know of a schema column."""
    if column.is_discrete:
        return Field(name=column.name, levels=tuple(str(value) for value in column.categories or ()))
    lower, upper = column.bounds
    return Field(
        name=column.name,
        lower=float(lower),
        upper=float(upper),
        whole=column.kind is not Kind.NUMERIC,
        time_unit=column.unit_of_time if column.kind in TIMED else None,
    )


def _read(source: Any, role: str, schema: Schema) -> pa.Table:
    try:
        table = read_all(source, schema)
    except UserError as error:
        raise TableError(f"{role}: {error}") from error
    if table.num_rows == 0:
        raise TableError(f"{role}: the table is empty; there is nothing to evaluate")
    return table


def _open_ended(schema: Schema) -> Schema:
    return replace(schema, columns=tuple(replace(column, nullable=True) for column in schema.columns))


def _observed(column: Column, tables: list[pa.Table]) -> Column:
    """Fill in categories or bounds from real rows, whose cells are read as a release reads them."""
    if column.is_discrete:
        cells = [table.column(column.name).unique().to_pylist() for table in tables]
        seen = {str(value) for values in cells for value in values if value is not None}
        return replace(column, categories=tuple(sorted(seen)) or ("missing",), discover=False)
    schema = stand_in(Schema(columns=(replace(column, nullable=True),)))
    codes = np.concatenate([schema.encode(table)[column.name] for table in tables])
    wide = schema.column(column.name)
    if not wide.is_countable:
        low, high = _ends(codes[~np.isnan(codes)])
        return replace(column, lower=low, upper=max(high, low + 1e-9), discover=False)
    low, high = _ends(codes[codes != wide.missing_code] + int(wide.bounds[0]))
    return replace(column, lower=int(low), upper=max(int(high), int(low) + 1), discover=False)


def _ends(codes: np.ndarray) -> tuple[Any, Any]:
    return (codes.min(), codes.max()) if codes.size else (0, 1)


def _unread(table: pa.Table, rows: Rows) -> list[Note]:
    """Notes on synthetic values that the schema does not know."""
    notes = []
    for name in rows.names:
        strange = int(rows.missing(name).sum()) - table.column(name).null_count
        if strange > 0:
            text = f"{strange} of {len(rows)} synthetic values are unknown to the schema and count as missing"
            notes.append(Note(code="unknown-values", text=text, column=name))
    return notes


def _extra_columns(source: Any, schema: Schema) -> list[str]:
    from triplea.tables.opening import open_source

    known = {*schema.names, *schema.all_dropped}
    names = (name for name in open_source(source).layout.names if name not in known)
    return [name for name in names if not name.startswith(PANDAS_INDEX)]
