"""Codes back to rows: every value lies in the schema, in the storage type the owner's table had."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from triplea.errors import SchemaError
from triplea.schema.columns import Column
from triplea.schema.kinds import TIMED, Kind
from triplea.schema.parse import Family, Floats, Ints, Mask, family_of
from triplea.schema.storage import category_values, grid_bounds, time_bounds
from triplea.schema.times import DAY, rescale, to_instant, to_wall_clock

_SMALL_INDEX = {pa.int8(): 2**7, pa.uint8(): 2**8, pa.int16(): 2**15, pa.uint16(): 2**16}


def decode_array(column: Column, codes: npt.ArrayLike, storage: pa.DataType) -> pa.Array:
    """Decode one column into `storage` (from `triplea.schema.storage.storage_type`)."""
    if column.kind is Kind.NUMERIC:
        return _decode_numeric(column, np.asarray(codes, dtype=np.float64), storage)
    whole, missing = _clean_codes(column, np.asarray(codes))
    if column.categories is not None:
        return _decode_categories(column, whole, missing, storage)
    counts = whole + int(column.bounds[0])
    if column.kind in TIMED:
        return _decode_times(column, counts, missing, storage)
    return _numbers(counts, missing, storage)


def _clean_codes(column: Column, codes: np.ndarray[Any, Any]) -> tuple[Ints, Mask]:
    """Codes inside 0..size-1 and a missing mask: whatever a model emits, the output is in the schema."""
    size = column.missing_code
    if np.issubdtype(codes.dtype, np.floating):
        blank = np.isnan(codes)
        codes = np.rint(np.clip(np.where(blank, 0.0, codes), 0.0, float(size)))
        codes = np.where(blank, size, np.minimum(codes.astype(np.int64), size))
    codes = codes.astype(np.int64)
    missing = (codes >= size) if column.nullable else np.zeros(len(codes), dtype=np.bool_)
    if not column.nullable:
        codes = np.where(codes == size, 0, codes)
    return np.clip(codes, 0, size - 1), missing


def _decode_categories(column: Column, codes: Ints, missing: Mask, storage: pa.DataType) -> pa.Array:
    values = category_values(column, storage, text_allowed=True)
    if values is None:
        raise SchemaError(f'column "{column.name}": its categories do not fit the storage type {storage}')
    if not pa.types.is_dictionary(storage):
        return values.take(pa.array(codes, mask=missing))
    index = storage.index_type
    if len(values) > _SMALL_INDEX.get(index, 2**31):
        index = pa.int32()
    indices = pa.array(codes, mask=missing).cast(index)
    return pa.DictionaryArray.from_arrays(indices, values, ordered=storage.ordered)


def _numbers(values: Ints | Floats, missing: Mask, storage: pa.DataType) -> pa.Array:
    array = pa.array(values, mask=missing)
    if family_of(storage) is Family.BOOLEAN:
        return array.cast(pa.bool_())
    if family_of(storage) is Family.DECIMAL and np.issubdtype(values.dtype, np.integer):
        array = array.cast(pa.decimal128(38, storage.scale))  # Arrow wants room for any int64 first
    if storage == pa.float16():
        return pa.array(values.astype(np.float16), mask=missing)
    return array.cast(storage)


def _decode_numeric(column: Column, values: Floats, storage: pa.DataType) -> pa.Array:
    lower, upper = (float(bound) for bound in column.bounds)
    values = np.where(
        np.isnan(values), lower if not column.nullable else values, np.clip(values, lower, upper)
    )
    missing = np.isnan(values)
    values = np.where(missing, lower, values)
    if column.decimals is not None:
        values = np.clip(np.round(values, column.decimals), lower, upper)
    family = family_of(storage)
    if family is Family.TEXT:
        return _numbers(values, missing, storage)
    edges = grid_bounds(column, storage)
    if edges is None:
        raise SchemaError(f'column "{column.name}": its bounds do not fit the storage type {storage}')
    if family is Family.DECIMAL:
        # Both edges lie on the storage's grid, so rounding to that grid cannot leave them.
        return _numbers(np.clip(values, float(edges[0]), float(edges[1])), missing, storage)
    if family is Family.INTEGER:
        return _numbers(_whole_numbers(values, edges, storage), missing, storage)
    narrow = np.dtype(storage.to_pandas_dtype())
    return _numbers(
        np.clip(values.astype(narrow), narrow.type(edges[0]), narrow.type(edges[1])), missing, storage
    )


def _whole_numbers(values: Floats, edges: tuple[Any, Any], storage: pa.DataType) -> npt.NDArray[Any]:
    """The nearest integers of an integer type between two of its integers."""
    room = np.iinfo(storage.to_pandas_dtype())
    largest = min(float(room.max), float(np.nextafter(room.max + 1.0, 0.0)))  # 2**64 - 1 is no float
    least, greatest = np.array([int(edge) for edge in edges], room.dtype)
    whole: npt.NDArray[Any] = np.clip(np.rint(values), float(room.min), largest).astype(room.dtype)
    whole = np.clip(whole, least, greatest)
    return whole


def _decode_times(column: Column, counts: Ints, missing: Mask, storage: pa.DataType) -> pa.Array:
    family = family_of(storage)
    if family in (Family.TEXT, Family.INTEGER):
        return _decode_formatted(column, counts, missing, storage)
    unit = storage.unit if family is Family.TIMESTAMP else DAY
    edges = time_bounds(column, unit)
    if edges is None:
        raise SchemaError(f'column "{column.name}": its bounds do not fit the storage type {storage}')
    values = np.clip(rescale(counts, unit=column.unit_of_time, to=unit), *edges)
    zone = storage.tz if family is Family.TIMESTAMP else None
    if column.kind is Kind.DATE:
        values = to_instant(values, unit=unit, tz=zone)
    elif zone is None and unit != DAY:
        values = to_wall_clock(values, unit=unit, tz=column.tz)
    if family is Family.DATE:
        return pa.array(values, mask=missing).cast(pa.int32()).cast(pa.date32()).cast(storage)
    return pa.array(values, mask=missing).cast(storage)


def _decode_formatted(column: Column, counts: Ints, missing: Mask, storage: pa.DataType) -> pa.Array:
    """Text and integer containers: by the column's format, else ISO text or plain counts."""
    if column.format is None and family_of(storage) is Family.INTEGER:
        return _numbers(counts, missing, storage)
    wall = (
        to_wall_clock(counts, unit=column.unit_of_time, tz=column.tz)
        if column.kind is Kind.DATETIME
        else counts
    )
    if column.format is None and column.kind is Kind.DATE:
        return pa.array(wall, mask=missing).cast(pa.int32()).cast(pa.date32()).cast(storage)
    unit = "s" if column.format is not None or column.kind is Kind.DATE else column.unit_of_time
    stamps = pa.array(rescale(wall, unit=column.unit_of_time, to=unit), mask=missing).cast(pa.timestamp(unit))
    pattern = column.format or "%Y-%m-%dT%H:%M:%S"
    return pc.strftime(stamps, format=pattern).cast(storage)
