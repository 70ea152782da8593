"""Test rows that stand in the training table are found, and natural twins are not taken for them."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.overlap import overlap
from triplea.evaluate.rows import Field, Rows

AGE, WARD = Field(name="age", upper=100.0), Field(name="ward", levels=("a", "b", "c"))


def table(age: np.ndarray, ward: np.ndarray) -> Rows:
    return Rows(fields=(AGE, WARD), values={"age": age, "ward": ward})


def drawn(rows: int, seed: int, *, digits: int) -> Rows:
    rng = np.random.default_rng(seed)
    return table(np.round(rng.uniform(0, 100, rows), digits), rng.integers(0, 3, rows))


def test_a_quarter_of_the_test_rows_was_trained_on() -> None:
    train, fresh = drawn(1000, 0, digits=9), drawn(300, 1, digits=9)
    taken = train.take(np.arange(100))
    both = {name: np.concatenate([fresh[name], taken[name]]) for name in train.names}
    assert overlap(train, Rows(fields=train.fields, values=both)) == (0.25, 0.0)


def test_held_out_rows_of_few_kinds_meet_training_rows_as_often_as_these_meet_each_other() -> None:
    shared, usual = overlap(drawn(2000, 0, digits=0), drawn(2000, 1, digits=0))
    assert usual > 0.9
    assert shared == pytest.approx(usual, abs=0.03)


def test_missing_numbers_are_alike_and_columns_do_not_stand_in_for_each_other() -> None:
    one = table(np.array([np.nan, 1.0]), np.array([2, 0]))
    assert overlap(one, table(np.array([-np.nan]), np.array([2]))) == (1.0, 0.0)
    assert overlap(one, table(np.array([0.0]), np.array([1]))) == (0.0, 0.0)
    assert overlap(table(np.array([0.0]), np.array([0])), table(np.array([-0.0]), np.array([0])))[0] == 1.0


def test_no_rows_overlap_with_nothing() -> None:
    assert overlap(drawn(3, 0, digits=0), drawn(0, 0, digits=0)) == (0.0, 0.0)
