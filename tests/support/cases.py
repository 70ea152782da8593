"""Awkward but allowed: schemas, tables and budgets that every method must cope with or refuse beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tests.support.tables import MIXED, MIXED_TYPES, UNIT, as_text, mixed_table, unit_table
from triplea.schema import Schema, load_schema

Columns = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A schema, a table that goes with it, and a budget."""

    columns: Columns
    table: Callable[[], pa.Table]
    target: str | None = None
    epsilon: float = 1.0
    delta: float = 1e-5
    neighbours: str = "add-or-remove-one"
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        target = {} if self.target is None else {"target": self.target}
        return load_schema({**target, **self.more, "columns": self.columns})

    @property
    def options(self) -> dict[str, Any]:
        """What to hand to `triplea.release` beside the table and the method."""
        budget = {"epsilon": self.epsilon, "delta": self.delta, "neighbours": self.neighbours}
        return {"schema": self.schema, **budget}


def mixed(rows: int = 80, **changes: Any) -> Case:
    settings = {"columns": MIXED["columns"], "target": MIXED["target"], **changes}
    return Case(table=lambda: mixed_table(rows), **settings)


def _one(column: dict[str, Any], cells: list[Any], storage: pa.DataType, **changes: Any) -> Case:
    return Case(
        columns=[{"name": "x", **column}], table=lambda: pa.table({"x": pa.array(cells, storage)}), **changes
    )


def _nullable(columns: Columns) -> Columns:
    return [{**column, "nullable": True} for column in columns]


def _many_columns() -> pa.Table:
    rng = np.random.default_rng(7)
    numbers = {f"n{i}": rng.normal(size=60) for i in range(60)}
    return pa.table({**numbers, **{f"c{i}": pa.array(rng.choice(["u", "v"], 60)) for i in range(60)}})


def _classes() -> pa.Table:
    rng = np.random.default_rng(8)
    labels = [f"k{i}" for i in rng.integers(0, 49, 300)] + ["k49"]
    return pa.table({"y": labels, "x": rng.normal(size=301), "z": rng.integers(0, 5, 301)})


def _open_columns() -> pa.Table:
    rng = np.random.default_rng(9)
    return pa.table(
        {
            "town": pa.array([*rng.choice(["oslo", "rome"], 399), "unique"]),
            "income": rng.gamma(2.0, 20_000, 400),
            "children": rng.integers(0, 6, 400),
            "sick": rng.random(400) < 0.5,
        }
    )


TZ = {
    "kind": "datetime",
    "tz": "America/New_York",
    "lower": "2021-03-01",
    "upper": "2021-11-30",
    "nullable": True,
}
STAMPS = [1_615_705_200_000_000, 1_636_266_600_000_000, None, 0, 2**62]
HUGE = {"kind": "integer", "lower": -(2**62), "upper": 2**62 - 4}
CLASSES = [
    {"name": "y", "kind": "categorical", "categories": [f"k{i}" for i in range(50)]},
    {"name": "x", "kind": "numeric", "lower": -3, "upper": 3},
    {"name": "z", "kind": "ordinal", "categories": [0, 1, 2, 3, 4]},
]
FOUND = [
    {"name": "town", "kind": "categorical", "discover": True},
    {"name": "income", "kind": "numeric", "discover": True},
    {"name": "children", "kind": "integer", "discover": True},
    {"name": "sick", "kind": "boolean"},
]
MANY = [{"name": f"n{i}", "kind": "numeric", "lower": -2, "upper": 2} for i in range(60)] + [
    {"name": f"c{i}", "kind": "categorical", "categories": ["u", "v", "w"]} for i in range(60)
]

CATEGORICAL, NUMERIC, INTEGER = ({"kind": kind} for kind in ("categorical", "numeric", "integer"))
FLOATS, INTEGERS, TEXTS = pa.float64(), pa.int64(), pa.string()


def _dates() -> pa.Table:
    stamps = pa.array([1_600_000_000_000_000 + i * 10**10 for i in range(200)])
    days = pa.array([15_000 + i for i in range(200)], pa.int32())
    return pa.table({"x": stamps.cast(pa.timestamp("us")), "d": days.cast(pa.date32())})


CASES: dict[str, Case] = {
    "all kinds": mixed(),
    "all kinds as text": Case(
        columns=MIXED["columns"], target="sick", table=lambda: as_text(mixed_table(80))
    ),
    "all kinds nullable": mixed(columns=_nullable(MIXED["columns"])),
    "no target": mixed(target=None),
    "numeric target": mixed(target="score"),
    "constant target": mixed(target="fixed"),
    "date target": mixed(target="born"),
    "huge integer target": mixed(target="cents"),
    "empty table": Case(columns=MIXED["columns"], target="sick", table=MIXED_TYPES.empty_table),
    "one row": mixed(1),
    "pure epsilon": mixed(delta=0.0),
    "pure epsilon, empty": Case(
        columns=MIXED["columns"], target="sick", delta=0.0, table=MIXED_TYPES.empty_table
    ),
    "tiny epsilon": mixed(epsilon=0.01),
    "large epsilon": mixed(epsilon=20.0),
    "replace one": mixed(neighbours="replace-one"),
    "replace one, pure": mixed(neighbours="replace-one", delta=0.0),
    "a unit of two rows": Case(
        columns=UNIT["columns"], target="sick", more={"unit": UNIT["unit"]}, table=lambda: unit_table(60)
    ),
    "constant number": _one({**NUMERIC, "lower": 3, "upper": 3}, [1.0, None, np.nan], FLOATS),
    "constant integer": _one({**INTEGER, "lower": -4, "upper": -4}, [1, None, 2**62], INTEGERS),
    "constant category": _one({**CATEGORICAL, "categories": ["only"]}, ["only", "x", None], TEXTS),
    "only a target": _one({"kind": "boolean"}, [True, False, True], pa.bool_(), target="x"),
    "only a numeric target": _one({**NUMERIC, "lower": 0, "upper": 1}, [0.5, 2.0], FLOATS, target="x"),
    "all null": _one({**NUMERIC, "lower": -1, "upper": 1, "nullable": True}, [None] * 20, FLOATS),
    "all null, not nullable": _one({**INTEGER, "lower": 5, "upper": 50}, [None] * 20, INTEGERS),
    "null type": _one({**CATEGORICAL, "categories": ["a", "b"]}, [None] * 20, pa.null()),
    "time zone": _one(TZ, [None if s is None else s for s in STAMPS], pa.timestamp("us", tz="UTC")),
    "naive times": _one({**TZ, "tz": None, "time_unit": "s"}, [0, 1_620_000_000, None], pa.timestamp("ns")),
    "huge integers": _one({**HUGE, "nullable": True}, [0, -(2**63), 2**63 - 1, None], INTEGERS),
    "unsigned integers": _one({**INTEGER, "lower": 0, "upper": 2**62}, [0, 2**64 - 1], pa.uint64()),
    "numbers at both ends": _one(
        {**NUMERIC, "lower": -8e307, "upper": 8e307}, [1e308, -1e308, np.inf, 0.0], FLOATS
    ),
    "subnormal range": _one({**NUMERIC, "lower": 0, "upper": 5e-324}, [0.0, 5e-324, 1.0], FLOATS),
    "single precision": _one({**NUMERIC, "lower": -0.1, "upper": 0.1}, [0.1, -0.1, 0.05], pa.float32()),
    "numeric with many decimals": _one(
        {**NUMERIC, "lower": -1, "upper": 1, "decimals": 12}, [0.123456789012, 5.0], FLOATS
    ),
    "5,000 categories": _one(
        {**CATEGORICAL, "categories": [f"c{i}" for i in range(5000)], "nullable": True},
        [f"c{i % 700}" for i in range(2000)],
        TEXTS,
    ),
    "many classes": Case(columns=CLASSES, target="y", table=_classes),
    "120 columns": Case(columns=MANY, target="c0", table=_many_columns),
    "found under the budget": Case(columns=FOUND, target="sick", table=_open_columns),
    "found target": Case(columns=FOUND, target="town", table=_open_columns),
    "found, empty table": Case(columns=FOUND, target="sick", table=lambda: _open_columns().slice(0, 0)),
    "found bounds, pure": Case(columns=FOUND[1:], target="sick", delta=0.0, table=_open_columns),
    "found dates": Case(
        columns=[
            {"name": "x", "kind": "datetime", "discover": True},
            {"name": "d", "kind": "date", "discover": True},
        ],
        table=_dates,
    ),
}
