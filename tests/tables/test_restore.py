from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pandas.testing import assert_frame_equal

from triplea.schema import Column, Kind, Schema
from triplea.tables import deliver, open_table
from triplea.tables.restore import to_pandas, to_polars


def schema(**nullable: bool) -> Schema:
    return Schema(
        columns=(
            Column(name="i", kind=Kind.INTEGER, lower=0, upper=9, nullable=nullable.get("i", False)),
            Column(name="b", kind=Kind.BOOLEAN, nullable=nullable.get("b", False)),
        )
    )


def test_a_pandas_type_follows_the_schema_and_never_the_nulls_in_the_rows() -> None:
    table = pa.table({"i": [1, 2], "b": [True, False]})
    plain = to_pandas(
        table, schema=schema(), dtypes={"i": pd.Series([1]).dtype, "b": pd.Series([True]).dtype}
    )
    assert [str(kind) for kind in plain.dtypes] == ["int64", "bool"]
    for values in ([1, 2], [1, None]):
        other = table.set_column(0, "i", pa.array(values, pa.int64()))
        frame = to_pandas(other, schema=schema(i=True, b=True), dtypes={})
        assert [str(kind) for kind in frame.dtypes] == ["Int64", "boolean"]


def test_categories_come_back_as_the_schema_lists_them_and_keep_their_order_flag() -> None:
    column = Column(name="c", kind=Kind.CATEGORICAL, categories=("lo", "mid", "hi"), nullable=True)
    private = pd.DataFrame({"c": pd.Categorical(["hi", "secret", None], ordered=True)})
    table = open_table(private, schema=Schema(columns=(column,)))
    frame = deliver(pa.table({"c": ["mid", None]}), table)
    assert frame["c"].dtype == pd.CategoricalDtype(["lo", "mid", "hi"], ordered=True)
    assert frame["c"].isna().to_list() == [False, True]


def test_pandas_extension_and_time_types_come_back_as_they_were() -> None:
    private = pd.DataFrame(
        {
            "n": pd.array([1, None], dtype="Int16"),
            "s": pd.array(["a", None], dtype="string"),
            "p": pd.array(["a", None], dtype=pd.ArrowDtype(pa.large_string())),
            "t": pd.to_datetime(["2020-01-01", "2020-06-01"]).astype("datetime64[ns]"),
            "z": pd.to_datetime(["2020-01-01", "2020-06-01"]).tz_localize("Europe/Paris").as_unit("ms"),
            "f": pd.Series([1.5, 2.5], dtype="float32"),
        }
    )
    listed = {"categories": ("a", "b"), "nullable": True}
    bounds = {"lower": "2019-01-01", "upper": "2021-01-01"}
    wanted = Schema(
        columns=(
            Column(name="n", kind=Kind.INTEGER, lower=0, upper=9, nullable=True),
            Column(name="s", kind=Kind.CATEGORICAL, **listed),
            Column(name="p", kind=Kind.CATEGORICAL, **listed),
            Column(name="t", kind=Kind.DATETIME, **bounds),
            Column(name="z", kind=Kind.DATETIME, tz="Europe/Paris", **bounds),
            Column(name="f", kind=Kind.NUMERIC, lower=0, upper=3),
        )
    )
    table = open_table(private, schema=wanted)
    rows = pa.Table.from_batches(table._arrow_batches(wanted.names))
    back = deliver(wanted.decode(wanted.encode(rows), types=table.types), table)
    assert_frame_equal(back, private)


def test_number_labels_of_pandas_come_back() -> None:
    wanted = Schema(columns=(Column(name="0", kind=Kind.INTEGER, lower=0, upper=9),))
    assert deliver(
        pa.table({"0": [1]}), open_table(pd.DataFrame({0: [1]}), schema=wanted)
    ).columns.to_list() == [0]


def test_polars_types_come_back() -> None:
    levels = pl.Enum(["u", "v"])
    private = pl.DataFrame(
        {
            "c": pl.Series(["u", None], dtype=pl.Categorical),
            "e": pl.Series(["u", None], dtype=levels),
            "i": pl.Series([1, None], dtype=pl.UInt8),
        }
    )
    listed = {"categories": ("u", "v"), "nullable": True}
    wanted = Schema(
        columns=(
            Column(name="c", kind=Kind.CATEGORICAL, **listed),
            Column(name="e", kind=Kind.CATEGORICAL, **listed),
            Column(name="i", kind=Kind.INTEGER, lower=0, upper=9, nullable=True),
        )
    )
    table = open_table(private, schema=wanted)
    rows = pa.Table.from_batches(table._arrow_batches(wanted.names))
    back = deliver(wanted.decode(wanted.encode(rows), types=table.types), table)
    assert back.schema == private.schema
    assert back.to_dicts() == private.to_dicts()


@pytest.mark.parametrize("listed", [["u"], ["u", "new", "atlantis"], ["new", "u"]])
def test_the_list_of_a_polars_enum_becomes_the_schemas(listed: list[str]) -> None:
    """An Enum is often made of the values seen: names, and even their order, may come from rows."""
    column = Column(name="e", kind=Kind.CATEGORICAL, categories=("u", "new"))
    frame = to_polars(
        pa.table({"e": ["new"]}), schema=Schema(columns=(column,)), dtypes={"e": pl.Enum(listed)}
    )
    assert frame.schema["e"] == pl.Enum(["u", "new"])
