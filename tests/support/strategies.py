"""Hypothesis strategies: raw tables full of awkward cells, and neighbours of them."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa
from hypothesis import strategies as st

from triplea.audit.awkward import awkward_cells
from triplea.schema import Schema


class Pair(NamedTuple):
    """Rows that two tables share, and two rows that only one of them may have."""

    common: pa.Table
    one: pa.Table
    other: pa.Table


def raw_tables(schema: Schema, layout: pa.Schema, *, least: int, most: int) -> st.SearchStrategy[pa.Table]:
    """A raw table of awkward cells; rows repeat often, since few cells are drawn from."""
    known = {column.name: column for column in (*schema.columns, *schema.dropped)}
    return _drawn([awkward_cells(known.get(field.name), field.type) for field in layout], layout, least, most)


@st.composite
def _drawn(draw: st.DrawFn, cells: list[pa.Array], layout: pa.Schema, least: int, most: int) -> pa.Table:
    rows = draw(st.integers(least, most))
    wide = st.lists(st.integers(0, 10**6), min_size=len(cells), max_size=len(cells))
    picks = draw(st.lists(wide, min_size=rows, max_size=rows))
    arrays = [
        column.take(pa.array([pick[position] % len(column) for pick in picks], pa.int64()))
        for position, column in enumerate(cells)
    ]
    table = pa.Table.from_arrays(arrays, schema=layout)
    twice = draw(st.booleans())
    return pa.concat_tables([table, table]) if twice and rows and 2 * rows <= most else table


def pairs(schema: Schema, layouts: list[pa.Schema]) -> st.SearchStrategy[Pair]:
    """Common rows (often none) and two more rows, in one of the layouts."""
    return st.one_of(
        st.builds(
            Pair,
            raw_tables(schema, layout, least=0, most=6),
            raw_tables(schema, layout, least=1, most=1),
            raw_tables(schema, layout, least=1, most=1),
        )
        for layout in layouts
    )
