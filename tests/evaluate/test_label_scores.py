from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from triplea.evaluate import label_scores


def labels(classes: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    pair = st.tuples(st.integers(0, classes - 1), st.integers(0, classes - 1))
    return st.lists(pair, min_size=1, max_size=40)


@given(labels(4))
def test_label_scores_agree_with_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    truth, guess = np.array(pairs).T
    matrix = label_scores.confusion_matrix(truth, guess, 4)[None].astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            label_scores.accuracy: metrics.accuracy_score(truth, guess),
            label_scores.balanced_accuracy: metrics.balanced_accuracy_score(truth, guess),
            label_scores.f1_macro: metrics.f1_score(truth, guess, average="macro", zero_division=0),
            label_scores.f1_weighted: metrics.f1_score(truth, guess, average="weighted", zero_division=0),
        }
    for score, value in expected.items():
        assert score(matrix)[0] == pytest.approx(value), score.__name__


@given(labels(2))
def test_binary_paper_metrics_equal_scikit_learns_on_hard_labels(pairs: list[tuple[int, int]]) -> None:
    truth, guess = np.array([(0, 0), (1, 1), *pairs]).T
    matrix = label_scores.confusion_matrix(truth, guess, 2)[None].astype(float)
    assert label_scores.balanced_accuracy(matrix)[0] == pytest.approx(metrics.roc_auc_score(truth, guess))
    assert label_scores.average_precision_of_labels(matrix)[0] == pytest.approx(
        metrics.average_precision_score(truth, guess)
    )
    assert label_scores.f1_of_positive(matrix)[0] == pytest.approx(metrics.f1_score(truth, guess))
