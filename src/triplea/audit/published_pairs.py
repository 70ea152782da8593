"""Pairs against algorithms as published: each aims at the step whose sensitivity the paper misses.

All of them exchange one row, so that nothing is proved by an exact row count alone.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from triplea.audit.movers import mover_pair
from triplea.audit.pairs import REPLACE, Pair
from triplea.schema import load_schema


def mover(**params: Any) -> Pair:
    """Four heaps of points, and one that decides along which side they are halved.

    Every clustering that looks at all rows jumps: both centres move by 0.57, where 0.014 was assumed.
    """
    schema, table, neighbour = mover_pair()
    return Pair(
        name="mover", why="one point decides how all others are grouped, and every group's mean jumps",
        schema=schema, relation=REPLACE, params=params, table=table, neighbour=neighbour,
    )  # fmt: skip


def halves() -> Pair:
    """The mover, with groups of half the rows."""
    return mover(cluster_share=0.5)


def many_dimensions() -> Pair:
    """Sixteen numbers and a label that is exchanged: class sizes are used as they are."""
    names = [f"x{i}" for i in range(16)]
    schema = {
        "target": "sick",
        "columns": [
            *({"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in names),
            {"name": "sick", "kind": "boolean"},
        ],
    }
    columns = {
        name: pa.array([0.5 if (row >> i % 5) & 1 else -0.5 for row in range(60)], pa.float64())
        for i, name in enumerate(names)
    }
    labels = [row % 2 == 0 for row in range(60)]
    tables = [
        pa.table({**columns, "sick": pa.array([first, *labels[1:]], pa.bool_())})
        for first in (labels[0], not labels[0])
    ]
    return Pair(
        name="exchanged label", why="one label exchanged: the sizes of the classes are used exactly",
        schema=load_schema(schema), relation=REPLACE, params={"dimensions": 16},
        table=tables[0], neighbour=tables[1],
    )  # fmt: skip


def bandwidth() -> Pair:
    """Ten rows in two heaps far apart: with one row moved over, the median distance falls from far to zero.

    With sizes 6 and 4, 24 of 45 distances are long, with 7 and 3 only 21.
    """
    schema = {"columns": [{"name": "x", "kind": "numeric", "lower": -1_000_000, "upper": 1_000_000}]}
    tables = [pa.table({"x": pa.array([0.0] * near + [1e6] * (10 - near), pa.float64())}) for near in (6, 7)]
    return Pair(
        name="median distance", why="one row moves the median distance of ten rows from a million to zero",
        schema=load_schema(schema), relation=REPLACE, table=tables[0], neighbour=tables[1],
        params={"features": 50, "steps": 400, "batch": 100},
    )  # fmt: skip
