from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.membership import membership_attacks
from triplea.evaluate.rows import Rows


def attacks(train: Rows, held_out: Rows, synthetic: Rows) -> dict[str, float]:
    found = membership_attacks(
        train, held_out, synthetic, rows=150, references=1000, rng=np.random.default_rng(0), seed=0
    )
    return {attack.attack: attack.auc.value for attack in found}


def test_members_of_a_copied_table_are_found_out(train: Rows, held_out: Rows) -> None:
    found = attacks(train, held_out, train)
    assert found["distance"] == 1
    assert found["density_ratio"] > 0.9


def test_members_of_a_fresh_table_cannot_be_told_from_others(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    for value in attacks(train, held_out, synthetic).values():
        assert value == pytest.approx(0.5, abs=0.08)


def test_a_handful_of_rows_is_not_attacked(train: Rows, held_out: Rows) -> None:
    few = held_out.take(np.arange(2))
    assert (
        membership_attacks(train, few, train, rows=9, references=9, rng=np.random.default_rng(0), seed=0)
        == ()
    )
