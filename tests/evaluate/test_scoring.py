from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from triplea.evaluate.bootstrap import Bootstrap
from triplea.evaluate.scoring import accuracy_score, classification_scores, regression_scores

BOOT = Bootstrap.of(200, seed=0, draws=50)


def test_two_classes_get_score_based_numbers_and_marked_paper_metrics() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    up = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1)
    scores, guess = np.column_stack([1 - up, up]), (up > 0.5).astype(int)
    found = classification_scores(truth, scores, guess, BOOT)
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(truth, up))
    assert found["roc_hard"].value == pytest.approx(metrics.roc_auc_score(truth, guess))
    assert found["roc_hard"].paper_metric
    assert found["prc_hard"].paper_metric
    assert not found["roc_auc"].paper_metric
    for score in found.values():
        assert score.low is not None
        assert score.high is not None
        assert score.low <= score.value <= score.high


def test_several_classes_get_one_vs_one_auc_and_weighted_f1() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 200)
    scores = rng.dirichlet(np.ones(3), 200)
    found = classification_scores(truth, scores, scores.argmax(axis=1), BOOT)
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(truth, scores, multi_class="ovo"))
    assert found["f1_weighted"].paper_metric
    assert "roc_hard" not in found


def test_one_class_in_the_test_rows_gives_a_half_and_says_why() -> None:
    found = classification_scores(np.zeros(200, int), np.tile([0.3, 0.7], (200, 1)), np.ones(200, int), BOOT)
    assert found["roc_auc"].value == 0.5
    assert found["roc_auc"].note == "the test rows hold one class only"
    assert found["accuracy"].value == 0


def test_regression_scores_are_r2_and_root_mean_squared_error() -> None:
    rng = np.random.default_rng(2)
    truth, guess = rng.normal(size=200), rng.normal(size=200)
    found = regression_scores(truth, guess, BOOT)
    assert found["r2"].value == pytest.approx(metrics.r2_score(truth, guess))
    assert found["rmse"].value == pytest.approx(metrics.root_mean_squared_error(truth, guess))


def test_mc_gens_metric_is_accuracy_alone() -> None:
    assert set(accuracy_score(np.array([0, 1]), np.array([0, 0]), 2, BOOT)) == {"accuracy"}
