"""Every pair differs by one row, and the schema takes both tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from triplea.anonymize.neighbours import Neighbours
from triplea.audit.pairs import GENERAL, Pair, flipped_label


def differing(pair: Pair) -> tuple[int, int]:
    first, second = (Counter(map(repr, table.to_pylist())) for table in (pair.table, pair.neighbour))
    return (first - second).total(), (second - first).total()


@pytest.mark.parametrize("make", [*GENERAL, flipped_label], ids=lambda make: make.__name__)
def test_a_pair_differs_by_one_row(make: Callable[[], Pair]) -> None:
    pair = make()
    assert differing(pair) == ((1, 1) if pair.relation is Neighbours.REPLACE_ONE else (0, 1))
    assert pair.table.schema == pair.neighbour.schema
    for table in (pair.table, pair.neighbour):
        assert len(next(iter(pair.schema.encode(table).values()))) == table.num_rows
    assert pair.name and pair.why


def test_names_are_unique() -> None:
    assert len({make().name for make in GENERAL}) == len(GENERAL)
