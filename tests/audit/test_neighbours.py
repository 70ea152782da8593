"""Generated neighbours differ by one unit, and their new rows are as bad as rows can be."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from tests.support.tables import MIXED_TYPES, UNIT, as_text, mixed_schema, mixed_table, unit_table
from triplea.anonymize.neighbours import Neighbours
from triplea.audit import neighbours_of
from triplea.schema import load_schema

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE


def countable(table: pa.Table) -> pa.Table:
    """Days and instants as numbers: some lie outside Python's calendar."""
    plain = [("born", pa.int32()), ("seen", pa.int64())]
    for name, number in plain if pa.types.is_temporal(table.schema.field("born").type) else []:
        table = table.set_column(table.column_names.index(name), name, table.column(name).cast(number))
    return table


def differing(one: pa.Table, two: pa.Table) -> tuple[int, int]:
    """Rows that only the first has, and rows that only the second has."""
    counts = [Counter(map(repr, countable(table).to_pylist())) for table in (one, two)]
    return (counts[0] - counts[1]).total(), (counts[1] - counts[0]).total()


@pytest.mark.parametrize("text", [False, True])
def test_add_or_remove_changes_one_row(text: bool) -> None:
    table = as_text(mixed_table(30)) if text else mixed_table(30)
    rng = np.random.default_rng(1)
    made = list(neighbours_of(table, mixed_schema(), relation=ADD, rng=rng, count=20))
    assert {differing(table, near.table) for near in made} == {(1, 0), (0, 1)}
    assert all(near.table.schema == table.schema for near in made)


def test_replace_changes_one_row_and_keeps_the_number() -> None:
    table, rng = mixed_table(30), np.random.default_rng(2)
    for near in neighbours_of(table, mixed_schema(), relation=REPLACE, rng=rng, count=20):
        assert near.table.num_rows == 30
        assert differing(table, near.table) == (1, 1)


def test_an_empty_table_has_neighbours_too() -> None:
    empty, rng = MIXED_TYPES.empty_table(), np.random.default_rng(3)
    added = list(neighbours_of(empty, mixed_schema(), relation=ADD, rng=rng, count=3))
    assert [near.table.num_rows for near in added] == [1, 1, 1]
    (same,) = neighbours_of(empty, mixed_schema(), relation=REPLACE, rng=rng, count=1)
    assert same.table.num_rows == 0


@pytest.mark.parametrize("relation", [ADD, REPLACE])
@pytest.mark.parametrize("text", [False, True])
def test_with_a_unit_all_its_rows_change_and_a_new_one_has_too_many(relation: Neighbours, text: bool) -> None:
    schema, rng = load_schema(UNIT), np.random.default_rng(4)
    table = as_text(unit_table(40)) if text else unit_table(40)
    for near in neighbours_of(table, schema, relation=relation, rng=rng, count=10):
        before, after = (set(rows.column("person").to_pylist()) for rows in (table, near.table))
        assert (len(before - after), len(after - before)) in (
            {(1, 1)} if relation is REPLACE else {(1, 0), (0, 1)}
        )
        fresh = [person for person in near.table.column("person").to_pylist() if person in after - before]
        assert len(fresh) in (0, 3)
