from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.tables.pandas_columns import column_to_arrow, declared_type, stored_type
from triplea.tables.plain import plain_type


class Unspeakable:
    def __str__(self) -> str:
        raise RuntimeError("secret")


def to_arrow(column: pd.Series) -> pa.Array:
    return column_to_arrow(column, stored_type(column.dtype))


def test_mixed_objects_become_text_and_no_object_can_raise() -> None:
    mixed = [
        1,
        "x",
        None,
        2.5,
        b"\xff",
        True,
        date(2020, 1, 2),
        float("nan"),
        "\ud800",
        Unspeakable(),
        10**40,
    ]
    found = to_arrow(pd.Series(mixed, dtype=object)).to_pylist()
    assert found == [
        "1",
        "x",
        None,
        "2.5",
        "\ufffd\ue4ff",
        "true",
        "2020-01-02",
        None,
        "\ufffd\ue000",
        None,
        "1" + "0" * 40,
    ]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pd.Series([1, 2], dtype="int8"), [1, 2]),
        (pd.Series([1.5, np.nan]), [1.5, None]),
        (pd.Series([True, None], dtype="boolean"), [True, None]),
        (pd.Series([1, None], dtype="Int64"), [1, None]),
        (pd.Series(["x", None], dtype="string"), ["x", None]),
        (pd.Series(["x", None], dtype=pd.ArrowDtype(pa.large_string())), ["x", None]),
        (pd.Series(pd.Categorical(["b", None, "a"])), ["b", None, "a"]),
        (pd.Series(pd.Categorical([3, None, 1])), [3, None, 1]),
        (pd.Series(pd.arrays.SparseArray([0, 0, 5])), [0, 0, 5]),
        (pd.Series(pd.period_range("2020-01", periods=1, freq="M")), ["2020-01"]),
    ],
)
def test_a_column_keeps_its_values_in_the_announced_type(column: pd.Series, values: list[object]) -> None:
    found = to_arrow(column)
    assert found.type == stored_type(column.dtype)
    assert found.to_pylist() == values


def test_complex_numbers_and_time_spans_cannot_be_read() -> None:
    for column in (pd.Series([1j]), pd.Series(pd.to_timedelta([1], unit="s"))):
        assert plain_type(stored_type(column.dtype)) is None
        assert declared_type(column.dtype) is None
    assert pa.types.is_duration(stored_type(column.dtype)), "a refusal names the type"


@given(st.lists(st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.binary(), st.booleans())))
def test_any_objects_become_text_or_null(values: list[object]) -> None:
    column = pd.Series(values, dtype=object)
    found = to_arrow(column)
    assert found.type == pa.string()
    assert len(found) == len(values)
    assert found.is_null().to_pylist() == column.isna().to_list()
