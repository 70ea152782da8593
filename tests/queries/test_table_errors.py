"""Errors of a model's tables: the definition, the handicap, and the bound on every small table."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.queries.table_errors import TableErrors
from triplea.schema import Column

BINNINGS = {name: each_value(Column(name=name, kind="boolean")) for name in ("a", "b")}
GUESS = np.array([[2.5, 0.0], [1.0, 0.5]])


def scored(counts, **options):
    query = TableErrors(guesses={("a", "b"): GUESS}, binnings=BINNINGS, **options)
    return float(query.scores(np.asarray(counts, dtype=np.int64).ravel())[0])


def test_a_score_is_the_distance_to_the_guess_less_the_handicap():
    assert scored([[2, 0], [1, 1]]) == pytest.approx(1.0)
    assert scored([[2, 0], [1, 1]], handicaps=[3.0]) == pytest.approx(-2.0)


def test_one_row_moves_a_score_by_its_bound_at_most():
    tight = 0.0
    for counts in np.ndindex(3, 3, 3, 3):
        base = scored(counts)
        for cell in range(4):
            more = scored(np.asarray(counts) + np.eye(4)[cell])
            tight = max(tight, abs(more - base))
    assert tight == pytest.approx(TableErrors.row_bound)
    assert TableErrors.swap_bound == 2 * TableErrors.row_bound


def test_rows_are_counted_group_by_group():
    query = TableErrors(guesses={("a",): np.zeros(2), ("a", "b"): np.zeros(4)}, binnings=BINNINGS)
    rows = {"a": np.array([0, 1, 1]), "b": np.array([1, 1, 0])}
    np.testing.assert_array_equal(query.sums.partial_sums(rows), [1, 2, 0, 1, 1, 1])
    assert query.size == 2


@pytest.mark.parametrize("rows", [10**6, 10**9])
def test_scores_of_many_rows_are_exact_whatever_the_guess(rows):
    """In plain floating point the scores of neighbours would differ by more than a row, in a last digit."""
    rng = np.random.default_rng(rows)
    guess = rng.random((2, 2)) * rows
    query = TableErrors(guesses={("a", "b"): guess}, binnings=BINNINGS, handicaps=[float(np.pi * 1e6)])
    for counts in rng.integers(0, rows, (200, 4)):
        base, more = (query.scores(part)[0] for part in (counts, counts + np.eye(4, dtype=np.int64)[1]))
        assert abs(more - base) <= query.row_bound
    assert abs(query.scores(np.zeros(4, dtype=np.int64))[0] - (guess.sum() - np.pi * 1e6)) < 1e-5
