import numpy as np
import pyarrow as pa
import pytest

from triplea.errors import SchemaError
from triplea.schema import Column, Kind, Schema, Unit, len_of

AGE = Column(name="age", kind=Kind.INTEGER, lower=0, upper=120, nullable=True)
SEX = Column(name="sex", kind=Kind.CATEGORICAL, categories=("f", "m"))
DOSE = Column(name="dose", kind=Kind.NUMERIC, lower=0, upper=1)
WHO = Column(name="who", kind=Kind.IDENTIFIER)
SCHEMA = Schema(columns=(AGE, WHO, SEX, DOSE), target="sex", unit=Unit(column="who", max_rows=2))
TABLE = pa.table(
    {
        "who": ["p1", "p2", "p3"],
        "dose": pa.array([0.5, 7.0, None], pa.float32()),
        "sex": ["m", "x", "f"],
        "age": pa.array([30, None, 500], pa.int16()),
    }
)


def test_a_table_is_encoded_column_by_column_without_its_identifiers() -> None:
    encoded = SCHEMA.encode(TABLE)
    assert list(encoded) == ["age", "sex", "dose"]
    assert encoded["age"].tolist() == [30, 121, 120]
    assert encoded["sex"].tolist() == [1, 0, 0]
    assert encoded["dose"].tolist() == [0.5, 1.0, 0.0]
    assert len_of(encoded) == 3


def test_batches_and_tables_encode_alike() -> None:
    parts = [SCHEMA.encode(batch) for batch in TABLE.to_batches(max_chunksize=1)]
    whole = SCHEMA.encode(TABLE)
    for name, codes in whole.items():
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), codes)


def test_decoded_columns_follow_the_containers_order_and_types() -> None:
    returned = SCHEMA.decode(SCHEMA.encode(TABLE), types=TABLE.schema)
    assert returned.column_names == ["dose", "sex", "age"]
    assert returned.schema.types == [pa.float32(), pa.string(), pa.int16()]
    alone = SCHEMA.decode(SCHEMA.encode(TABLE))
    assert alone.column_names == ["age", "sex", "dose"]
    assert alone.schema.types == [pa.int64(), pa.string(), pa.float64()]


def test_a_field_that_may_not_be_null_stays_so_only_where_the_schema_agrees() -> None:
    strict = pa.schema(
        [pa.field("age", pa.int16(), nullable=False), pa.field("sex", pa.string(), nullable=False)]
    )
    returned = SCHEMA.decode(SCHEMA.encode(TABLE), types=strict)
    assert [returned.field(name).nullable for name in ("age", "sex", "dose")] == [True, False, True]


def test_an_empty_table_has_every_column_and_no_rows() -> None:
    empty = SCHEMA.empty()
    assert len_of(empty) == 0
    assert len_of({}) == 0
    assert [codes.dtype for codes in empty.values()] == [np.int64, np.int32, np.float64]
    assert SCHEMA.decode(empty, types=TABLE.schema).num_rows == 0


def test_conditions_are_encoded_or_refused_by_name() -> None:
    assert SCHEMA.encode_where({"age": "30", "sex": "m"}) == {"age": 30, "sex": 1}
    with pytest.raises(SchemaError, match=r'"agee" is not a column of the schema; did you mean "age"\?'):
        SCHEMA.encode_where({"agee": 3})
    with pytest.raises(SchemaError, match='column "age": 200 is not allowed; use an integer from 0 to 120'):
        SCHEMA.encode_where({"age": 200})


def test_a_column_can_be_exchanged() -> None:
    wider = Column(name="age", kind=Kind.INTEGER, lower=0, upper=150)
    changed = SCHEMA.replace_column(wider)
    assert changed.column("age") is wider
    assert (changed.names, changed.dropped, changed.unit) == (SCHEMA.names, SCHEMA.dropped, SCHEMA.unit)
    with pytest.raises(SchemaError, match='"other" is not a column'):
        SCHEMA.replace_column(Column(name="other", kind=Kind.BOOLEAN))


def test_a_column_named_as_set_aside_is_not_modelled() -> None:
    schema = Schema(columns=(AGE, SEX), other_columns=("age",))
    assert schema.names == ("sex",)
    assert schema.dropped == (AGE,)


def test_absent_columns_are_named_before_anything_is_read() -> None:
    with pytest.raises(SchemaError, match='column "sex" is in the schema but not in the table'):
        SCHEMA.encode(TABLE.drop_columns(["sex"]))
    with pytest.raises(SchemaError, match='column "dose" is in the schema but not among the encoded columns'):
        SCHEMA.decode({"age": np.zeros(1), "sex": np.zeros(1)})


def test_container_types_are_checked_without_rows() -> None:
    SCHEMA.check_types(TABLE.schema)
    with pytest.raises(
        SchemaError, match='column "dose": kind numeric cannot be read from storage type date32'
    ):
        SCHEMA.check_types(pa.schema({"dose": pa.date32()}))


def test_a_schema_is_frozen_and_equal_by_content() -> None:
    again = Schema(columns=(AGE, WHO, SEX, DOSE), target="sex", unit=Unit(column="who", max_rows=2))
    assert again == SCHEMA
    with pytest.raises(AttributeError):
        SCHEMA.target = "age"  # type: ignore[misc]
