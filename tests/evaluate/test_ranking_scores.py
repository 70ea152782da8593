from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from triplea.evaluate import ranking_scores


def ones(count: int) -> np.ndarray:
    return np.ones((1, count))


@st.composite
def ranked(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Labels with both classes, and scores with many ties."""
    size = draw(st.integers(2, 40))
    labels = np.array([True, False, *draw(st.lists(st.booleans(), min_size=size - 2, max_size=size - 2))])
    scores = np.array(draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size)), dtype=float)
    return labels, scores


@given(ranked())
def test_auc_and_average_precision_agree_with_scikit_learn(case: tuple[np.ndarray, np.ndarray]) -> None:
    labels, scores = case
    assert ranking_scores.roc_auc(labels, scores, ones(len(labels)))[0] == pytest.approx(
        metrics.roc_auc_score(labels, scores)
    )
    assert ranking_scores.average_precision(labels, scores, ones(len(labels)))[0] == pytest.approx(
        metrics.average_precision_score(labels, scores)
    )


@given(ranked(), st.integers(0, 10))
def test_row_counts_act_like_repeated_rows(case: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    labels, scores = case
    counts = np.random.default_rng(seed).integers(0, 3, len(labels))
    counts[:2] = 1
    again = np.repeat(np.arange(len(labels)), counts)
    for score in (ranking_scores.roc_auc, ranking_scores.average_precision):
        assert score(labels, scores, counts[None])[0] == pytest.approx(
            score(labels[again], scores[again], ones(len(again)))[0]
        )


def test_multi_class_scores_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    scores = rng.dirichlet(np.ones(4), 300) + 0.5 * np.eye(4)[truth]
    scores /= scores.sum(axis=1, keepdims=True)
    for kind, score in (("ovo", ranking_scores.one_vs_one_auc), ("ovr", ranking_scores.one_vs_rest_auc)):
        expected = metrics.roc_auc_score(truth, scores, multi_class=kind, average="macro")
        assert score(truth, scores, ones(300))[0] == pytest.approx(expected)
    expected = metrics.average_precision_score(np.eye(4)[truth], scores, average="macro")
    assert ranking_scores.macro_average_precision(truth, scores, ones(300))[0] == pytest.approx(expected)


def test_r_squared_agrees_with_scikit_learn_and_is_zero_for_a_constant_truth() -> None:
    rng = np.random.default_rng(1)
    truth, guess = rng.normal(1e5, 2, 50), rng.normal(1e5, 2, 50)
    assert ranking_scores.r_squared(truth, guess, ones(50))[0] == pytest.approx(
        metrics.r2_score(truth, guess)
    )
    assert ranking_scores.r_squared(np.full(5, 0.1), np.arange(5.0), ones(5))[0] == 0


def test_auc_without_a_class_is_a_half() -> None:
    assert ranking_scores.roc_auc(np.array([True, True]), np.array([0.1, 0.9]), ones(2))[0] == 0.5
    assert ranking_scores.one_vs_one_auc(np.array([1, 1]), np.zeros((2, 3)), ones(2))[0] == 0.5
    assert ranking_scores.average_precision(np.array([False]), np.array([0.1]), ones(1))[0] == 0


def test_curves_end_in_the_corners_and_enclose_the_auc() -> None:
    rng = np.random.default_rng(2)
    positive = rng.random(500) < 0.3
    scores = rng.normal(0, 1, 500) + positive
    x, y = ranking_scores.roc_curve(positive, scores, points=10_000)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(y, x) == pytest.approx(metrics.roc_auc_score(positive, scores))
    recall, precision = ranking_scores.precision_recall_curve(positive, scores)
    assert recall[-1] == 1
    assert precision[-1] == pytest.approx(positive.mean())
    assert len(recall) <= 200
