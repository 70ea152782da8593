import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schema.strategies import Sample, columns_of_samples, samples
from triplea.schema import Column, Kind, Schema
from triplea.schema.decode import decode_array
from triplea.schema.encode import encode_array
from triplea.schema.storage import storage_type


def _column(**entries: object) -> Column:
    return Column(name="c", **entries)  # type: ignore[arg-type]


def _plain(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return whole.dictionary_decode() if pa.types.is_dictionary(whole.type) else whole


@pytest.mark.parametrize(
    ("storage", "upper", "values", "returned"),
    [
        (pa.uint64(), 1.8e19, [1e19, 1.9e19, 3.5], [10**19, 18 * 10**18, 4]),
        (pa.int64(), 2.0**62, [1e18, 2.0**63], [10**18, 2**62]),
        (pa.int8(), 120.5, [7.2, 999.0], [7, 120]),
    ],
)
def test_a_numeric_column_in_an_integer_type_uses_all_of_its_range(
    storage: pa.DataType, upper: float, values: list[float], returned: list[int]
) -> None:
    column = _column(kind="numeric", lower=0.0, upper=upper)
    assert decode_array(column, np.array(values), storage).to_pylist() == returned


@given(table=columns_of_samples())
def test_in_domain_tables_come_back_exactly(table: list[Sample]) -> None:
    original = pa.table({sample.column.name: sample.array for sample in table})
    schema = Schema(columns=tuple(sample.column for sample in table))
    returned = schema.decode(schema.encode(original), types=original.schema)
    assert returned.schema.types == original.schema.types
    for name in original.column_names:
        assert _plain(returned[name]).equals(_plain(original[name])), name


@given(sample=samples(rows=1), data=st.data())
def test_whatever_a_model_emits_the_output_lies_in_the_schema(sample: Sample, data: st.DataObject) -> None:
    column = sample.column
    codes = data.draw(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=6))
    array = decode_array(column, np.array(codes), storage_type(column, sample.storage))
    assert column.nullable or array.null_count == 0
    again = encode_array(column, array)
    if column.is_countable:
        assert ((again >= 0) & (again < column.cells)).all()
    values = [value for value in _plain(array).to_pylist() if value is not None]
    if column.categories is not None:
        assert set(values) <= set(column.categories)
    elif column.kind is Kind.INTEGER:
        assert all(column.lower <= value <= column.upper for value in values)
    elif column.kind is Kind.NUMERIC:
        assert all(column.lower <= float(value) <= column.upper for value in values)


def test_dictionary_output_has_exactly_the_schemas_categories_in_order() -> None:
    column = _column(kind="categorical", categories=("b", "a", "never seen"), dtype="dictionary")
    array = decode_array(column, np.array([1, 1, 0]), storage_type(column))
    assert array.dictionary.to_pylist() == ["b", "a", "never seen"]
    assert array.to_pylist() == ["a", "a", "b"]


def test_a_dictionary_index_that_is_too_narrow_is_widened() -> None:
    column = _column(kind="categorical", categories=tuple(str(number) for number in range(300)))
    container = pa.dictionary(pa.int8(), pa.string())
    array = decode_array(column, np.array([299]), storage_type(column, container))
    assert array.type.index_type == pa.int32()
    assert array.to_pylist() == ["299"]


def test_decimals_are_rounded_and_then_clamped() -> None:
    column = _column(kind="numeric", lower=0.0, upper=0.996, decimals=2)
    assert decode_array(column, np.array([0.123, 0.9959]), pa.float64()).to_pylist() == [0.12, 0.996]


def test_single_precision_never_rounds_out_of_the_bounds() -> None:
    column = _column(kind="numeric", lower=0.1, upper=0.3)
    values = decode_array(column, np.array([0.1, 0.3]), pa.float32()).to_pylist()
    assert all(0.1 <= value <= 0.3 for value in values)


def test_missing_in_a_column_that_is_not_nullable_becomes_the_default() -> None:
    column = _column(kind="categorical", categories=("x", "y"))
    assert decode_array(column, np.array([2, 1]), pa.string()).to_pylist() == ["x", "y"]
    assert decode_array(
        _column(kind="numeric", lower=3, upper=4), np.array([np.nan]), pa.float64()
    ).to_pylist() == [3]


def test_times_come_back_in_the_containers_unit_and_zone() -> None:
    column = _column(
        kind="datetime", lower="2020-01-01T00:00:00.5", upper="2020-01-01T00:00:02", tz="Asia/Tokyo"
    )
    aware = decode_array(column, np.array([0, 600_000]), pa.timestamp("s", "UTC"))
    # The first whole second inside the bounds is one second past: the floor would lie below lower.
    assert [str(value) for value in aware] == ["2019-12-31 15:00:01+00:00"] * 2
    naive = decode_array(column, np.array([500_000]), pa.timestamp("ms"))
    assert [str(value) for value in naive] == ["2020-01-01 00:00:01"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (_column(kind="integer", lower=0, upper=9, dtype="string"), "3"),
        (_column(kind="numeric", lower=0, upper=9, dtype="string"), "3"),
        (_column(kind="date", lower="2020-01-01", upper="2021-01-01", dtype="string"), "2020-01-04"),
        (
            _column(kind="datetime", lower="2020-01-01", upper="2021-01-01", time_unit="s", dtype="string"),
            "2020-01-01T00:00:03",
        ),
        (
            _column(kind="date", lower="2020-01-01", upper="2021-01-01", dtype="int64", format="%Y%m%d"),
            20200104,
        ),
        (_column(kind="categorical", categories=(5, 6, 7, 8), dtype="string"), "8"),
        (_column(kind="integer", lower=0, upper=9, dtype="decimal128(5, 2)"), 3),
    ],
)
def test_a_declared_dtype_decides_the_storage(column: Column, expected: object) -> None:
    assert decode_array(column, np.array([3]), storage_type(column)).to_pylist() == [expected]
