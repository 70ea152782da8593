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
