import pyarrow as pa
import pytest

from triplea.errors import SchemaError
from triplea.schema.dtypes import parse_dtype


@pytest.mark.parametrize(
    "storage",
    [
        pa.int8(),
        pa.uint64(),
        pa.float32(),
        pa.float64(),
        pa.bool_(),
        pa.string(),
        pa.large_string(),
        pa.date32(),
        pa.timestamp("ns"),
        pa.timestamp("us", tz="Europe/Berlin"),
        pa.decimal128(10, 2),
        pa.dictionary(pa.int8(), pa.string(), ordered=True),
    ],
)
def test_arrows_own_name_of_a_type_is_read_back(storage: pa.DataType) -> None:
    assert parse_dtype(str(storage)) == storage


def test_dictionary_alone_means_text_categories() -> None:
    assert parse_dtype("dictionary") == pa.dictionary(pa.int32(), pa.string())


@pytest.mark.parametrize(
    "name", ["", "itn32", "timestamp[h]", "decimal128(99, 2)", "dictionary<values=x, indices=y>"]
)
def test_an_unknown_name_is_refused_with_examples(name: str) -> None:
    with pytest.raises(SchemaError, match="is not an Arrow type name; use one such as int32"):
        parse_dtype(name)
