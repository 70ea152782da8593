"""Awkward cells cover the extremes of every storage type, and a schema takes all of them silently."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tests.support.tables import MIXED_TYPES, mixed_schema, text_layout
from triplea.audit.awkward import awkward_cells, awkward_row
from triplea.schema import Column

AGE = Column(name="age", kind="integer", lower=0, upper=120)  # type: ignore[arg-type]
WARD = Column(name="ward", kind="categorical", categories=("a", "b"))  # type: ignore[arg-type]


def test_numbers_reach_both_ends_and_beyond() -> None:
    cells = awkward_cells(AGE, pa.int64()).to_pylist()
    assert {0, 120, -1, 121, 2**63 - 1, -(2**63), None} <= set(cells)
    floats = awkward_cells(AGE, pa.float64())
    assert pa.compute.any(pa.compute.is_nan(floats)).as_py()
    assert pa.compute.any(pa.compute.is_inf(floats)).as_py()


def test_texts_hold_listed_and_unlisted_categories() -> None:
    assert {"a", "b", "", "a value nobody listed", None} <= set(awkward_cells(WARD, pa.string()).to_pylist())


@pytest.mark.parametrize(
    "storage",
    [pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.bool_(), pa.decimal128(12, 2), pa.date32(),
     pa.date64(), pa.timestamp("s"), pa.timestamp("ns", tz="UTC"), pa.large_string(), pa.binary(),
     pa.dictionary(pa.int8(), pa.string()), pa.time64("us"), pa.null()],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("column", [AGE, WARD, None], ids=["age", "ward", "unmodelled"])
def test_every_storage_type_has_awkward_cells_and_a_null(storage: pa.DataType, column: Column | None) -> None:
    cells = awkward_cells(column, storage)
    assert cells.type == storage
    assert not cells[len(cells) - 1].is_valid


@pytest.mark.parametrize("layout", [MIXED_TYPES, text_layout(MIXED_TYPES)], ids=["typed", "text"])
def test_the_schema_encodes_any_awkward_row(layout: pa.Schema) -> None:
    schema, rng = mixed_schema(), np.random.default_rng(0)
    for _ in range(50):
        encoded = schema.encode(awkward_row(schema, layout, rng=rng))
        for column in schema.columns:
            code = encoded[column.name][0]
            if column.is_countable:
                assert 0 <= code < column.cells
            else:
                assert (
                    np.isnan(code)
                    if np.isnan(code) and column.nullable
                    else column.lower <= code <= column.upper
                )
