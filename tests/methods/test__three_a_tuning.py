"""Bayesian optimisation of the published parameters."""

import numpy as np
import pytest

from triplea.errors import MissingExtra
from triplea.methods import _three_a_tuning as tuning


@pytest.mark.parametrize("adapts", [True, False])
def test_the_best_of_the_tried_settings_comes_back(adapts):
    pytest.importorskip("optuna")
    tried = []

    def score(setting):
        tried.append(setting)
        return -abs(setting.sigma_max - 0.2) - setting.alpha * adapts

    best = tuning.seek(score, trials=8, adapts=adapts, rng=np.random.default_rng(0))
    assert len(tried) == 8 and best in tried
    assert score(best) == max(score(setting) for setting in tried[:8])
    assert adapts or best.alpha == 1.0
    assert 0.0 <= best.spread <= 1.0 and best.codes in ("ordinal", "one-hot")


def test_without_optuna_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(tuning, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="optuna"):
        tuning.require_search()
