"""Cells that break careless code: extremes, NaN, infinities, unlisted categories, dates that are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.schema import Column, Kind, Schema

_LONGEST = 2**63 - 1
_ODD_FLOATS = (np.nan, np.inf, -np.inf, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -0.0, 0.0)
_ODD_TEXTS = (
    "",
    " ",
    "a value nobody listed",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "9" * 400,
    "0x10",
    "\x00",
)
_ODD_TIMES = ("0000-00-00", "0001-01-01", "9999-12-31T23:59:59.999999", "2020-02-30", "2020-01-01T12:00:00Z")
_TIMED = (Kind.DATETIME, Kind.DATE)


def awkward_cells(column: Column | None, storage: pa.DataType) -> pa.Array:
    """The awkward cells of one column that its storage type can hold; the last one is null.

    `column` is None for columns that the schema does not model. Public knowledge only: no rows are needed.
    """
    if pa.types.is_dictionary(storage):
        return awkward_cells(column, storage.value_type).dictionary_encode().cast(storage)
    return pa.array([*_fitting(_candidates(column, storage), storage), None], storage)


def awkward_row(schema: Schema, layout: pa.Schema, *, rng: np.random.Generator) -> pa.Table:
    """One row in the table's own types, every cell drawn from the awkward ones."""
    known = {column.name: column for column in (*schema.columns, *schema.dropped)}
    cells = [awkward_cells(known.get(field.name), field.type) for field in layout]
    picked = [column.take([int(rng.integers(len(column)))]) for column in cells]
    return pa.Table.from_arrays(picked, schema=layout)


def _candidates(column: Column | None, storage: pa.DataType) -> Iterable[Any]:
    if pa.types.is_boolean(storage):
        return (True, False)
    if pa.types.is_integer(storage):
        return (*_numbers(column), _LONGEST, -_LONGEST - 1, 2**31 - 1, -(2**31), 127, 255, -1, 0)
    if pa.types.is_floating(storage) or pa.types.is_decimal(storage):
        return (*_numbers(column), *_ODD_FLOATS)
    if pa.types.is_temporal(storage):
        return (*_numbers(column), _LONGEST, -_LONGEST - 1, 2**31 - 1, -(2**31), 0)
    return (*_texts(column), *_ODD_TEXTS)


def _numbers(column: Column | None) -> list[Any]:
    if column is None or not column.is_known:
        return []
    if column.categories is not None:
        return [
            value for value in (column.categories[0], column.categories[-1]) if not isinstance(value, str)
        ]
    if column.kind is Kind.IDENTIFIER:
        return []
    lower, upper = column.bounds
    return [lower, upper, lower - 1, upper + 1]


def _texts(column: Column | None) -> list[str]:
    if column is None or not column.is_known:
        return ["1", "-1", *_ODD_TIMES]
    if column.categories is not None:
        listed = dict.fromkeys((column.categories[0], column.categories[-1]))
        return [str(category) for category in listed]
    if column.kind is Kind.IDENTIFIER:
        return []
    ends = [str(column.value_of(code)) for code in _end_codes(column)]
    return [*ends, *(_ODD_TIMES if column.kind in _TIMED else ())]


def _end_codes(column: Column) -> tuple[int | float, int | float]:
    return (0, column.missing_code - 1) if column.is_countable else column.bounds


def _fitting(values: Iterable[Any], storage: pa.DataType) -> list[Any]:
    """Keep what the storage type can hold; numbers for times are counts of its unit."""
    kept = []
    for value in values:
        try:
            if pa.types.is_temporal(storage):
                whole = (
                    pa.int32() if storage in (pa.date32(), pa.time32("s"), pa.time32("ms")) else pa.int64()
                )
                kept.append(pa.array([value], whole).cast(storage)[0])
            else:
                kept.append(pa.array([value], storage)[0])
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            continue
    return kept
