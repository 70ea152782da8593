"""Rows to codes, one cell at a time: nothing here looks at another row, raises on a value or reports one.

Out of bounds is clamped; NaN, infinities and what cannot be read are missing; missing in a column
that is not nullable becomes the public default (lower bound, or first category). All silently.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.categories import find_categories
from triplea.schema.columns import Column
from triplea.schema.kinds import TIMED, Kind
from triplea.schema.parse import (
    Family,
    Ints,
    Mask,
    Parsed,
    as_floats,
    as_ints,
    as_written_truths,
    family_of,
    plain,
)
from triplea.schema.storage import check_readable
from triplea.schema.times import as_times

Codes = npt.NDArray[np.int32 | np.int64 | np.float64]

_WORTH_HASHING = 256


def code_type(column: Column) -> type[np.int32] | type[np.int64] | type[np.float64]:
    """int32 for listed values, int64 for counted ones, float64 for numeric columns."""
    if column.is_discrete:
        return np.int32
    return np.int64 if column.is_countable else np.float64


def encode_array(column: Column, array: pa.Array | pa.ChunkedArray) -> Codes:
    """Encode one column of a batch."""
    check_readable(column, array.type)
    if not column.is_known:
        raise SchemaError(
            f'column "{column.name}": categories or bounds are not known yet; give or discover them'
        )
    if isinstance(array, pa.ChunkedArray):
        parts = [_encode_chunk(column, chunk) for chunk in array.chunks]
        return np.concatenate(parts) if parts else np.empty(0, dtype=code_type(column))
    return _encode_chunk(column, array)


def _encode_chunk(column: Column, array: pa.Array) -> Codes:
    array = plain(array)
    if family_of(array.type) is Family.TEXT and column.is_countable and len(array) > _WORTH_HASHING:
        array = array.dictionary_encode()  # parse each distinct text once
    if pa.types.is_dictionary(array.type):
        return _encode_dictionary(column, array)
    return _encode_plain(column, array)


def _encode_plain(column: Column, array: pa.Array) -> Codes:
    if column.is_discrete:
        return _encode_categories(column, array)
    if column.kind is Kind.NUMERIC:
        return _encode_numeric(column, array)
    return _encode_counts(column, _counts(column, array))


def _encode_dictionary(column: Column, array: pa.DictionaryArray) -> Codes:
    """Encode each distinct value once, and spread the codes over the rows."""
    codes = _encode_plain(column, plain(array.dictionary))
    nothing = _encode_plain(column, pa.nulls(1))
    indices: Ints = array.indices.cast(pa.int64()).fill_null(len(codes)).to_numpy()
    return np.concatenate([codes, nothing])[indices]


def _encode_categories(column: Column, array: pa.Array) -> Codes:
    categories = column.categories or ()
    lookup = find_categories(array, categories)
    codes, found = lookup.codes, lookup.found
    if column.unknown == "other":
        other = categories.index("other" if column.other is None else column.other)
        codes = np.where(lookup.present & ~found, other, codes)
        found = found | lookup.present
    return _with_missing(column, codes, found).astype(np.int32)


def _encode_numeric(column: Column, array: pa.Array) -> Codes:
    lower, upper = column.bounds
    seen = as_floats(array)
    numbers = _with_truths(array, Parsed(seen, ~np.isnan(seen))).values
    floats = np.clip(numbers, lower, upper)
    return floats if column.nullable else np.where(np.isnan(floats), float(lower), floats)


def _with_truths(array: pa.Array, numbers: Parsed) -> Parsed:
    """Numbers in text, and 0 and 1 where it says false and true: a truth value is a number in any type."""
    if family_of(array.type) is not Family.TEXT:
        return numbers
    truths = as_written_truths(array)
    values = np.where(truths.valid, truths.values, numbers.values)
    return Parsed(values, numbers.valid | truths.valid)


def _counts(column: Column, array: pa.Array) -> Parsed:
    if column.kind not in TIMED:
        return _with_truths(array, as_ints(array))
    wall_clock = column.kind is Kind.DATE
    return as_times(
        array, unit=column.unit_of_time, tz=column.tz, wall_clock=wall_clock, pattern=column.format
    )


def _encode_counts(column: Column, counts: Parsed) -> Codes:
    lower, upper = (int(bound) for bound in column.bounds)
    return _with_missing(column, np.clip(counts.values, lower, upper) - lower, counts.valid)


def _with_missing(column: Column, codes: Ints, valid: Mask) -> Ints:
    return np.where(valid, codes, column.missing_code if column.nullable else 0)
