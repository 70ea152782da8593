"""Rows whose class a rule knows: the definition, the weights, and the bound."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.queries.right_classes import RightClasses, even_weights
from triplea.schema import Column

CLASSES = each_value(Column(name="y", kind="boolean"))
ROWS = {"y": np.array([0, 0, 0, 1, 1]), "x": np.array([0, 0, 1, 1, 0])}


class Says:
    """A rule that names the value of one column, or always the same."""

    def __init__(self, column=None, always=0):
        self.columns, self.always = ((column,) if column else ()), always

    def assign(self, rows):
        return rows[self.columns[0]] if self.columns else np.full(len(rows["y"]), self.always)


def scored(rows, weights):
    query = RightClasses(
        rules=[Says("x"), Says(), Says(always=7)], label="y", classes=CLASSES, weights=weights
    )
    assert query.sums.columns == ("y", "x")
    return query.scores(query.sums.partial_sums(rows))


def test_a_score_counts_the_rows_that_a_rule_gets_right():
    assert scored(ROWS, np.ones(2)).tolist() == [3.0, 3.0, 0.0]
    assert scored(ROWS, np.array([0.5, 1.0])).tolist() == [2.0, 1.5, 0.0]


def test_one_row_moves_a_score_by_its_bound_at_most():
    base = scored(ROWS, np.array([0.3, 1.0]))
    for y in (0, 1):
        for x in (0, 1):
            more = {"y": np.append(ROWS["y"], y), "x": np.append(ROWS["x"], x)}
            other = {"y": np.append(ROWS["y"][1:], y), "x": np.append(ROWS["x"][1:], x)}
            assert np.abs(scored(more, np.array([0.3, 1.0])) - base).max() <= RightClasses.row_bound
            assert np.abs(scored(other, np.array([0.3, 1.0])) - base).max() <= RightClasses.swap_bound


def test_weights_outside_zero_and_one_are_cut():
    assert scored(ROWS, np.array([50.0, np.nan])).tolist() == [2.0, 3.0, 0.0]


def test_even_weights_make_classes_count_alike():
    weights = even_weights(np.array([10.0, 40.0, -3.0]))
    assert weights * [10, 40, 1] == pytest.approx([1.0, 1.0, 1.0])
