"""Every query moves at most its sensitivity, on the worst neighbours that Hypothesis can think of."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.contracts.examples import EXAMPLES, SCORES, VOTES, in_package
from tests.support.strategies import Pair, pairs, raw_tables
from tests.support.tables import MIXED_TYPES, UNIT, mixed_schema, text_layout
from triplea.engines import LocalEngine
from triplea.queries import DyadicCounts, MagnitudeCounts, Scores, SumQuery
from triplea.queries.bins import BinCounts
from triplea.queries.votes import Votes
from triplea.schema import Encoded, Schema, load_schema
from triplea.tables import open_table

ROUNDING = 1 + 1e-9
SCHEMA = mixed_schema()
LAYOUTS = [MIXED_TYPES, text_layout(MIXED_TYPES)]
NAMES = {kind.__qualname__: kind for kind in EXAMPLES}
UNIT_SCHEMA = load_schema(UNIT)
UNIT_LAYOUT = pa.schema(
    [("person", pa.int64()), ("sick", pa.bool_()), ("age", pa.int64()), ("score", pa.float64())]
)


@cache
def examples(name: str) -> Sequence[SumQuery]:
    return EXAMPLES[NAMES[name]](SCHEMA)


def part(query: SumQuery, rows: Encoded) -> np.ndarray:
    """What one batch adds up to, given only the columns that the query asks for, as an engine would."""
    return query.partial_sums({name: rows[name] for name in query.columns})


def norms(query: SumQuery, units: np.ndarray) -> tuple[float, float]:
    """L1 and L2 of a difference of sums, in the scaled units that the bounds are stated in."""
    scaled = np.ravel(units * np.asarray(query.grid) / np.asarray(query.scale))
    return float(np.abs(scaled).sum()), float(np.linalg.norm(scaled))


def rows_of(table: pa.Table, schema: Schema = SCHEMA) -> Encoded:
    return schema.encode(table)


def test_every_query_of_the_package_has_an_example() -> None:
    missing = [kind.__qualname__ for kind in in_package(SumQuery) if kind not in EXAMPLES]
    assert not missing, f"add an entry to tests/contracts/examples.py for: {', '.join(missing)}"


def test_every_selection_of_the_package_has_an_example() -> None:
    missing = [kind.__qualname__ for kind in in_package(Scores) if kind not in SCORES]
    assert not missing, f"add an entry to tests/contracts/examples.py for: {', '.join(missing)}"


def test_a_query_without_an_example_would_be_noticed() -> None:
    kind = type("Forgotten", (MagnitudeCounts,), {"__module__": "triplea.queries.forgotten"})
    assert kind in in_package(SumQuery)
    kind.__module__ = "tests.contracts"  # the class lives on in Python's list of subclasses


class EncodedPair(NamedTuple):
    """Some rows, one row by itself, and the rows together with that one or with another one."""

    common: Encoded
    one: Encoded
    with_one: Encoded
    with_other: Encoded


@cache
def encoded_pairs() -> list[EncodedPair]:
    """Neighbours by fifty unlike rows, as Hypothesis thinks them up, encoded once for all queries."""
    found: dict[str, EncodedPair] = {}

    @settings(max_examples=250, phases=[Phase.generate])
    @given(pair=pairs(SCHEMA, LAYOUTS))
    def collect(pair: Pair) -> None:
        common, one, other = (rows_of(table) for table in pair)
        with_one = rows_of(pa.concat_tables([pair.common, pair.one]))
        with_other = {column: np.concatenate([common[column], other[column]]) for column in common}
        encoded = EncodedPair(common, one, with_one, with_other)
        found.setdefault(repr(one), encoded)

    collect()
    return list(found.values())[:50]


def test_the_generated_neighbours_are_many_and_unlike() -> None:
    assert len({repr(pair.one) for pair in encoded_pairs()}) == 50


@pytest.mark.parametrize("name", NAMES)
def test_every_query_moves_at_most_its_sensitivity(name: str) -> None:
    for query, (common, one, with_one, with_other) in itertools.product(examples(name), encoded_pairs()):
        base, first, second = (part(query, rows) for rows in (common, with_one, with_other))
        assert base.shape == query.shape and base.dtype == np.int64
        added_l1, added_l2 = norms(query, first - base)
        assert added_l1 <= query.row_l1 * ROUNDING
        assert added_l2 <= query.row_l2 * ROUNDING
        swapped_l1, swapped_l2 = norms(query, first - second)
        assert swapped_l1 <= query.swap_l1 * ROUNDING
        assert swapped_l2 <= query.swap_l2 * ROUNDING
        # A row's part depends on that row alone: else batches, and neighbours, would disagree.
        assert np.array_equal(first - base, part(query, one))


@pytest.mark.parametrize("name", NAMES)
def test_every_query_names_its_proof_and_has_finite_positive_bounds(name: str) -> None:
    for query in examples(name):
        bounds = (query.row_l1, query.row_l2, query.swap_l1, query.swap_l2)
        assert all(np.isfinite(bound) and bound > 0 for bound in bounds)
        assert query.row_l2 <= query.row_l1 * ROUNDING
        assert query.proof.startswith("docs/proofs/") and query.proof.endswith(".md")


@pytest.mark.parametrize("name", NAMES)
def test_the_proof_of_every_query_exists(name: str, root: object) -> None:
    for query in examples(name):
        assert (root / query.proof).is_file()  # type: ignore[operator]


def test_every_proof_names_the_questions_that_rest_on_it(root: Path) -> None:
    for group in (EXAMPLES, SCORES, VOTES):
        for kind, build in group.items():
            if kind.__module__.startswith("triplea."):
                page = (root / build(SCHEMA)[0].proof).read_text(encoding="utf-8")
                assert f"{kind.__name__}`" in page and "**Tests.**" in page


@settings(max_examples=40)
@given(pair=pairs(SCHEMA, LAYOUTS))
def test_every_score_moves_at_most_its_bound(pair: Pair) -> None:
    batches = [
        rows_of(pa.concat_tables([pair.common, row]))
        for row in (pair.common.slice(0, 0), pair.one, pair.other)
    ]
    for build in SCORES.values():
        for scores in build(SCHEMA):
            none, one, other = (scores.scores(part(scores.sums, rows)) for rows in batches)
            assert none.shape == (scores.size,)
            assert np.max(np.abs(one - none)) <= scores.row_bound * ROUNDING
            assert np.max(np.abs(one - other)) <= scores.swap_bound * ROUNDING


def test_every_kind_of_votes_of_the_package_has_an_example() -> None:
    missing = [kind.__qualname__ for kind in in_package(Votes) if kind not in VOTES]
    assert not missing, f"add an entry to tests/contracts/examples.py for: {', '.join(missing)}"


@settings(max_examples=40)
@given(pair=pairs(SCHEMA, LAYOUTS))
def test_every_vote_moves_at_most_its_sensitivity(pair: Pair) -> None:
    batches = [
        rows_of(pa.concat_tables([pair.common, row]))
        for row in (pair.common.slice(0, 0), pair.one, pair.other)
    ]
    for build in VOTES.values():
        for votes in build(SCHEMA):
            none, one, other = (votes.counts(rows) for rows in batches)
            assert none.shape == (votes.questions,)
            assert np.linalg.norm(one - none) <= votes.row_l2 * ROUNDING
            assert np.linalg.norm(one - other) <= votes.swap_l2 * ROUNDING


@settings(max_examples=40)
@given(
    table=raw_tables(UNIT_SCHEMA, UNIT_LAYOUT, least=1, most=9),
    ids=st.lists(st.none() | st.integers(0, 3), min_size=18, max_size=18),
    secret=st.binary(min_size=32, max_size=32),
)
def test_a_unit_moves_at_most_max_rows_times_the_row_bound(
    table: pa.Table, ids: list[int | None], secret: bytes
) -> None:
    """Whatever the draw of the kept rows, removing all rows of a unit stays within the bound of the door."""
    people = pa.array(ids[: table.num_rows], pa.int64())
    table = table.set_column(0, "person", people)
    without = table.filter(pa.compute.fill_null(pa.compute.not_equal(people, 0), True))
    engine, limit = LocalEngine(threads=1, batch_rows=4), 2
    queries = [
        DyadicCounts(column=UNIT_SCHEMA.column("age"), levels=(1, 2)),
        BinCounts(schema=UNIT_SCHEMA),
        MagnitudeCounts(column="score"),
    ]
    for query in queries:
        whole, rest = (
            engine.total(open_table(rows, schema=UNIT_SCHEMA, secret=secret), UNIT_SCHEMA, query)
            for rows in (table, without)
        )
        moved_l1, moved_l2 = norms(query, whole - rest)
        assert moved_l1 <= limit * query.row_l1 * ROUNDING
        assert moved_l2 <= limit * query.row_l2 * ROUNDING
