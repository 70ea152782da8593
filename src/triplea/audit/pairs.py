"""Worst-case pairs of neighbouring tables: each made to show one way in which a row can stick out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from triplea.anonymize.neighbours import Neighbours
from triplea.methods._base import Method
from triplea.schema import Schema, load_schema

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two tables that differ by one row, and what that row is meant to show.

    `params` are settings of the method; `kind` stands in for its class where an attack chooses a start.
    """

    name: str
    why: str
    schema: Schema
    table: pa.Table
    neighbour: pa.Table
    relation: Neighbours = ADD
    params: Mapping[str, Any] = field(default_factory=dict)
    kind: type[Method] | None = None


SURVEY: dict[str, Any] = {
    "target": "sick",
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
        {"name": "score", "kind": "numeric", "lower": -1, "upper": 1, "nullable": True},
        {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c", "d"]},
        {"name": "sick", "kind": "boolean"},
    ],
}
ANSWERS: dict[str, Any] = {
    "target": "sick",
    "columns": [
        {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c", "d"]},
        {"name": "smokes", "kind": "categorical", "categories": ["no", "yes", "unknown"]},
        {"name": "sick", "kind": "boolean"},
    ],
}


def survey(rows: int = 40) -> pa.Table:
    """An ordinary table for the schema `SURVEY`; no row is missing a value, none is in ward d."""
    return pa.table(
        {
            "age": pa.array([20 + i % 40 for i in range(rows)], pa.int64()),
            "score": pa.array([-0.9 + 0.045 * (i * 7 % 40) for i in range(rows)], pa.float64()),
            "ward": pa.array(["abc"[i % 3] for i in range(rows)], pa.string()),
            "sick": pa.array([i % 2 == 0 for i in range(rows)], pa.bool_()),
        }
    )


def answers(rows: int = 40) -> pa.Table:
    """An ordinary table for the schema `ANSWERS`: categories only, so that nothing has to be binned."""
    return pa.table(
        {
            "ward": pa.array(["abc"[i % 3] for i in range(rows)], pa.string()),
            "smokes": pa.array([("no", "yes")[i % 5 == 0] for i in range(rows)], pa.string()),
            "sick": pa.array([i % 2 == 0 for i in range(rows)], pa.bool_()),
        }
    )


def one_more(table: pa.Table, **cells: Any) -> pa.Table:
    """The table with one row more, in its own types."""
    row = {name: pa.array([cells[name]], table.schema.field(name).type) for name in table.column_names}
    return pa.concat_tables([table, pa.table(row)])


def outlier() -> Pair:
    """A value at the end of its range: bounds, scales and bins taken from rows follow it."""
    table = survey()
    return Pair(
        name="outlier", why="a row at the end of every range, where scales taken from rows would follow",
        schema=load_schema(SURVEY), table=table,
        neighbour=one_more(table, age=120, score=1.0, ward="a", sick=True),
    )  # fmt: skip


def singleton_category() -> Pair:
    """The only row of its ward: a list of categories taken from rows would name it."""
    table = survey()
    return Pair(
        name="singleton category", why="the only row of its category, which a list made from rows would name",
        schema=load_schema(SURVEY), table=table,
        neighbour=one_more(table, age=33, score=0.1, ward="d", sick=False),
    )  # fmt: skip


def lone_missing() -> Pair:
    """The only missing value: NaN passes careless clips, and a flag made from rows would show it."""
    table = survey()
    return Pair(
        name="lone NaN", why="the only missing value, which passes careless clips and sets flags",
        schema=load_schema(SURVEY), table=table,
        neighbour=one_more(table, age=33, score=float("nan"), ward="a", sick=False),
    )  # fmt: skip


def rare_class() -> Pair:
    """The only row of its class: exact class sizes and loops over present classes give it away."""
    table = survey()
    table = table.set_column(3, "sick", pa.array([False] * table.num_rows))
    return Pair(
        name="rare class", why="the only row of its class, which exact class sizes give away",
        schema=load_schema(SURVEY), table=table,
        neighbour=one_more(table, age=33, score=0.1, ward="a", sick=True),
    )  # fmt: skip


def empty_table() -> Pair:
    """No row against one: nothing hides a row where there is no other."""
    table = survey(0)
    return Pair(
        name="empty table", why="no row against one: nothing else can hide it",
        schema=load_schema(SURVEY), table=table,
        neighbour=one_more(table, age=120, score=-1.0, ward="d", sick=True),
    )  # fmt: skip


def lone_answer() -> Pair:
    """Categories only, for methods that would compile anew for every set of bins."""
    table = answers()
    return Pair(
        name="gradient canary", why="a row unlike all others, whose gradient points where no other does",
        schema=load_schema(ANSWERS), table=table,
        neighbour=one_more(table, ward="d", smokes="unknown", sick=True),
    )  # fmt: skip


GENERAL: tuple[Callable[[], Pair], ...] = (
    outlier, singleton_category, lone_missing, rare_class, empty_table, lone_answer,
)  # fmt: skip


def flipped_label() -> Pair:
    """One label exchanged, nothing else: exact class sizes differ for sure."""
    table = answers()
    flipped = [not table["sick"][0].as_py(), *table["sick"].to_pylist()[1:]]
    return Pair(
        name="flipped label", why="one label exchanged: exact class sizes give it away",
        schema=load_schema(ANSWERS), table=table, relation=REPLACE,
        neighbour=table.set_column(2, "sick", pa.array(flipped)),
    )  # fmt: skip
