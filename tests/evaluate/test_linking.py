from __future__ import annotations

import numpy as np

from triplea.evaluate.linking import inference, linkability
from triplea.evaluate.rows import Rows


def test_a_copy_links_halves_of_members_only(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    rng = np.random.default_rng(0)
    copy = linkability(train, held_out, train, attacks=200, rng=rng)
    assert copy.rate.value > copy.control.value + 0.2
    assert copy.risk.value > 0.2
    fresh = linkability(train, held_out, synthetic, attacks=200, rng=rng)
    assert fresh.risk.low is not None
    assert fresh.risk.low < 0.05


def test_inference_of_a_learnable_column_beats_guessing_but_not_the_control(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    fresh = inference("ill", train, held_out, synthetic, attacks=200, rng=np.random.default_rng(0))
    assert fresh.rate.value > fresh.baseline.value
    assert fresh.risk.low == 0
    copy = inference("ill", train, held_out, train, attacks=200, rng=np.random.default_rng(0))
    assert copy.rate.value == 1
    assert copy.column == "ill"


def test_a_number_is_inferred_when_the_public_bin_is_right(train: Rows, held_out: Rows) -> None:
    copy = inference("age", train, held_out, train, attacks=100, rng=np.random.default_rng(0))
    assert copy.rate.value > 0.9 > copy.control.value
