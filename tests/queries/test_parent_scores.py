"""The scores of PrivBayes move at most as proved, on every small table; F equals its definition."""

from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from triplea.anonymize.door import SCORE_BITS
from triplea.approximate.codes.binning import each_value
from triplea.queries.parent_scores import (
    ParentScores,
    ScoreKind,
    distance_to_dependence,
    distance_to_independence,
    scaled_mutual_information,
)
from triplea.schema import Column

FUNCTIONS = {
    ScoreKind.R: distance_to_independence,
    ScoreKind.I: scaled_mutual_information,
    ScoreKind.F: distance_to_dependence,
}
PAIR = {name: each_value(Column(name=name, kind="boolean")) for name in ("a", "b")}


def bounds(kind):
    scores = ParentScores(kind=kind, candidates=[("a", "b")], binnings=PAIR)
    return scores.row_bound, scores.swap_bound


def moves(counts, function):
    """The largest move of a score when a row is added to the table, and when the added row is another."""
    base = function(counts)
    after = []
    for cell in np.ndindex(counts.shape):
        more = counts.copy()
        more[cell] += 1
        after.append(function(more))
    return max(abs(np.array(after) - base)), max(after) - min(after)


@pytest.mark.parametrize("kind", list(ScoreKind))
def test_every_small_table_moves_within_the_bounds(kind):
    row, swap = bounds(kind)
    found = [moves(np.array(c).reshape(2, 2), FUNCTIONS[kind]) for c in product(range(5), repeat=4)]
    assert max(added for added, _ in found) <= row + 1e-9
    assert max(swapped for _, swapped in found) <= swap + 1e-9


@pytest.mark.parametrize("kind", list(ScoreKind))
@given(
    counts=hnp.arrays(
        np.int64,
        st.tuples(st.integers(1, 5), st.just(2)),
        elements=st.sampled_from([0, 0, 0, 1, 2, 7, 1000, 10**5]),
    )
)
def test_uneven_tables_move_within_the_bounds(kind, counts):
    if kind is ScoreKind.F:
        counts = np.minimum(counts, 50)
    row, swap = bounds(kind)
    added, swapped = moves(counts, FUNCTIONS[kind])
    assert added <= row + 1e-6
    assert swapped <= swap + 1e-6


def test_the_bounds_of_r_are_nearly_reached():
    """A looser bound would waste budget: a large table of independent columns comes close to 2 and 3."""
    even = np.full((40, 40), 1)
    added, _ = moves(even, distance_to_independence)
    assert added > 1.8


@given(counts=hnp.arrays(np.int64, st.tuples(st.integers(1, 5), st.just(2)), elements=st.integers(0, 6)))
def test_f_is_the_best_of_all_assignments(counts):
    half = counts.sum() / 2
    best = min(
        max(half - sum(c[0] for c, s in zip(counts, chosen, strict=True) if s), 0)
        + max(half - sum(c[1] for c, s in zip(counts, chosen, strict=True) if not s), 0)
        for chosen in product([True, False], repeat=len(counts))
    )
    assert distance_to_dependence(counts) == -best


def test_dependence_scores_above_independence():
    copy, coin = np.array([[50, 0], [0, 50]]), np.array([[25, 25], [25, 25]])
    for function in FUNCTIONS.values():
        assert function(copy) > function(coin)
    assert distance_to_independence(copy) == 50
    assert distance_to_dependence(copy) == 0


def test_scores_read_the_child_as_the_last_column():
    columns = [
        Column(name="a", kind="boolean"),
        Column(name="b", kind="categorical", categories=("x", "y", "z")),
    ]
    scores = ParentScores(
        kind=ScoreKind.R,
        candidates=[("a", "b"), ("b",)],
        binnings={column.name: each_value(column) for column in columns},
    )
    rows = {"a": np.array([0, 1] * 10), "b": np.array([0, 2] * 10)}
    assert scores.scores(scores.sums.partial_sums(rows)).tolist() == [10.0, 0.0]


def exact_scores(counts):
    """R and I in 60 digits."""
    with mpmath.workdps(60):
        table = [[mpmath.mpf(int(count)) for count in line] for line in counts]
        across, down = [sum(line) for line in table], [sum(line) for line in zip(*table, strict=True)]
        rows = sum(across)
        pairs = [
            (count, a * b / rows)
            for line, a in zip(table, across, strict=True)
            for count, b in zip(line, down, strict=True)
        ]
        apart = sum(abs(count - expected) for count, expected in pairs) / 2
        shared = sum(count * mpmath.log(count / expected) for count, expected in pairs if count)
        return {ScoreKind.R: apart, ScoreKind.I: shared / (1 + mpmath.log1p(rows))}


@pytest.mark.parametrize("shape", [(2, 2), (40, 30), (1000, 3)])
def test_scores_of_a_thousand_million_rows_are_within_half_a_step_of_the_door(shape):
    rng = np.random.default_rng(shape[0])
    for spread in (1.0, 0.02):
        shares = rng.gamma(spread, size=shape)
        counts = np.floor(shares / shares.sum() * 10**9).astype(np.int64)
        for kind, exact in exact_scores(counts).items():
            error = abs(float(exact - FUNCTIONS[kind](counts)))
            assert error < min(bounds(kind)) * 2.0 ** -(SCORE_BITS + 1)
            assert error < 4e-15 * 10**9
