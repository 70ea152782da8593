"""A small table and rows unlike all others in it: a lone category, a new maximum, the only missing value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

COLUMNS = [
    {"name": "age", "kind": "integer", "lower": 0, "upper": 100},
    {"name": "visits", "kind": "integer", "lower": 0, "upper": 20, "nullable": True},
    {"name": "dose", "kind": "numeric", "lower": 0, "upper": 5, "nullable": True},
    {"name": "town", "kind": "categorical", "categories": ["oslo", "rome", "lima"], "nullable": True},
    {"name": "sick", "kind": "boolean"},
    {"name": "seen", "kind": "date", "lower": "2000-01-01", "upper": "2020-01-01", "nullable": True},
]
PLAIN: dict[str, Any] = {
    "age": 40,
    "visits": 3,
    "dose": 1.5,
    "town": "oslo",
    "sick": True,
    "seen": "2010-01-01",
}
ODD_ROWS: dict[str, dict[str, Any]] = {
    "a unique category": {"town": "atlantis"},
    "a listed category that no other row has": {"town": "lima"},
    "a new maximum": {"age": 10**9, "dose": 1e300},
    "a new minimum": {"age": -(10**9), "dose": -1e300},
    "the only missing values": dict.fromkeys(PLAIN),
    "infinity": {"dose": float("inf")},
    "a date outside the range": {"seen": "1700-01-01"},
}  # fmt: skip


def frame(extra: dict[str, Any]) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = [
        {
            **PLAIN,
            "age": int(rng.integers(20, 60)),
            "dose": float(rng.random()),
            "town": str(rng.choice(["oslo", "rome"])),
        }
        for _ in range(30)
    ]
    return pd.DataFrame([*rows, {**PLAIN, **extra}])


def typed(extra: dict[str, Any]) -> pa.Table:
    types = {
        "age": pa.int64(),
        "visits": pa.int64(),
        "dose": pa.float64(),
        "town": pa.string(),
        "sick": pa.bool_(),
    }
    columns = frame(extra).to_dict("list")
    arrays = {
        name: pa.array([None if pd.isna(v) else v for v in cells], types.get(name, pa.string()))
        for name, cells in columns.items()
    }
    arrays["seen"] = arrays["seen"].cast(pa.date32())
    return pa.table(arrays)
