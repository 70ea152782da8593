from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.closeness import closest_record, identifiability
from triplea.evaluate.rows import Rows


def test_a_copy_is_found_out_by_distance(train: Rows, held_out: Rows) -> None:
    found = closest_record(train, held_out, train, rng=np.random.default_rng(0), rows=300, references=1000)
    assert found.closer_to_train.low is not None
    assert found.closer_to_train.low > 0.6
    assert found.copies_of_train.value > 0.5
    assert found.copies_of_held_out.value == 0
    assert found.reference_rows == len(held_out)


def test_fresh_rows_are_as_close_to_strangers_as_to_members(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    found = closest_record(
        train, held_out, synthetic, rng=np.random.default_rng(0), rows=300, references=1000
    )
    assert found.closer_to_train.value == pytest.approx(0.5, abs=0.1)
    assert found.copies_of_train.value < 0.02


def test_identifiability_of_a_copy_is_one_and_of_fresh_rows_that_of_the_control(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    copy = identifiability(train, held_out, train, rng=np.random.default_rng(0), rows=200, references=1000)
    assert copy.value.value == 1
    fresh = identifiability(
        train, held_out, synthetic, rng=np.random.default_rng(0), rows=200, references=1000
    )
    assert fresh.matched.value == pytest.approx(fresh.control.value, abs=0.12)


def test_one_training_row_has_no_neighbour(train: Rows, held_out: Rows) -> None:
    one = train.take(np.array([0]))
    found = identifiability(one, held_out, train, rng=np.random.default_rng(0), rows=5, references=10)
    assert found.value.note == "nothing to try"
