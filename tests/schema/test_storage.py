from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from triplea.errors import SchemaError
from triplea.schema import Column, Schema, storage_type


def _column(**entries: Any) -> Column:
    return Column(name="c", **entries)


NUMBERS = _column(kind="integer", lower=0, upper=300)
WORDS = _column(kind="categorical", categories=("a", "b"))
DIGITS = _column(kind="categorical", categories=(1, 200))
TRUTH = _column(kind="boolean")
REALS = _column(kind="numeric", lower=0.25, upper=1000.5)
DAYS = _column(kind="date", lower="2020-01-01", upper="2021-01-01")
TIMES = _column(kind="datetime", lower="1500-01-01", upper="2021-01-01", tz="UTC")


@pytest.mark.parametrize(
    ("column", "default"),
    [
        (NUMBERS, pa.int64()),
        (WORDS, pa.string()),
        (DIGITS, pa.int64()),
        (_column(kind="ordinal", categories=(0.5, 1.5)), pa.float64()),
        (_column(kind="categorical", categories=(True, False)), pa.bool_()),
        (TRUTH, pa.bool_()),
        (REALS, pa.float64()),
        (DAYS, pa.date32()),
        (TIMES, pa.timestamp("us", "UTC")),
    ],
)
def test_each_kind_has_a_default_type_and_csv_text_gets_it_too(column: Column, default: pa.DataType) -> None:
    assert storage_type(column) == default
    assert storage_type(column, pa.string()) == default
    assert storage_type(column, pa.null()) == default


@pytest.mark.parametrize(
    ("column", "container", "returned"),
    [
        (NUMBERS, pa.int16(), pa.int16()),
        (NUMBERS, pa.int8(), pa.int64()),
        (NUMBERS, pa.float32(), pa.float32()),
        (NUMBERS, pa.float16(), pa.float16()),
        (NUMBERS, pa.decimal128(5, 2), pa.decimal128(5, 2)),
        (NUMBERS, pa.decimal128(4, 2), pa.int64()),
        (NUMBERS, pa.bool_(), pa.int64()),
        (NUMBERS, pa.dictionary(pa.int8(), pa.int32()), pa.int32()),
        (_column(kind="integer", lower=0, upper=2**53 + 1), pa.float64(), pa.int64()),
        (_column(kind="integer", lower=0, upper=1), pa.bool_(), pa.bool_()),
        (WORDS, pa.large_string(), pa.large_string()),
        (WORDS, pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int8(), pa.string())),
        (WORDS, pa.int8(), pa.string()),
        (DIGITS, pa.int16(), pa.int16()),
        (DIGITS, pa.int8(), pa.int64()),
        (DIGITS, pa.float32(), pa.float32()),
        (DIGITS, pa.large_string(), pa.int64()),
        (DIGITS, pa.bool_(), pa.int64()),
        (_column(kind="categorical", categories=("0", "1")), pa.int8(), pa.int8()),
        (_column(kind="categorical", categories=("01", "1")), pa.int8(), pa.string()),
        (_column(kind="categorical", categories=(0.5, 1.5)), pa.int8(), pa.float64()),
        (TRUTH, pa.int8(), pa.int8()),
        (REALS, pa.float32(), pa.float32()),
        (REALS, pa.int16(), pa.int16()),
        (REALS, pa.int8(), pa.int64()),
        (_column(kind="numeric", lower=0.25, upper=0.75), pa.int8(), pa.float64()),
        (_column(kind="numeric", lower=0, upper=1e300), pa.float32(), pa.float64()),
        (DAYS, pa.date64(), pa.date64()),
        (DAYS, pa.timestamp("ns", "UTC"), pa.timestamp("ns", "UTC")),
        (TIMES, pa.timestamp("ns"), pa.timestamp("us", "UTC")),
        (TIMES, pa.timestamp("s"), pa.timestamp("s")),
        (TIMES, pa.int64(), pa.int64()),
        (TIMES, pa.float64(), pa.timestamp("us", "UTC")),
    ],
)
def test_the_containers_type_returns_where_every_allowed_value_fits(
    column: Column, container: pa.DataType, returned: pa.DataType
) -> None:
    assert storage_type(column, container) == returned


@pytest.mark.parametrize("index", [None, pa.int8()])
def test_views_of_text_come_back_as_text_which_can_be_written_anywhere(index: pa.DataType | None) -> None:
    def wrapped(values: pa.DataType) -> pa.DataType:
        return values if index is None else pa.dictionary(index, values)

    for column in (WORDS, _column(kind="date", lower="2020-01-01", upper="2021-01-01", format="%d.%m.%Y")):
        rows = Schema(columns=(column,)).decode(
            {"c": np.array([0, 1])}, types=pa.schema([("c", wrapped(pa.string_view()))])
        )
        assert rows.schema.field("c").type in (pa.string(), wrapped(pa.string()))


def test_a_declared_dtype_wins_over_the_container() -> None:
    assert storage_type(_column(kind="integer", lower=0, upper=9, dtype="int8"), pa.int64()) == pa.int8()
    ordered = _column(kind="ordinal", categories=("low", "high"), dtype="dictionary")
    assert storage_type(ordered) == pa.dictionary(pa.int32(), pa.string(), ordered=True)
    assert storage_type(_column(kind="categorical", categories=("a",), dtype="string_view")) == pa.string()


@pytest.mark.parametrize(
    "column",
    [
        _column(kind="integer", lower=0, upper=300, dtype="int8"),
        _column(kind="categorical", categories=("a",), dtype="int8"),
        _column(kind="numeric", lower=0, upper=1, dtype="date32"),
        _column(kind="datetime", lower="1500-01-01", upper="2021-01-01", dtype="timestamp[ns]"),
        _column(kind="integer", lower=0, upper=3, dtype="dictionary"),
    ],
)
def test_a_declared_dtype_that_cannot_hold_the_domain_is_refused(column: Column) -> None:
    with pytest.raises(SchemaError, match=r'column "c": dtype .* cannot hold .*; use .* or leave dtype out'):
        storage_type(column)
