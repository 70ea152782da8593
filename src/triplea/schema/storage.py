"""Which storage type a decoded column gets: the declared one, the container's, or the kind's default.

Everything here is decided by the schema and by public storage types, never by rows.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.categories import as_text, category_type, key_array
from triplea.schema.columns import Column
from triplea.schema.dtypes import parse_dtype
from triplea.schema.kinds import TIMED, Kind
from triplea.schema.parse import INT64_MAX, Family, as_bools, as_floats, as_ints, family_of, value_type
from triplea.schema.patterns import width_in_digits
from triplea.schema.times import DAY, NANOSECONDS

_NUMBERS = (Family.TEXT, Family.INTEGER, Family.FLOAT, Family.DECIMAL, Family.BOOLEAN, Family.NULL)
_TIMES = (Family.TEXT, Family.INTEGER, Family.FLOAT, Family.TIMESTAMP, Family.DATE, Family.NULL)
_READABLE = {
    Kind.CATEGORICAL: tuple(family for family in Family if family is not Family.OTHER),
    Kind.ORDINAL: tuple(family for family in Family if family is not Family.OTHER),
    Kind.BOOLEAN: _NUMBERS,
    Kind.INTEGER: _NUMBERS,
    Kind.NUMERIC: _NUMBERS,
    Kind.DATETIME: _TIMES,
    Kind.DATE: _TIMES,
    Kind.IDENTIFIER: tuple(Family),
}
_EXACT_INTEGERS = {pa.float16(): 2**11, pa.float32(): 2**24, pa.float64(): 2**53}
_DEFAULTS = {
    Kind.BOOLEAN: pa.bool_(),
    Kind.INTEGER: pa.int64(),
    Kind.NUMERIC: pa.float64(),
    Kind.DATETIME: pa.timestamp("us"),
    Kind.DATE: pa.date32(),
}


def check_readable(column: Column, storage: pa.DataType) -> None:
    """Refuse a container type that cannot hold this kind (a public fact, known before any row)."""
    family = family_of(storage)
    if family not in _READABLE[column.kind]:
        allowed = ", ".join(known for known in _READABLE[column.kind] if known is not Family.NULL)
        raise SchemaError(
            f'column "{column.name}": kind {column.kind} cannot be read from storage type {storage}; '
            f"it can be read from {allowed}. Change the kind, or convert the column"
        )


def default_type(column: Column) -> pa.DataType:
    """The type of a kind when neither the schema nor the container says."""
    if column.kind is Kind.DATETIME:
        return pa.timestamp(column.unit_of_time, tz=column.tz)
    if column.categories is not None and column.kind is not Kind.BOOLEAN:
        by_type = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
        return by_type[category_type(column.categories)]
    return _DEFAULTS.get(column.kind, pa.string())


def storage_type(column: Column, container: pa.DataType | None = None) -> pa.DataType:
    """The declared dtype; else the container's type if every allowed value fits; else the default."""
    if column.dtype is not None:
        declared = _without_views(_declared_type(column, column.dtype))
        if column.is_known and not _fits(column, declared, text_allowed=True):
            raise SchemaError(
                f'column "{column.name}": dtype {column.dtype!r} cannot hold {column.domain}; '
                f"use {default_type(column)} or leave dtype out"
            )
        return declared
    if container is None or family_of(container) is Family.NULL:
        return default_type(column)
    container = _without_views(container) if column.is_discrete else _without_views(value_type(container))
    if _fits(column, container, text_allowed=False):
        return container
    widened = pa.int64() if family_of(container) is Family.INTEGER else default_type(column)
    return widened if _fits(column, widened, text_allowed=False) else default_type(column)


def _without_views(storage: pa.DataType) -> pa.DataType:
    """Text instead of views of text, which Arrow can neither pick from nor write to CSV."""
    if pa.types.is_dictionary(storage):
        return pa.dictionary(storage.index_type, _without_views(storage.value_type), ordered=storage.ordered)
    return pa.string() if pa.types.is_string_view(storage) else storage


def _declared_type(column: Column, name: str) -> pa.DataType:
    declared = parse_dtype(name)
    if name.strip() == "dictionary" and column.categories is not None:
        values = default_type(column)
        return pa.dictionary(pa.int32(), values, ordered=column.kind is Kind.ORDINAL)
    return declared


def _fits(column: Column, storage: pa.DataType, *, text_allowed: bool) -> bool:
    if column.categories is not None:
        return category_values(column, storage, text_allowed=text_allowed) is not None
    if pa.types.is_dictionary(storage):
        return False
    family = family_of(storage)
    if family is Family.TEXT:
        return _is_text(storage) and (text_allowed or column.format is not None)
    if column.kind in TIMED:
        return _times_fit(column, storage, family)
    return grid_bounds(column, storage) is not None


def _is_text(storage: pa.DataType) -> bool:
    return bool(pa.types.is_string(storage) or pa.types.is_large_string(storage))


def _times_fit(column: Column, storage: pa.DataType, family: Family) -> bool:
    if family is Family.INTEGER:
        if column.format is not None:
            return _digits_fit(column.format, storage)
        return grid_bounds(column, storage) is not None
    if family is Family.TIMESTAMP:
        return time_bounds(column, storage.unit) is not None
    return family is Family.DATE and time_bounds(column, DAY) is not None


def _digits_fit(pattern: str, storage: pa.DataType) -> bool:
    """Whether a date pattern writes digits only, and not too many for the integer type."""
    digits = width_in_digits(pattern)
    return digits is not None and 10**digits - 1 <= int(np.iinfo(storage.to_pandas_dtype()).max)


def time_bounds(column: Column, unit: str) -> tuple[int, int] | None:
    """The first and last count of `unit` inside the bounds; None where there is none or no room."""
    have, want = NANOSECONDS[column.unit_of_time], NANOSECONDS[unit]
    lower, upper = (int(bound) * have for bound in column.bounds)
    first, last = -(-lower // want), upper // want
    room = (INT64_MAX - 2 * NANOSECONDS[DAY]) if unit == "ns" else INT64_MAX // 2
    if first > last or max(abs(first), abs(last)) > room:
        return None
    return first, last


def grid_bounds(
    column: Column, storage: pa.DataType
) -> tuple[int | float | Decimal, int | float | Decimal] | None:
    """The least and greatest value of `storage` inside [lower, upper]; None where it cannot serve.

    Integer columns must fit whole; numeric columns may lose precision but never leave their bounds.
    """
    lower, upper = column.bounds
    family = family_of(storage)
    whole = math.ceil(lower), math.floor(upper)
    if family is Family.INTEGER:
        info = np.iinfo(storage.to_pandas_dtype())
        return whole if whole[0] <= whole[1] and info.min <= whole[0] and whole[1] <= info.max else None
    if family is Family.BOOLEAN:
        return whole if column.kind is Kind.INTEGER and lower >= 0 and upper <= 1 else None
    if family is Family.FLOAT:
        if column.kind is Kind.NUMERIC:
            return _float_bounds(float(lower), float(upper), storage)
        return whole if max(abs(lower), abs(upper)) <= _EXACT_INTEGERS[storage] else None
    return _decimal_bounds(column, storage) if family is Family.DECIMAL else None


def _float_bounds(lower: float, upper: float, storage: pa.DataType) -> tuple[float, float] | None:
    narrow = np.dtype(storage.to_pandas_dtype())
    with np.errstate(over="ignore"):
        least, greatest = np.array([lower, upper]).astype(narrow)
    if not np.isfinite([least, greatest]).all():
        return None
    # Compared as float64: numpy would round the Python float to the narrow type first.
    if float(least) < lower:
        least = np.nextafter(least, narrow.type(np.inf))
    if float(greatest) > upper:
        greatest = np.nextafter(greatest, narrow.type(-np.inf))
    return (float(least), float(greatest)) if least <= greatest else None


def _decimal_bounds(column: Column, storage: pa.DataType) -> tuple[Decimal, Decimal] | None:
    lower, upper = (Decimal(repr(bound)) for bound in column.bounds)  # 0.1 means the decimal 0.1
    step = Decimal(1).scaleb(-storage.scale)
    least, greatest = math.ceil(lower / step) * step, math.floor(upper / step) * step
    room = Decimal(10) ** (storage.precision - storage.scale)
    whole_only = column.kind is Kind.INTEGER and storage.scale < 0
    return (
        (least, greatest) if least <= greatest and max(-least, greatest) < room and not whole_only else None
    )


def category_values(column: Column, storage: pa.DataType, *, text_allowed: bool) -> pa.Array | None:
    """The category list in `storage`'s value type, in the schema's order; None where it does not fit."""
    categories = column.categories or ()
    values, family = value_type(storage), family_of(storage)
    if family is Family.TEXT and not _is_text(values):
        return None
    of_text = category_type(categories) is str
    if family is Family.TEXT and not (of_text or text_allowed or pa.types.is_dictionary(storage)):
        return None  # text containers (CSV) carry no type: numbers come back as numbers
    if family in (Family.TIMESTAMP, Family.DATE, Family.OTHER, Family.NULL):
        return None
    if family is Family.TEXT:
        return pa.array([as_text(category) for category in categories], values)
    return _exact_values(key_array(categories), values, family)


def _exact_values(keys: pa.Array, values: pa.DataType, family: Family) -> pa.Array | None:
    """Categories as numbers or truth values, or None if one of them would change."""
    if family is Family.BOOLEAN:
        truth = as_bools(keys)
        distinct = len(set(truth.values.tolist())) == len(keys)
        return pa.array(truth.values) if truth.valid.all() and distinct else None
    floats, ints = as_floats(keys), as_ints(keys)
    try:
        if not np.isfinite(floats).all():
            return None
        if (floats == ints.values).all():
            whole = pa.array(ints.values)
            typed = (whole.cast(pa.decimal128(38, values.scale)) if family is Family.DECIMAL else whole).cast(
                values
            )
        elif family is Family.INTEGER:
            return None
        else:
            typed = pa.array(floats).cast(values, safe=family is not Family.FLOAT)
    except pa.ArrowException:
        return None
    return typed if len(set(typed.to_pylist())) == len(typed) else None
