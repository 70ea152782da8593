"""Choosing on the training rows, as the paper does."""

import numpy as np
import pytest

from triplea.errors import MissingExtra
from triplea.methods import _three_a_choice as choice

RNG = np.random.default_rng(0)
VECTORS = RNG.random((600, 2))
KLASS = (VECTORS[:, 0] > 0.5).astype(np.int64)
GOOD = (VECTORS[:80], KLASS[:80], np.full(80, 0.01))
BAD = (VECTORS[:80], 1 - KLASS[:80], np.full(80, 0.01))
ONE_CLASS = (VECTORS[:80], np.zeros(80, dtype=np.int64), np.full(80, 0.01))


def test_the_more_accurate_set_wins_and_one_class_alone_loses():
    found = choice.best_on_training_rows([ONE_CLASS, BAD, GOOD], VECTORS, KLASS, rng=RNG)
    assert found == 2
    assert choice.best_on_training_rows([ONE_CLASS, BAD], VECTORS, KLASS, rng=RNG) == 1


def test_accuracy_of_one_class_is_its_share():
    assert choice.training_accuracy(ONE_CLASS, VECTORS, KLASS, rng=RNG) == pytest.approx((KLASS == 0).mean())


def test_without_a_judge_it_says_what_to_install(monkeypatch):
    choice.require_judge()
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="lightgbm"):
        choice.require_judge()
