"""pandas columns to Arrow, without letting one value decide the type of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from triplea.tables.plain import MARKED, plain_type, written

_UNREADABLE = pa.list_(pa.null())


def stored_type(dtype: Any) -> pa.DataType:
    """Return the Arrow type in which a column of this dtype is read; a list type where it cannot be."""
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        return pa.dictionary(pa.int32(), stored_type(dtype.categories.dtype))
    if isinstance(dtype, pd.ArrowDtype):
        return dtype.pyarrow_dtype
    if isinstance(dtype, pd.SparseDtype):
        return stored_type(dtype.subtype)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return pa.timestamp(dtype.unit, tz=str(dtype.tz))
    if isinstance(dtype, pd.StringDtype | pd.PeriodDtype | pd.IntervalDtype) or dtype == np.dtype(object):
        return pa.string()
    return _numpy_type(getattr(dtype, "numpy_dtype", dtype))


def declared_type(dtype: Any) -> pa.DataType | None:
    """Return the type that may come back, or None where rows decide it (see PandasSource)."""
    import pandas as pd

    if isinstance(dtype, pd.StringDtype):
        return pa.string()
    if isinstance(dtype, pd.CategoricalDtype):
        # The list of categories is often taken from the rows; only that there is one comes back.
        return pa.dictionary(pa.int32(), pa.string()) if _has_text(dtype) else None
    if isinstance(dtype, pd.PeriodDtype | pd.IntervalDtype | pd.SparseDtype):
        return None
    if isinstance(dtype, np.dtype) and dtype.kind not in "M" and dtype != np.float32:
        return None
    kind = stored_type(dtype)
    return None if plain_type(kind) is None else kind


def column_to_arrow(column: Any, kind: pa.DataType) -> pa.Array:
    """Convert a column; a value that does not fit its column becomes text or null, never an error."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return _categorical(column, kind)
    if isinstance(column.dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    if pa.types.is_string(kind):
        return _texts(column.array)
    array = pa.Array.from_pandas(column)
    whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return whole if whole.type == kind else whole.cast(kind, safe=False)


def _has_text(dtype: Any) -> bool:
    return bool(pa.types.is_string(stored_type(dtype.categories.dtype)))


def _categorical(column: Any, kind: pa.DataType) -> pa.Array:
    import pandas as pd

    codes = column.cat.codes.to_numpy().astype(np.int32)
    values = column_to_arrow(pd.Series(column.cat.categories), kind.value_type)
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), values)


def _texts(values: Any) -> pa.Array:
    """Turn anything into text: None and NaN are null, bytes are decoded, the rest is written out."""
    import pandas as pd

    missing = np.asarray(pd.isna(values), dtype=bool)
    listed = [None if gone else value for value, gone in zip(values, missing, strict=True)]
    try:
        return pa.array(listed, pa.string())
    except (pa.ArrowException, UnicodeError, OverflowError):
        return pa.array([_text(value) for value in listed], pa.string())


def _text(value: object) -> str | None:
    if value is None:
        return None
    try:
        text = value.decode("utf-8", MARKED) if isinstance(value, bytes) else _written(value)
    except Exception:  # an object whose text cannot be made counts as missing
        return None
    return text.encode("utf-8", MARKED).decode("utf-8")


def _written(value: object) -> str:
    """Write a value as it is written in a column of its own type, before another row made it an object."""
    if isinstance(value, bool | np.bool_ | float | np.floating):
        return str(written(pa.array([value]))[0])
    return str(value)


def _numpy_type(dtype: Any) -> pa.DataType:
    try:
        return pa.from_numpy_dtype(dtype)
    except (pa.ArrowException, TypeError):
        return _UNREADABLE
