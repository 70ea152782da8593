import time

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schema.strategies import samples, wild_arrays, wild_times
from triplea.errors import SchemaError
from triplea.schema import Column, Kind
from triplea.schema.encode import code_type, encode_array
from triplea.schema.storage import check_readable


def _column(**entries: object) -> Column:
    return Column(name="c", **entries)  # type: ignore[arg-type]


AGE = _column(kind="integer", lower=0, upper=120)
AGE_OR_MISSING = _column(kind="integer", lower=0, upper=120, nullable=True)
WEIGHT = _column(kind="numeric", lower=-1.5, upper=2.5)
WEIGHT_OR_MISSING = _column(kind="numeric", lower=-1.5, upper=2.5, nullable=True)
COLOUR = _column(kind="categorical", categories=("red", "green", "other"))
DAY = _column(kind="date", lower="2020-01-01", upper="2020-12-31", nullable=True)
MOMENT = _column(kind="datetime", lower="2020-01-01", upper="2020-12-31", nullable=True, tz="Europe/Berlin")


@pytest.mark.parametrize(
    "array",
    [
        pa.array(["5", " 7 ", "+9", "0012"]),
        pa.array([5, 7, 9, 12], pa.uint64()),
        pa.array([5.0, 7.0, 9.0, 12.0], pa.float32()),
        pa.array(["5", "7.0", "9e0", "1.2e1"], pa.large_string()).dictionary_encode(),
        pa.array([5, 7, 9, 12]).cast(pa.decimal128(30, 3)),
        pa.chunked_array([[5, 7], [9, 12]]),
        pa.array([b"5", b"7", b"9", b"12"]),
        pa.array(["5", "7", "9", "12"], pa.string_view()),
        pa.RunEndEncodedArray.from_arrays([1, 2, 3, 4], [5, 7, 9, 12]),
    ],
)
def test_integers_are_read_from_any_sensible_storage(array: pa.Array) -> None:
    codes = encode_array(AGE, array)
    assert codes.dtype == np.int64
    assert codes.tolist() == [5, 7, 9, 12]


def test_out_of_bounds_is_clamped_and_what_cannot_be_read_is_missing() -> None:
    cells = ["-3", "500", "9" * 30, "-" + "9" * 400, "1e999", "", "x", "nan", "inf", None]
    codes = encode_array(AGE_OR_MISSING, pa.array(cells))
    missing = AGE_OR_MISSING.missing_code
    assert codes.tolist() == [0, 120, 120, 0, 120, missing, missing, missing, missing, missing]
    assert encode_array(AGE, pa.array(cells)).tolist() == [0, 120, 120, 0, 120, 0, 0, 0, 0, 0]


def test_integers_of_nineteen_digits_stay_exact_in_text() -> None:
    column = _column(kind="integer", lower=2**62, upper=2**63 - 1)
    codes = encode_array(column, pa.array([str(2**63 - 1), str(2**62 + 1), str(2**63)]))
    assert codes.tolist() == [2**62 - 1, 1, 2**62 - 1]


def test_unsigned_integers_beyond_int64_are_clamped() -> None:
    assert encode_array(AGE, pa.array([2**64 - 1, 3], pa.uint64())).tolist() == [120, 3]


def test_fractions_in_an_integer_column_go_to_the_nearest_even_integer() -> None:
    assert encode_array(AGE, pa.array([1.4, 1.5, 2.5, 2.6])).tolist() == [1, 2, 2, 3]


def test_numbers_are_clamped_and_nan_and_infinities_are_missing() -> None:
    array = pa.array([0.5, 99.0, -99.0, np.nan, np.inf, -np.inf, None])
    codes = encode_array(WEIGHT_OR_MISSING, array)
    assert codes.dtype == np.float64
    assert codes[:3].tolist() == [0.5, 2.5, -1.5]
    assert np.isnan(codes[3:]).all()
    assert encode_array(WEIGHT, array).tolist() == [0.5, 2.5, -1.5, -1.5, -1.5, -1.5, -1.5]


def test_an_unlisted_category_becomes_missing_or_the_public_default() -> None:
    cells = pa.array(["green", "blue", " red ", "", None])
    assert encode_array(COLOUR, cells).tolist() == [1, 0, 0, 0, 0]
    nullable = _column(kind="categorical", categories=COLOUR.categories, nullable=True)
    assert encode_array(nullable, cells).tolist() == [1, 3, 0, 3, 3]


def test_an_unlisted_category_becomes_other_where_declared_and_missing_stays_missing() -> None:
    column = _column(kind="categorical", categories=("red", "other"), unknown="other", nullable=True)
    assert encode_array(column, pa.array(["red", "blue", "", None])).tolist() == [0, 1, 2, 2]
    numbers = _column(kind="categorical", categories=(1, -1), unknown="other", other=-1, nullable=True)
    assert encode_array(numbers, pa.array([1.0, 7.0, np.nan])).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("array", "codes"),
    [
        (pa.array(["true", "False", " YES ", "no", "1", "0", "1.0"]), [1, 0, 1, 0, 1, 0, 1]),
        (pa.array([True, False, None]), [1, 0, 2]),
        (pa.array([1, 0, 2], pa.int8()), [1, 0, 2]),
        (pa.array([1.0, 0.0, 0.5, np.nan]), [1, 0, 2, 2]),
        (pa.array(["maybe", "", None]), [2, 2, 2]),
    ],
)
def test_truth_values_are_read_from_words_numbers_and_booleans(array: pa.Array, codes: list[int]) -> None:
    encoded = encode_array(_column(kind="boolean", nullable=True), array)
    assert encoded.dtype == np.int32
    assert encoded.tolist() == codes


def test_dates_are_read_from_text_dates_and_timestamps_alike() -> None:
    text = pa.array(["2020-03-01", "2020-03-01T23:59:59", "2020-02-30", "1999-01-01"])
    assert [DAY.value_of(code) for code in encode_array(DAY, text)] == ["2020-03-01"] * 2 + [
        None,
        "2020-01-01",
    ]
    late_in_berlin = pa.array([1_583_103_600], pa.int64()).cast(pa.timestamp("s", "Europe/Berlin"))
    assert [DAY.value_of(code) for code in encode_array(DAY, late_in_berlin)] == ["2020-03-02"]


def test_times_without_a_zone_are_read_in_the_columns_zone() -> None:
    text = pa.array(["2020-07-01T12:00:00", "2020-07-01T12:00:00Z", "2020-07-01 12:00:00+02:00", "nonsense"])
    values = [MOMENT.value_of(code) for code in encode_array(MOMENT, text)]
    assert values == ["2020-07-01T10:00:00.000000Z", "2020-07-01T12:00:00.000000Z", values[0], None]


def test_times_far_outside_every_unit_are_clamped() -> None:
    for unit in ("s", "ms", "us", "ns"):
        far = pa.array([-(2**63), 2**63 - 1], pa.int64()).cast(pa.timestamp(unit))
        assert encode_array(MOMENT, far).tolist() == [0, MOMENT.missing_code - 1]


def test_a_format_reads_other_dates_and_integer_dates() -> None:
    slashes = _column(kind="date", lower="2020-01-01", upper="2020-12-31", format="%d/%m/%Y", nullable=True)
    assert encode_array(slashes, pa.array(["02/01/2020", "2020-01-02"])).tolist() == [1, slashes.missing_code]
    digits = _column(kind="date", lower="2020-01-01", upper="2020-12-31", format="%Y%m%d", nullable=True)
    assert encode_array(digits, pa.array([20200102, 20201231, None])).tolist() == [1, 365, 366]


def test_a_column_that_waits_for_discovery_cannot_be_encoded() -> None:
    with pytest.raises(SchemaError, match=r'column "c": categories or bounds are not known yet'):
        encode_array(_column(kind="categorical", discover=True), pa.array(["a"]))


def test_a_storage_type_that_cannot_hold_the_kind_is_refused_by_name() -> None:
    with pytest.raises(SchemaError, match=r'column "c": kind integer cannot be read from storage type list'):
        encode_array(AGE, pa.array([[1], [2]]))


def test_a_table_of_no_chunks_gives_no_codes() -> None:
    assert encode_array(AGE, pa.chunked_array([], pa.int64())).tolist() == []


def _read(column: Column, array: pa.Array) -> np.ndarray | None:
    try:
        check_readable(column, array.type)
    except SchemaError:
        return None
    return encode_array(column, array)


@given(sample=samples(rows=1), array=wild_arrays | wild_times)
def test_no_cell_can_raise_or_leave_the_code_range(sample: object, array: pa.Array) -> None:
    column = sample.column  # type: ignore[attr-defined]
    codes = _read(column, array)
    if codes is None:
        return
    assert len(codes) == len(array)
    assert codes.dtype == code_type(column)
    if column.kind is Kind.NUMERIC:
        inside = (codes >= column.lower) & (codes <= column.upper)
        assert (inside | (np.isnan(codes) & column.nullable)).all()
    else:
        assert ((codes >= 0) & (codes < column.cells)).all()


@given(sample=samples(rows=1), array=wild_arrays | wild_times, cut=st.integers(0, 8))
def test_a_cell_is_encoded_without_looking_at_other_rows(sample: object, array: pa.Array, cut: int) -> None:
    column = sample.column  # type: ignore[attr-defined]
    whole = _read(column, array)
    if whole is None:
        return
    parts = [encode_array(column, array.slice(0, cut)), encode_array(column, array.slice(cut))]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_a_million_rows_of_five_thousand_categories_encode_fast() -> None:
    categories = tuple(f"category {number}" for number in range(5_000))
    column = _column(kind="categorical", categories=categories)
    expected = np.arange(1_000_000) * 7 % 5_000
    array = pa.array(categories).take(pa.array(expected))
    started = time.process_time()
    codes = encode_array(column, array)
    # About 0.1 s of processor time; the limit leaves room for a slow machine, not for a loop over rows.
    assert time.process_time() - started < 1.5
    np.testing.assert_array_equal(codes, expected)
