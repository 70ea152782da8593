"""Hypothesis strategies: columns with a container type that can hold them, and cells inside or outside."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from triplea.schema import Column, Kind


class Sample(NamedTuple):
    """A column, the container's storage type, and cells that lie in the column's domain."""

    column: Column
    storage: pa.DataType
    cells: list[Any]

    @property
    def array(self) -> pa.Array:
        if pa.types.is_dictionary(self.storage):
            return pa.array(self.cells, self.storage.value_type).dictionary_encode().cast(self.storage)
        return pa.array(self.cells, self.storage)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=8).filter(
    lambda text: text.strip() == text
)


def _cells(values: st.SearchStrategy[Any], *, nullable: bool, rows: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.none() | values if nullable else values, min_size=rows, max_size=rows)


@st.composite
def categorical(draw: st.DrawFn, rows: int, name: str) -> Sample:
    values, storages = draw(
        st.sampled_from(
            [
                (texts, ["string", "large_string", "int8>string", "int32>large_string"]),
                (st.integers(-100, 100), ["int8", "int16", "int64", "float32", "float64", "int16>int64"]),
                (st.integers(-(2**63), 2**63 - 1), ["int64"]),
                (st.floats(-1e6, 1e6, width=32).map(lambda x: x + 0.0), ["float32", "float64"]),
                (st.booleans(), ["bool", "int8"]),
            ]
        )
    )
    categories = draw(st.lists(values, min_size=1, max_size=20, unique=True))
    nullable = draw(st.booleans())
    storage = draw(st.sampled_from(storages))
    index, _, bare = storage.rpartition(">")
    type_ = (
        pa.dictionary(pa.type_for_alias(index), pa.type_for_alias(bare)) if index else pa.type_for_alias(bare)
    )
    cells = draw(_cells(st.sampled_from(categories), nullable=nullable, rows=rows))
    if bare == "int8" and isinstance(categories[0], bool):
        cells = [None if cell is None else int(cell) for cell in cells]
    kind = draw(st.sampled_from([Kind.CATEGORICAL, Kind.ORDINAL]))
    return Sample(Column(name=name, kind=kind, categories=tuple(categories), nullable=nullable), type_, cells)


@st.composite
def boolean(draw: st.DrawFn, rows: int, name: str) -> Sample:
    nullable = draw(st.booleans())
    storage = draw(st.sampled_from([pa.bool_(), pa.int8(), pa.uint64(), pa.float32()]))
    cells = draw(_cells(st.booleans(), nullable=nullable, rows=rows))
    if storage != pa.bool_():
        cells = [None if cell is None else int(cell) for cell in cells]
    return Sample(Column(name=name, kind=Kind.BOOLEAN, nullable=nullable), storage, cells)


@st.composite
def integer(draw: st.DrawFn, rows: int, name: str) -> Sample:
    storage = draw(
        st.sampled_from([pa.int8(), pa.uint8(), pa.int32(), pa.uint64(), pa.int64(), pa.float64()])
    )
    if storage == pa.float64():
        least, greatest = -(2**53), 2**53
    else:
        info = np.iinfo(storage.to_pandas_dtype())
        least, greatest = max(int(info.min), -(2**62)), min(int(info.max), 2**62 - 2)
    lower, upper = sorted(draw(st.tuples(st.integers(least, greatest), st.integers(least, greatest))))
    nullable = draw(st.booleans())
    cells = draw(_cells(st.integers(lower, upper), nullable=nullable, rows=rows))
    return Sample(
        Column(name=name, kind=Kind.INTEGER, lower=lower, upper=upper, nullable=nullable), storage, cells
    )


@st.composite
def numeric(draw: st.DrawFn, rows: int, name: str) -> Sample:
    storage = draw(st.sampled_from([pa.float32(), pa.float64(), pa.int16(), pa.decimal128(12, 2)]))
    nullable = draw(st.booleans())
    if storage == pa.int16():
        values: st.SearchStrategy[Any] = st.integers(-(2**15), 2**15 - 1)
    elif pa.types.is_decimal(storage):
        values = st.integers(-(10**6), 10**6).map(lambda cents: Decimal(cents).scaleb(-2))
    else:
        values = st.floats(-(2.0**100), 2.0**100, width=32 if storage == pa.float32() else 64).map(
            lambda x: x + 0.0
        )
    lower, upper = sorted(draw(st.tuples(values, values)))
    inside = values.map(lambda value: min(max(value, lower), upper))
    cells = draw(_cells(inside, nullable=nullable, rows=rows))
    column = Column(name=name, kind=Kind.NUMERIC, lower=float(lower), upper=float(upper), nullable=nullable)
    return Sample(column, storage, cells)


@st.composite
def timed(draw: st.DrawFn, rows: int, name: str) -> Sample:
    unit = draw(st.sampled_from(["s", "ms", "us", "ns"]))
    zone = draw(st.sampled_from([None, "UTC", "Europe/Berlin", "America/New_York", "+05:30"]))
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    counts = st.integers(-(9 * 10**9) * per_second, 9 * 10**9 * per_second)
    lower, upper = sorted(draw(st.tuples(counts, counts)))
    nullable = draw(st.booleans())
    cells = draw(_cells(st.integers(lower, upper), nullable=nullable, rows=rows))
    tz = draw(st.sampled_from([None, zone]))
    column = Column(
        name=name, kind=Kind.DATETIME, lower=lower, upper=upper, nullable=nullable, time_unit=unit, tz=tz
    )
    return Sample(column, pa.timestamp(unit, zone), cells)


@st.composite
def dated(draw: st.DrawFn, rows: int, name: str) -> Sample:
    days = st.dates(dt.date(1700, 1, 1), dt.date(2200, 1, 1))
    lower, upper = sorted(draw(st.tuples(days, days)))
    nullable = draw(st.booleans())
    if draw(st.booleans()):
        return _written_dates(
            lower,
            upper,
            cells=draw(_cells(st.dates(lower, upper), nullable=nullable, rows=rows)),
            name=name,
            pattern=draw(st.sampled_from(["%d/%m/%Y", "%Y%m%d", "%m.%d.%Y"])),
        )
    storage = draw(st.sampled_from([pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ns")]))
    cells = draw(_cells(st.dates(lower, upper), nullable=nullable, rows=rows))
    if pa.types.is_timestamp(storage):
        cells = [None if cell is None else dt.datetime(cell.year, cell.month, cell.day) for cell in cells]
    column = Column(name=name, kind=Kind.DATE, lower=str(lower), upper=str(upper), nullable=nullable)
    return Sample(column, storage, cells)


def _written_dates(lower: dt.date, upper: dt.date, *, cells: list[Any], name: str, pattern: str) -> Sample:
    """Dates as a pattern writes them: text, or whole numbers where there are only digits."""
    texts_ = [None if cell is None else cell.strftime(pattern) for cell in cells]
    column = Column(
        name=name, kind=Kind.DATE, lower=str(lower), upper=str(upper), nullable=True, format=pattern
    )
    if pattern == "%Y%m%d":
        return Sample(column, pa.int32(), [None if text is None else int(text) for text in texts_])
    return Sample(column, pa.string(), texts_)


def samples(rows: int, name: str = "c") -> st.SearchStrategy[Sample]:
    """A column of any kind, with a container type and `rows` in-domain cells."""
    kinds = (categorical, boolean, integer, numeric, timed, dated)
    return st.one_of(*(kind(rows, name) for kind in kinds))


@st.composite
def columns_of_samples(draw: st.DrawFn) -> list[Sample]:
    """A whole in-domain table: one to four columns of the same length."""
    rows = draw(st.integers(0, 12))
    width = draw(st.integers(1, 4))
    return [draw(samples(rows, f"c{position}")) for position in range(width)]


_WORDS = """
1e999 -1e999 +7 0x1 1_000 nan inf -0 1. . --1 +-1 1e-400 true NO \x00 \u06f1 2020-02-30 2020-13-01 0000-01-01
9999-12-31T23:59:59.999999999+23:59 2020-01-01T24:00 2020-01-01T00:00:00Z 31/12/2020 99/99/9999
"""
WILD_TEXTS = [*_WORDS.split(), "9" * 400, "-" + "9" * 30, " 8 ", "2020-01-01 00:00:00 Z", "", "\u00a0"]
WILD_CELLS: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.string(), st.text(max_size=12)),
    (pa.binary(), st.binary(max_size=12)),
    (pa.large_string(), st.sampled_from(WILD_TEXTS)),
    (pa.float64(), st.floats()),
    (pa.float32(), st.floats(width=32)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.bool_(), st.booleans()),
    (pa.decimal128(38, 4), st.decimals(-(10**30), 10**30, places=4)),
    (pa.decimal128(4, 2), st.sampled_from([Decimal("99.99"), Decimal("-99.99"), Decimal("0.50")])),
    (pa.null(), st.none()),
]


def _wild_array(storage: pa.DataType, cells: st.SearchStrategy[Any]) -> st.SearchStrategy[pa.Array]:
    return st.lists(st.none() | cells, max_size=8).map(lambda values: pa.array(values, storage))


# Cells of every shape that a container may bring, far outside any domain.
wild_arrays = st.one_of(*(_wild_array(storage, cells) for storage, cells in WILD_CELLS))
wild_times = st.builds(
    lambda cells, unit, zone: pa.array(cells, pa.int64()).cast(pa.timestamp(unit, zone)),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=8),
    st.sampled_from(["s", "ms", "us", "ns"]),
    st.sampled_from([None, "UTC", "Asia/Kathmandu"]),
) | st.lists(st.none() | st.integers(-(2**31), 2**31 - 1), max_size=8).map(
    lambda cells: pa.array(cells, pa.int32()).cast(pa.date32())
)
