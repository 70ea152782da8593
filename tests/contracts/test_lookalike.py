"""Neighbours look alike: columns, types, categories, certificates and error texts never depend on a row.

One table holds a unique category, a new maximum or the only missing value; its neighbour does not. Whatever
container they come in, everything but the noisy values is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import triplea
from tests.contracts.odd_rows import COLUMNS, ODD_ROWS, frame, typed
from tests.contracts.support import QUICK, chosen, provable_methods, skip_if_refused
from tests.support.cases import Case
from triplea.errors import UserError

METHODS = provable_methods()


def as_csv(extra: dict[str, Any], folder: Path) -> Path:
    frame(extra).to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def as_parquet(extra: dict[str, Any], folder: Path) -> Path:
    pa.parquet.write_table(typed(extra), folder / "rows.parquet")
    return folder / "rows.parquet"


def as_pandas_writes(extra: dict[str, Any], folder: Path) -> Path:
    """One null, and pandas stores whole numbers as floats."""
    frame(extra).to_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


def enumerated(frame: pl.DataFrame) -> pl.DataFrame:
    """Towns as an Enum of those that occur, in the order in which they do."""
    seen = frame["town"].drop_nulls().unique(maintain_order=True)
    return frame.with_columns(pl.col("town").cast(pl.Enum(seen)))


CONTAINERS: dict[str, Callable[[dict[str, Any], Path], Any]] = {
    "pandas": lambda extra, folder: frame(extra),
    "pandas categories": lambda extra, folder: frame(extra).astype({"town": "category"}),
    "polars": lambda extra, folder: pl.DataFrame(pl.from_arrow(typed(extra))),
    "polars enum": lambda extra, folder: enumerated(pl.DataFrame(pl.from_arrow(typed(extra)))),
    "arrow": lambda extra, folder: typed(extra),
    "arrow dictionary": lambda extra, folder: typed(extra).set_column(
        3, "town", typed(extra)["town"].dictionary_encode()
    ),
    "arrow from pandas": lambda extra, folder: pa.Table.from_pandas(frame(extra)),
    "csv": as_csv,
    "parquet": as_parquet,
    "parquet from pandas": as_pandas_writes,
}


# Types of their own, which no method sees: one method is enough.
OF_TYPES = ("polars enum", "arrow from pandas", "parquet from pandas")


def _worth_running(method: str, container: str) -> bool:
    if container in OF_TYPES:
        return method == "independent"
    return method not in QUICK or container in ("pandas", "csv")


def look(rows: Any) -> Any:
    """Everything about a released table but its values."""
    if isinstance(rows, pd.DataFrame):
        dtypes = [str(dtype) for dtype in rows.dtypes]
        lists = [
            list(rows[name].cat.categories)
            for name in rows
            if isinstance(rows[name].dtype, pd.CategoricalDtype)
        ]
        return type(rows), list(rows.columns), dtypes, lists, rows.shape
    if isinstance(rows, pl.DataFrame):
        return type(rows), rows.schema, rows.shape
    return type(rows), str(rows.schema), rows.shape


@pytest.mark.parametrize(
    ("method", "container"),
    [(m, c) for m in METHODS for c in CONTAINERS if _worth_running(m, c)],
)
def test_released_tables_of_neighbours_look_alike(method: str, container: str, tmp_path: Path) -> None:
    case = Case(columns=COLUMNS, target="sick", table=lambda: typed({}))
    skip_if_refused(method, case)
    shown = set()
    odd = list(ODD_ROWS.values())
    for place, extra in enumerate([{}, *(odd[:2] if method in QUICK else odd)]):
        folder = tmp_path / str(place)
        folder.mkdir()
        made = triplea.release(
            CONTAINERS[container](extra, folder), **case.options, **chosen(method), rows=12, seed=7
        )
        certificate = {
            key: value
            for key, value in made.certificate.to_json().items()
            if key not in ("created", "data_sha256")
        }
        shown.add(repr((look(made.rows), certificate, made.schema)))
    assert len(shown) == 1


BROKEN: dict[str, dict[str, Any]] = {
    "a column that is absent": {"columns": [*COLUMNS, {"name": "nowhere", "kind": "boolean"}]},
    "a kind that the storage cannot hold": {
        "columns": [*COLUMNS[:-1], {**COLUMNS[-1], "kind": "boolean", "lower": None, "upper": None}]
    },
    "a method that is unknown": {"method": "nothing"},
    "too little delta": {
        "columns": [{"name": "town", "kind": "categorical", "discover": True}, COLUMNS[4]], "delta": 0.0
    },
}  # fmt: skip


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("wrong", BROKEN)
def test_errors_of_neighbours_have_the_same_text(wrong: str, container: str, tmp_path: Path) -> None:
    texts = set()
    for extra in [{}, *ODD_ROWS.values()]:
        given = {"columns": COLUMNS, "delta": 1e-5, "method": "independent", **BROKEN[wrong]}
        try:
            made = triplea.release(
                CONTAINERS[container](extra, tmp_path),
                schema={"target": "sick", "columns": given["columns"]},
                epsilon=1.0, delta=given["delta"], method=given["method"], rows=5, seed=7,
            )  # fmt: skip
            texts.add(repr(look(made.rows)))
        except UserError as error:
            texts.add(f"{type(error).__name__}: {error}")
    assert len(texts) == 1, texts


@pytest.mark.parametrize("container", CONTAINERS)
def test_discovered_columns_of_neighbours_look_alike(container: str, tmp_path: Path) -> None:
    """What is discovered is noisy, but whether the unique row is there never decides a type."""
    columns = [{"name": "town", "kind": "categorical", "discover": True}, COLUMNS[4], COLUMNS[2]]
    shown = set()
    for extra in [{}, {"town": "atlantis"}, {"town": None}]:
        made = triplea.release(
            CONTAINERS[container](extra, tmp_path),
            schema={"columns": columns},
            epsilon=1.0,
            delta=1e-5,
            rows=5,
            seed=7,
        )
        shown.add(repr((look(made.rows), made.schema)))
    assert len(shown) == 1
