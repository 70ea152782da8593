from __future__ import annotations

import json
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pytest

from triplea.tables.pandas_metadata import without_row_types


def test_types_that_one_null_would_have_changed_are_left_to_the_schema() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1, 2],
            "short": pd.array([1, 2], "int8").to_numpy(),
            "real": [0.5, None],
            "single": pd.array([0.5, 1.0], "float32").to_numpy(),
            "kept": pd.array([1, None], "Int16"),
            "text": ["a", None],
            "truth": [True, False],
            "half": [True, None],
            "money": [Decimal("1.25"), None],
            "words": pd.Series(["a", None], dtype=object),
            "nothing": pd.Series([None, None], dtype=object),
            "day": pd.to_datetime(["2020-01-01", None]),
        }
    )
    layout = pa.Schema.from_pandas(frame)
    declared = without_row_types(layout)
    gone = ["whole", "short", "real", "truth", "half", "money"]
    assert [part.name for part in declared if pa.types.is_null(part.type)] == gone
    assert declared.field("words").type == declared.field("nothing").type == pa.string()
    assert all(declared.field(n).type == layout.field(n).type for n in ("single", "kept", "text", "day"))
    assert declared.metadata is None


@pytest.mark.parametrize("size", [2, 200])
def test_categories_of_text_stay_such_and_do_not_say_how_many_there_are(size: int) -> None:
    names = pd.Categorical([f"c{i}" for i in range(size)])
    layout = pa.Schema.from_pandas(pd.DataFrame({"text": names, "code": pd.Categorical(range(size))}))
    declared = without_row_types(layout)
    assert declared.types == [pa.dictionary(pa.int32(), pa.string()), pa.null()]


@pytest.mark.parametrize(
    "noted",
    [None, b"", b"[]", b"{}", b'{"columns": 3}', b'{"columns": [3]}', b'{"columns": [{"name": "a"}]}'],
)
def test_layouts_that_pandas_did_not_write_are_declared(noted: bytes | None) -> None:
    layout = pa.schema([("a", pa.int32())], metadata=None if noted is None else {b"pandas": noted})
    assert without_row_types(layout) == pa.schema([("a", pa.int32())])


def test_older_files_name_columns_without_fields() -> None:
    noted = json.dumps(
        {"columns": [{"name": "a", "numpy_type": "uint8"}, {"name": None, "numpy_type": "int64"}]}
    )
    layout = pa.schema([("a", pa.uint8()), ("b", pa.int64())], metadata={b"pandas": noted.encode()})
    assert without_row_types(layout).types == [pa.null(), pa.int64()]
