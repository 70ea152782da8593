from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from triplea.evaluate.ranking import ranking_agreement, spearman, synthetic_ranking_agreement
from triplea.results import ModelResult, Score


def result(model: str, trained_on: str, value: float) -> ModelResult:
    return ModelResult(
        model=model, title=model, trained_on=trained_on, rows=1, scores={"roc_auc": Score(value=value)}
    )


def test_agreement_is_the_share_of_pairs_in_the_same_order() -> None:
    real = np.array([0.9, 0.8, 0.7])
    assert synthetic_ranking_agreement(real, np.array([0.6, 0.5, 0.4])) == 1
    assert synthetic_ranking_agreement(real, np.array([0.4, 0.5, 0.6])) == 0
    assert synthetic_ranking_agreement(real, np.array([0.6, 0.4, 0.5])) == pytest.approx(2 / 3)


def test_spearman_agrees_with_scipy_and_is_zero_for_ties_only() -> None:
    a, b = np.array([0.9, 0.8, 0.8, 0.1]), np.array([0.3, 0.5, 0.2, 0.1])
    assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic)
    assert spearman(a, np.ones(4)) == 0


def test_a_ranking_needs_two_models_on_both_sides() -> None:
    results = [result("a", "real", 0.9), result("a", "synthetic", 0.8), result("b", "real", 0.7)]
    assert ranking_agreement(results, "roc_auc") is None
    found = ranking_agreement([*results, result("b", "synthetic", 0.75)], "roc_auc")
    assert found is not None
    assert (found.models, found.sra) == (("a", "b"), 1.0)
