"""Neighbouring tables, made to hurt: a row (or a unit) taken out, put in or exchanged.

For the owner's eyes: a neighbour holds real rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.anonymize.neighbours import Neighbours
from triplea.audit.awkward import awkward_row
from triplea.schema import Schema


@dataclass(frozen=True, kw_only=True)
class Neighbour:
    """A table that differs by one privacy unit, and in words by what."""

    change: str
    table: pa.Table


def neighbours_of(
    table: pa.Table, schema: Schema, *, relation: Neighbours, rng: np.random.Generator, count: int
) -> Iterator[Neighbour]:
    """Yield `count` neighbours of a raw table; new rows are awkward on purpose (see `awkward_cells`).

    Without a privacy unit one row differs. With one, all rows of a unit do: a new unit comes with one row
    more than the schema lets count.
    """
    for turn in range(count):
        if relation is Neighbours.REPLACE_ONE:
            yield _with_one_replaced(table, schema, rng)
        elif table.num_rows and turn % 2:
            yield _without_one(table, schema, rng)
        else:
            yield _with_one_more(table, schema, rng)


def _with_one_more(table: pa.Table, schema: Schema, rng: np.random.Generator) -> Neighbour:
    added = _new_unit(table, schema, rng)
    return Neighbour(change=f"{added.num_rows} row(s) of a new unit added", table=_joined(table, added))


def _without_one(table: pa.Table, schema: Schema, rng: np.random.Generator) -> Neighbour:
    gone = _rows_of_a_unit(table, schema, rng)
    rest = table.filter(pa.array(~gone))
    return Neighbour(change=f"{int(gone.sum())} row(s) of one unit removed", table=rest)


def _with_one_replaced(table: pa.Table, schema: Schema, rng: np.random.Generator) -> Neighbour:
    """The exchanged rows stand at the end; no question looks at the order of rows.

    With nothing to exchange, a table's only neighbour is itself.
    """
    if not table.num_rows:
        return Neighbour(change="nothing: there is no row to replace", table=table)
    added = _new_unit(table, schema, rng)
    gone = _rows_of_a_unit(table, schema, rng)
    change = f"{int(gone.sum())} row(s) of one unit replaced by {added.num_rows}"
    return Neighbour(change=change, table=_joined(table.filter(pa.array(~gone)), added))


def _rows_of_a_unit(table: pa.Table, schema: Schema, rng: np.random.Generator) -> np.ndarray:
    row = int(rng.integers(table.num_rows))
    if schema.unit is None:
        return np.equal(np.arange(table.num_rows), row)
    ids = table.column(schema.unit.column)
    same = pc.fill_null(pc.equal(ids, ids[row]), False) if ids[row].is_valid else pc.is_null(ids)
    mask: np.ndarray = same.to_numpy().astype(bool)
    return mask


def _new_unit(table: pa.Table, schema: Schema, rng: np.random.Generator) -> pa.Table:
    if schema.unit is None:
        return awkward_row(schema, table.schema, rng=rng)
    rows = [awkward_row(schema, table.schema, rng=rng) for _ in range(schema.unit.max_rows + 1)]
    place = table.schema.get_field_index(schema.unit.column)
    fresh = pa.array([_fresh_id(table.column(place))] * len(rows)).cast(table.schema.field(place).type)
    return pa.concat_tables(rows).set_column(place, table.schema.field(place), fresh)


def _fresh_id(ids: pa.ChunkedArray) -> int | str:
    """An id that the table does not hold, in the type of the column."""
    taken = set(ids.to_pylist())
    number = next(i for i in range(len(taken) + 1) if i not in taken and str(i) not in taken)
    return number if pa.types.is_integer(ids.type) or pa.types.is_floating(ids.type) else str(number)


def _joined(table: pa.Table, added: pa.Table) -> pa.Table:
    return pa.concat_tables([table, added]).unify_dictionaries()
