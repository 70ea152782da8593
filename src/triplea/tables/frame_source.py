"""Tables that are already in memory: pyarrow, polars and pandas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from triplea.errors import TableError
from triplea.schema import Schema
from triplea.tables.pandas_columns import column_to_arrow, declared_type, stored_type
from triplea.tables.pandas_metadata import without_row_types
from triplea.tables.plain import plain_batches
from triplea.tables.restore import to_pandas, to_polars
from triplea.tables.source import BATCH_ROWS, Source, refuse_repeated


class ArrowSource(Source):
    """A pyarrow Table or RecordBatch."""

    container = "arrow"

    def __init__(self, table: pa.Table | pa.RecordBatch) -> None:
        self.name = type(table).__name__
        self._table = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
        self.layout = self._table.schema.remove_metadata()
        refuse_repeated(self.name, self.layout.names)

    @property
    def declared(self) -> pa.Schema:
        """The layout with the null type for columns that came from pandas in a type of its rows' choice."""
        return without_row_types(self._table.schema)

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield slices of the table; nothing is copied."""
        chosen = self._table.select(list(columns) or self.layout.names[:1])
        yield from plain_batches(iter(chosen.to_batches(batch_rows)), list(columns), batch_rows)


class PolarsSource(Source):
    """A polars DataFrame: polars types do not change with the rows, so all of them come back."""

    container = "polars"

    def __init__(self, frame: Any) -> None:
        import polars as pl

        if not isinstance(frame, pl.DataFrame):
            raise TableError("a polars LazyFrame has no rows yet. Pass frame.collect().")
        self.name = "polars DataFrame"
        self._frame = frame
        self.dtypes: dict[str, Any] = dict(frame.schema)
        self.layout = pa.schema([(name, _polars_type(name, kind)) for name, kind in self.dtypes.items()])

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield slices, converted one by one."""
        chosen = list(columns) or self.layout.names[:1]
        for start in range(0, self._frame.height, batch_rows):
            part = self._frame.slice(start, batch_rows).select(chosen).to_arrow()
            yield from plain_batches(iter(part.combine_chunks().to_batches()), list(columns), batch_rows)

    def delivered(self, table: pa.Table, schema: Schema) -> Any:
        """Return a polars DataFrame with the types that went in."""
        return to_polars(table, schema=schema, dtypes=self.dtypes)


class PandasSource(Source):
    """A pandas DataFrame.

    A numpy-typed column changes its type with its rows (integers with a null are floats), so such types
    do not come back: the schema says them. Categories, dates and extension types do.
    """

    container = "pandas"

    def __init__(self, frame: Any) -> None:
        names = [str(name) for name in frame.columns]
        self.name = "pandas DataFrame"
        refuse_repeated(self.name, names)
        # A shallow copy: columns added or replaced later do not reach an opened table.
        self._frame = frame.copy(deep=False)
        self._frame.columns = names
        self._labels = dict(zip(names, frame.columns, strict=True))
        self.dtypes: dict[str, Any] = dict(zip(names, self._frame.dtypes, strict=True))
        self.layout = pa.schema([(name, stored_type(kind)) for name, kind in self.dtypes.items()])

    @property
    def declared(self) -> pa.Schema:
        """The layout with the null type for every column whose type depends on rows."""
        return pa.schema([(name, declared_type(kind) or pa.null()) for name, kind in self.dtypes.items()])

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield slices, converted column by column."""
        chosen = list(columns) or self.layout.names[:1]
        for start in range(0, len(self._frame), batch_rows):
            part = self._frame.iloc[start : start + batch_rows]
            arrays = [column_to_arrow(part[name], self.layout.field(name).type) for name in chosen]
            batch = pa.RecordBatch.from_arrays(arrays, names=chosen)
            yield from plain_batches(iter([batch]), list(columns), batch_rows)

    def delivered(self, table: pa.Table, schema: Schema) -> Any:
        """Return a pandas DataFrame with the types and labels that went in."""
        frame = to_pandas(table, schema=schema, dtypes=self.dtypes)
        frame.columns = [self._labels.get(name, name) for name in frame.columns]
        return frame


def _polars_type(name: str, kind: Any) -> pa.DataType:
    import polars as pl

    if kind == pl.Object:
        return pa.list_(pa.null())
    try:
        return pl.Series(name, [], dtype=kind).to_arrow().type
    except Exception:  # polars raises its own panics for types that Arrow lacks
        return pa.list_(pa.null())
