"""Give a synthetic Arrow table back as a data frame with the types that went in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.schema import Column, Schema
from triplea.tables.pandas_columns import declared_type

_NULLABLE = {
    pa.int8(): "Int8",
    pa.int16(): "Int16",
    pa.int32(): "Int32",
    pa.int64(): "Int64",
    pa.uint8(): "UInt8",
    pa.uint16(): "UInt16",
    pa.uint32(): "UInt32",
    pa.uint64(): "UInt64",
    pa.bool_(): "boolean",
}


def to_pandas(table: pa.Table, *, schema: Schema, dtypes: Mapping[str, Any]) -> Any:
    """Return a pandas DataFrame; no dtype depends on whether a null happens to be in the rows."""
    import pandas as pd

    columns = {
        name: _pandas_column(table.column(name), schema.column(name), dtypes.get(name))
        if name in schema.names
        else table.column(name).to_pandas()  # a column that was added, such as weights
        for name in table.column_names
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(table.num_rows))


def to_polars(table: pa.Table, *, schema: Schema, dtypes: Mapping[str, Any]) -> Any:
    """Return a polars DataFrame."""
    import polars as pl

    frame = pl.DataFrame(pl.from_arrow(table))
    for name in schema.names:
        column = schema.column(name)
        wanted = _polars_dtype(column, dtypes.get(name))
        if wanted is not None and column.dtype is None and frame.schema[name] != wanted:
            frame = frame.with_columns(pl.col(name).cast(wanted, strict=False))
    return frame


def _pandas_column(values: pa.ChunkedArray, column: Column, dtype: Any) -> Any:
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype) and column.dtype in (None, "dictionary") and column.categories:
        # The list that comes back is the schema's: the one that went in may hold what only the rows say.
        texts = values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values
        categories = pd.CategoricalDtype(list(column.categories), ordered=dtype.ordered)
        return pd.Series(texts.to_pandas(), dtype=object).astype(categories)
    if dtype is not None and hasattr(dtype, "__from_arrow__") and _same_type(values, dtype):
        return pd.Series(dtype.__from_arrow__(values), dtype=dtype)
    if column.nullable and values.type in _NULLABLE:
        kept = pd.array([], dtype=_NULLABLE[values.type]).dtype
        return pd.Series(kept.__from_arrow__(values))
    plain = values.to_pandas()
    if isinstance(dtype, np.dtype) and dtype.kind == "M" and pa.types.is_timestamp(values.type):
        return plain.astype(dtype) if values.type.tz is None and column.dtype is None else plain
    return plain


def _same_type(values: pa.ChunkedArray, dtype: Any) -> bool:
    declared = declared_type(dtype)
    if declared is None:
        return False
    texts = (pa.string(), pa.large_string())
    return bool(values.type == declared or (values.type in texts and declared in texts))


def _polars_dtype(column: Column, dtype: Any) -> Any:
    import polars as pl

    if isinstance(dtype, pl.Enum):
        # The list that comes back is the schema's: the one that went in may hold what only the rows say.
        return None if column.categories is None else pl.Enum([str(value) for value in column.categories])
    return dtype
