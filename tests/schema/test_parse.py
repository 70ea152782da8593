from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from triplea.schema.parse import (
    INT64_MAX,
    INT64_MIN,
    Family,
    as_bools,
    as_floats,
    as_ints,
    family_of,
    not_blank,
    plain,
    value_type,
)


@pytest.mark.parametrize(
    ("storage", "family"),
    [
        (pa.uint64(), Family.INTEGER),
        (pa.float16(), Family.FLOAT),
        (pa.decimal256(50, 2), Family.DECIMAL),
        (pa.dictionary(pa.int8(), pa.large_string()), Family.TEXT),
        (pa.run_end_encoded(pa.int32(), pa.bool_()), Family.BOOLEAN),
        (pa.string_view(), Family.TEXT),
        (pa.binary(4), Family.TEXT),
        (pa.date64(), Family.DATE),
        (pa.timestamp("ns", "UTC"), Family.TIMESTAMP),
        (pa.null(), Family.NULL),
        (pa.list_(pa.int8()), Family.OTHER),
        (pa.uuid(), Family.TEXT),
    ],
)
def test_the_family_of_a_type_ignores_width_and_wrapping(storage: pa.DataType, family: Family) -> None:
    assert family_of(storage) is family


def test_value_types_are_unwrapped_to_the_bottom() -> None:
    assert value_type(pa.dictionary(pa.int8(), pa.string())) == pa.string()


def test_bytes_that_are_not_utf8_do_not_raise() -> None:
    text = plain(pa.array([b"\xff\xfe", b" 12 ", None]))
    assert as_ints(text).values[1] == 12
    assert as_ints(text).valid.tolist() == [False, True, False]
    assert as_bools(text).valid.tolist() == [False, False, False]
    assert plain(pa.array([b"ab"], pa.binary(2))).to_pylist() == ["ab"]


def test_text_becomes_numbers_and_nothing_else_does() -> None:
    text = pa.array(["1", "-.5", "+2.", " 3e2 ", "1,5", "1_0", "0x10", "nan", "inf", "", "e5", None])
    floats = as_floats(text)
    assert floats[:4].tolist() == [1.0, -0.5, 2.0, 300.0]
    assert np.isnan(floats[4:]).all()


def test_numbers_too_large_for_their_type_saturate() -> None:
    assert as_floats(pa.array(["1e999", "-1e999"])).tolist() == [np.finfo(float).max, -np.finfo(float).max]
    text = as_ints(pa.array(["9" * 20, "-" + "9" * 50, str(INT64_MAX - 1), str(INT64_MIN)]))
    assert text.values.tolist() == [INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN]
    assert as_ints(pa.array([1e300, -1e300, 2.0**63])).values.tolist() == [INT64_MAX, INT64_MIN, INT64_MAX]
    assert as_ints(pa.array([2**64 - 1], pa.uint64())).values.tolist() == [INT64_MAX]


def test_decimals_round_to_the_nearest_even_integer_without_a_crash_at_full_precision() -> None:
    values = [Decimal("99.99"), Decimal("0.50"), Decimal("1.50"), None]
    parsed = as_ints(pa.array(values, pa.decimal128(4, 2)))
    assert parsed.values.tolist() == [100, 0, 2, 0]
    assert parsed.valid.tolist() == [True, True, True, False]
    assert as_ints(pa.array([Decimal("7e2")], pa.decimal128(3, -2))).values.tolist() == [700]


def test_a_cell_is_blank_when_null_nan_or_white_space() -> None:
    assert not_blank(pa.array(["a", " ", "", None])).tolist() == [True, False, False, False]
    assert not_blank(pa.array([1.0, np.nan, None])).tolist() == [True, False, False]
    assert not_blank(pa.array([1, None])).tolist() == [True, False]


def test_null_arrays_hold_nothing() -> None:
    assert not as_ints(pa.nulls(2)).valid.any()
    assert np.isnan(as_floats(pa.nulls(2))).all()
    assert not as_bools(pa.nulls(2)).valid.any()
