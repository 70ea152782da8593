from __future__ import annotations

from datetime import date, datetime

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from triplea.errors import TableError
from triplea.tables.frame_source import ArrowSource, PandasSource, PolarsSource
from triplea.tables.source import require_columns


def test_an_arrow_table_and_a_batch_are_read_in_slices() -> None:
    table = pa.table({"a": list(range(5)), "b": ["x"] * 5})
    for source in (ArrowSource(table), ArrowSource(table.to_batches()[0])):
        batches = list(source.batches(["b", "a"], 2))
        assert [batch.num_rows for batch in batches] == [2, 2, 1]
        assert pa.Table.from_batches(batches).column("a").to_pylist() == [0, 1, 2, 3, 4]
        assert sum(batch.num_rows for batch in source.batches([], 2)) == 5


def test_polars_types_are_all_declared() -> None:
    frame = pl.DataFrame(
        {
            "i": [1, None],
            "s": ["x", None],
            "c": pl.Series(["u", "v"], dtype=pl.Categorical),
            "e": pl.Series(["u", "v"], dtype=pl.Enum(["u", "v", "w"])),
            "d": [date(2020, 1, 1), None],
            "t": [datetime(2020, 1, 1, 12), None],
            "b": [True, None],
        }
    )
    source = PolarsSource(frame)
    assert source.layout.names == frame.columns
    assert source.declared == source.layout
    read = pa.Table.from_batches(source.batches(frame.columns, 1))
    assert read.to_pylist() == frame.cast({"c": pl.String, "e": pl.String}).to_dicts()


def test_a_polars_object_column_is_refused_by_name() -> None:
    source = PolarsSource(pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}))
    with pytest.raises(TableError, match='column "a" has the type'):
        require_columns(source, ["a"])


def test_pandas_declares_only_types_that_do_not_change_with_the_rows() -> None:
    frame = pd.DataFrame(
        {
            "i": [1, 2],
            "f": [1.5, None],
            "o": pd.Series(["x", 3], dtype=object),
            "I": pd.array([1, None], dtype="Int16"),
            "c": pd.Categorical(["u", "v"]),
            "t": pd.to_datetime(["2020-01-01", None]).tz_localize("Europe/Paris"),
        }
    )
    declared = PandasSource(frame).declared
    assert [declared.field(name).type for name in ("i", "f", "o")] == [pa.null()] * 3
    assert declared.field("I").type == pa.int16()
    assert pa.types.is_dictionary(declared.field("c").type)
    assert declared.field("t").type.tz == "Europe/Paris"


def test_pandas_labels_may_be_numbers_but_not_repeated() -> None:
    assert PandasSource(pd.DataFrame([[1, 2]])).layout.names == ["0", "1"]
    with pytest.raises(TableError, match="columns 1 and 2 have the same name"):
        PandasSource(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_column_added_to_the_frame_later_does_not_reach_the_source() -> None:
    frame = pd.DataFrame({"a": [1, 2]})
    source = PandasSource(frame)
    frame["a"] = [8, 9]
    assert next(source.batches(["a"], 10)).column("a").to_pylist() == [1, 2]
