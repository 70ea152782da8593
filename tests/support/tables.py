"""Small tables with all kinds of columns, in typed and in text form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.schema import Schema, load_schema

# One column of every kind and of every size that the queries treat differently.
MIXED: dict[str, Any] = {
    "name": "mixed",
    "target": "sick",
    "columns": [
        {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c"], "nullable": True},
        {
            "name": "grade",
            "kind": "ordinal",
            "categories": ["low", "mid", "high", "other"],
            "unknown": "other",
        },
        {"name": "sick", "kind": "boolean"},
        {"name": "visits", "kind": "integer", "lower": 0, "upper": 9, "nullable": True},
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
        {"name": "cents", "kind": "integer", "lower": -(2**40), "upper": 2**40, "nullable": True},
        {"name": "score", "kind": "numeric", "lower": -1.5, "upper": 2.5, "nullable": True},
        {"name": "dose", "kind": "numeric", "lower": 0, "upper": 10, "decimals": 2},
        {"name": "fixed", "kind": "numeric", "lower": 3, "upper": 3, "nullable": True},
        {"name": "born", "kind": "date", "lower": "1900-01-01", "upper": "2020-12-31", "nullable": True},
        {
            "name": "seen",
            "kind": "datetime",
            "lower": "2020-01-01T00:00:00+00:00",
            "upper": "2021-01-01T00:00:00+00:00",
            "tz": "Europe/Berlin",
        },
    ],
}
MIXED_TYPES = pa.schema(
    [
        ("ward", pa.string()),
        ("grade", pa.dictionary(pa.int32(), pa.string())),
        ("sick", pa.bool_()),
        ("visits", pa.int64()),
        ("age", pa.float64()),
        ("cents", pa.int64()),
        ("score", pa.float64()),
        ("dose", pa.float32()),
        ("fixed", pa.float64()),
        ("born", pa.date32()),
        ("seen", pa.timestamp("us", tz="UTC")),
    ]
)
UNIT: dict[str, Any] = {
    "target": "sick",
    "unit": {"column": "person", "max_rows": 2},
    "columns": [
        {"name": "person", "kind": "identifier"},
        {"name": "sick", "kind": "boolean", "nullable": True},
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
        {"name": "score", "kind": "numeric", "lower": -1, "upper": 1, "nullable": True},
    ],
}


def mixed_schema() -> Schema:
    return load_schema(MIXED)


def text_layout(layout: pa.Schema) -> pa.Schema:
    """The same columns as a CSV file has them: all text."""
    return pa.schema([(name, pa.string()) for name in layout.names])


def mixed_table(rows: int, *, seed: int = 0) -> pa.Table:
    """An ordinary table for the mixed schema."""
    rng = np.random.default_rng(seed)
    seconds = rng.integers(1_577_836_800, 1_609_459_200, rows)
    columns: Sequence[Any] = [
        _some_null(np.array(["a", "b", "c"])[rng.integers(0, 3, rows)].tolist(), rng),
        np.array(["low", "mid", "high", "rare"])[rng.integers(0, 4, rows)].tolist(),
        (rng.random(rows) < 0.3).tolist(),
        _some_null(rng.integers(0, 10, rows).tolist(), rng),
        rng.integers(0, 100, rows).astype(float).tolist(),
        _some_null(rng.integers(-(10**6), 10**6, rows).tolist(), rng),
        _some_null(rng.normal(0, 1, rows).tolist(), rng),
        np.round(rng.gamma(2, 1, rows), 1).tolist(),
        [3.0] * rows,
        _some_null(pa.array(rng.integers(0, 18_000, rows), pa.int32()).cast(pa.date32()).to_pylist(), rng),
        pa.array(seconds * 10**6).cast(pa.timestamp("us", tz="UTC")).to_pylist(),
    ]
    arrays = [_array(cells, field.type) for cells, field in zip(columns, MIXED_TYPES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=MIXED_TYPES)


def unit_table(rows: int, *, seed: int = 0) -> pa.Table:
    """Several rows a person, some without a person."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "person": pa.array(
                _some_null(rng.integers(0, max(rows // 3, 1), rows).tolist(), rng), pa.int64()
            ),
            "sick": pa.array(_some_null((rng.random(rows) < 0.4).tolist(), rng), pa.bool_()),
            "age": pa.array(rng.integers(0, 100, rows)),
            "score": pa.array(_some_null(rng.normal(0, 0.5, rows).tolist(), rng), pa.float64()),
        }
    )


def as_text(table: pa.Table) -> pa.Table:
    """The same rows as a CSV reader would give them."""
    return pa.table(
        {name: pa.array([None if v is None else str(v) for v in table.column(name).to_pylist()], pa.string())
         for name in table.column_names}
    )  # fmt: skip


def _some_null(cells: list[Any], rng: np.random.Generator) -> list[Any]:
    return [None if gone else cell for cell, gone in zip(cells, rng.random(len(cells)) < 0.1, strict=True)]


def _array(cells: list[Any], storage: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(storage):
        return pa.array(cells, storage.value_type).dictionary_encode()
    return pa.array(cells, storage)
