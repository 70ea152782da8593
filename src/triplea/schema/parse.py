"""Read numbers, truth values and text out of Arrow arrays of any sensible storage.

Every function works cell by cell: what a cell becomes depends on that cell and on the public
storage type only, and no cell can raise. What cannot be read is "not valid", which callers
turn into the schema's missing value.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1
# The largest float64 below 2**63: a larger one would wrap around when cast to int64.
_LARGEST_SAFE_FLOAT = float(2**63 - 1024)
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
_WIDEST = 76  # digits of decimal256

_SHORT_INTEGER = r"^[+-]?[0-9]{1,18}$"
_LONG_INTEGER = r"^[+-]?[0-9]{19,38}$"
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_TRUE = pa.array(["true", "t", "yes", "y", "1", "1.0"])
_FALSE = pa.array(["false", "f", "no", "n", "0", "0.0"])
_WRITTEN = pa.array(["false", "true"])  # truth values as Arrow writes them, by their number


class Family(StrEnum):
    """What a storage type holds, whatever its width."""

    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    TIMESTAMP = "timestamp"
    DATE = "date"
    NULL = "null"
    OTHER = "other"


class Parsed(NamedTuple):
    """Values and, cell by cell, whether they could be read."""

    values: npt.NDArray[Any]
    valid: Mask


_FAMILY_TESTS = (
    (Family.INTEGER, pa.types.is_integer),
    (Family.FLOAT, pa.types.is_floating),
    (Family.DECIMAL, pa.types.is_decimal),
    (Family.BOOLEAN, pa.types.is_boolean),
    (Family.TIMESTAMP, pa.types.is_timestamp),
    (Family.DATE, pa.types.is_date),
    (Family.NULL, pa.types.is_null),
    (Family.TEXT, pa.types.is_string),
    (Family.TEXT, pa.types.is_large_string),
    (Family.TEXT, pa.types.is_string_view),
    (Family.TEXT, pa.types.is_binary),
    (Family.TEXT, pa.types.is_large_binary),
    (Family.TEXT, pa.types.is_fixed_size_binary),
)


def value_type(storage: pa.DataType) -> pa.DataType:
    """The type of the values, without dictionary, run-end or extension wrapping."""
    while True:
        if pa.types.is_dictionary(storage) or pa.types.is_run_end_encoded(storage):
            storage = storage.value_type
        elif isinstance(storage, pa.BaseExtensionType):
            storage = storage.storage_type
        else:
            return storage


def family_of(storage: pa.DataType) -> Family:
    """The family of a storage type; wrapping does not matter."""
    bare = value_type(storage)
    return next((family for family, test in _FAMILY_TESTS if test(bare)), Family.OTHER)


def plain(array: pa.Array) -> pa.Array:
    """Unwrap extension and run-end types, and bring every kind of text to `large_string`."""
    if isinstance(array.type, pa.BaseExtensionType):
        return plain(array.storage)
    if pa.types.is_run_end_encoded(array.type):
        return plain(pc.run_end_decode(array))
    if pa.types.is_fixed_size_binary(array.type):
        array = array.cast(pa.binary())
    if family_of(array.type) is Family.TEXT and not pa.types.is_dictionary(array.type):
        # Bytes that are not UTF-8 must not raise: that would depend on a row.
        return pc.cast(array, options=pc.CastOptions(target_type=pa.large_string(), allow_invalid_utf8=True))
    return array


def valid_mask(array: pa.Array) -> Mask:
    """True where the cell is not null."""
    return np.asarray(array.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)


def not_blank(array: pa.Array) -> Mask:
    """True where the cell holds something: not null, not NaN, and not white space only."""
    if family_of(array.type) is Family.TEXT:
        return _truth(pc.not_equal(trimmed(array), ""))
    return valid_mask(
        pc.if_else(pc.is_nan(array), None, array) if pa.types.is_floating(array.type) else array
    )


def _truth(mask: pa.Array) -> Mask:
    return np.asarray(mask.fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def trimmed(text: pa.Array) -> pa.Array:
    """Text without surrounding white space (bytes that are not UTF-8 pass unharmed)."""
    return pc.ascii_trim_whitespace(text)


def only_where(array: pa.Array, keep: Mask) -> pa.Array:
    """The array with null wherever `keep` is false."""
    return pc.if_else(pa.array(keep), array, pa.scalar(None, array.type))


def _matches(text: pa.Array, pattern: str) -> Mask:
    return _truth(pc.match_substring_regex(text, pattern))


def _text_floats(text: pa.Array) -> pa.Array:
    """Numbers in text; one too large for float64 is finite all the same, so it saturates."""
    text = pc.utf8_ltrim(only_where(text, _matches(text, _NUMBER)), characters="+")
    floats = pc.max_element_wise(text.cast(pa.float64()), -_LARGEST_FLOAT, skip_nulls=False)
    return pc.min_element_wise(floats, _LARGEST_FLOAT, skip_nulls=False)


def as_floats(array: pa.Array) -> Floats:
    """Numbers as float64; NaN where missing, infinite or unreadable."""
    family = family_of(array.type)
    if family is Family.TEXT:
        array = _text_floats(trimmed(array))
    elif family is Family.BOOLEAN:
        array = array.cast(pa.uint8())
    elif family is Family.NULL:
        return np.full(len(array), np.nan)
    floats = np.array(array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)
    floats[~np.isfinite(floats)] = np.nan
    return floats


def _round_floats(floats: Floats) -> Parsed:
    valid = np.isfinite(floats)
    safe = np.clip(np.where(valid, floats, 0.0), float(INT64_MIN), _LARGEST_SAFE_FLOAT)
    values = np.rint(safe).astype(np.int64)
    # A float at or beyond 2**63 stands for a number above every int64: saturate, never wrap.
    values[valid & (floats > _LARGEST_SAFE_FLOAT)] = INT64_MAX
    return Parsed(values, valid)


def _decimal_ints(array: pa.Array) -> Parsed:
    if array.type.scale < 0 or array.type.precision > _WIDEST - 1:
        return _round_floats(as_floats(array))  # no room to round exactly
    wide = array.cast(pa.decimal256(_WIDEST, array.type.scale))
    whole = pc.round(wide, round_mode="half_to_even").cast(pa.decimal256(_WIDEST, 0))
    whole = pc.min_element_wise(whole, _decimal(INT64_MAX), skip_nulls=False)
    whole = pc.max_element_wise(whole, _decimal(INT64_MIN), skip_nulls=False)
    return Parsed(whole.cast(pa.int64()).fill_null(0).to_numpy(), valid_mask(array))


def _decimal(value: int) -> pa.Scalar:
    return pa.scalar(Decimal(value), pa.decimal256(_WIDEST, 0))


def _text_ints(array: pa.Array) -> Parsed:
    text = trimmed(array)
    short, long = _matches(text, _SHORT_INTEGER), _matches(text, _LONG_INTEGER)
    unsigned = pc.utf8_ltrim(only_where(text, short | long), characters="+")
    small = only_where(unsigned, short).cast(pa.int64()).fill_null(0).to_numpy()
    large = _decimal_ints(only_where(unsigned, long).cast(pa.decimal128(38, 0)))
    other = _round_floats(as_floats(only_where(text, ~(short | long))))
    values = np.select([short, long], [small, large.values], other.values)
    return Parsed(values, short | long | other.valid)


def as_ints(array: pa.Array) -> Parsed:
    """Numbers as int64: fractions go to the nearest integer (ties to even), the rest saturates."""
    family = family_of(array.type)
    if family is Family.TEXT:
        return _text_ints(array)
    if family is Family.DECIMAL:
        return _decimal_ints(array)
    if family is Family.FLOAT:
        return _round_floats(as_floats(array))
    if family is Family.NULL:
        return Parsed(np.zeros(len(array), dtype=np.int64), np.zeros(len(array), dtype=np.bool_))
    valid = valid_mask(array)
    if array.type == pa.uint64():
        array = pc.min_element_wise(array, pa.scalar(INT64_MAX, pa.uint64()), skip_nulls=False)
    if family is Family.BOOLEAN:
        array = array.cast(pa.uint8())
    return Parsed(array.cast(pa.int64()).fill_null(0).to_numpy(), valid)


def as_bools(array: pa.Array) -> Parsed:
    """Truth values from booleans, from 0 and 1, and from true/false, yes/no, t/f, y/n, 1/0."""
    family = family_of(array.type)
    if family is Family.BOOLEAN:
        valid = valid_mask(array)
        return Parsed(array.fill_null(False).to_numpy(zero_copy_only=False), valid)
    if family is Family.TEXT:
        text = pc.ascii_lower(trimmed(array))
        true = valid_mask(pc.index_in(text, _TRUE.cast(text.type)))
        return Parsed(true, true | valid_mask(pc.index_in(text, _FALSE.cast(text.type))))
    floats = as_floats(array)
    return Parsed(floats == 1.0, (floats == 0.0) | (floats == 1.0))


def as_written_truths(text: pa.Array) -> Parsed:
    """0 and 1 for text that says just false or true.

    pandas stores truth values as objects as soon as one is missing: that may not change how others are read.
    """
    numbers = pc.index_in(text, _WRITTEN.cast(text.type))
    return Parsed(numbers.cast(pa.int64()).fill_null(0).to_numpy(), valid_mask(numbers))
