"""All scores of one model on one test set, each with its bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from triplea.evaluate import label_scores, ranking_scores
from triplea.evaluate.bootstrap import Bootstrap
from triplea.results import Score

_ONE_CLASS = "the test rows hold one class only"


def classification_scores(
    truth: np.ndarray, scores: np.ndarray, predicted: np.ndarray, bootstrap: Bootstrap
) -> dict[str, Score]:
    """Score class scores (rows x classes) and hard labels; with two classes, class 1 is the positive one."""
    classes = scores.shape[1]
    confusion = label_scores.confusion_matrix(truth, predicted, classes)
    found = _ranking(truth, scores, bootstrap, binary=classes == 2)
    from_labels: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "accuracy": label_scores.accuracy,
        "balanced_accuracy": label_scores.balanced_accuracy,
        "f1": label_scores.f1_of_positive if classes == 2 else label_scores.f1_macro,
    }
    for name, function in from_labels.items():
        found[name] = _labelled(confusion, function, bootstrap)
    paper: dict[str, Callable[[np.ndarray], np.ndarray]] = (
        {"roc_hard": label_scores.balanced_accuracy, "prc_hard": label_scores.average_precision_of_labels}
        if classes == 2
        else {"f1_weighted": label_scores.f1_weighted}
    )
    for name, function in paper.items():
        found[name] = _labelled(confusion, function, bootstrap, paper_metric=True)
    return found


def accuracy_score(
    truth: np.ndarray, predicted: np.ndarray, classes: int, bootstrap: Bootstrap
) -> dict[str, Score]:
    """Score accuracy alone: MC-GEN's metric in both of its scenarios."""
    confusion = label_scores.confusion_matrix(truth, predicted, classes)
    return {"accuracy": _labelled(confusion, label_scores.accuracy, bootstrap, paper_metric=True)}


def regression_scores(truth: np.ndarray, predicted: np.ndarray, bootstrap: Bootstrap) -> dict[str, Score]:
    """Score R2 and the root of the mean squared error."""

    def r2(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return ranking_scores.r_squared(truth[rows], predicted[rows], weights)

    def error(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        squared = weights @ (truth[rows] - predicted[rows]) ** 2
        result: np.ndarray = np.sqrt(squared / np.maximum(weights.sum(axis=1), 1.0))
        return result

    return {"r2": _ranked(len(truth), r2, bootstrap), "rmse": _ranked(len(truth), error, bootstrap)}


def _ranking(
    truth: np.ndarray, scores: np.ndarray, bootstrap: Bootstrap, *, binary: bool
) -> dict[str, Score]:
    functions: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]]
    if binary:
        functions = {
            "roc_auc": lambda y, s, w: ranking_scores.roc_auc(y == 1, s[:, 1], w),
            "average_precision": lambda y, s, w: ranking_scores.average_precision(y == 1, s[:, 1], w),
        }
    else:
        functions = {
            "roc_auc": ranking_scores.one_vs_one_auc,
            "roc_auc_ovr": ranking_scores.one_vs_rest_auc,
            "average_precision": ranking_scores.macro_average_precision,
        }
    note = _ONE_CLASS if len(np.unique(truth)) < 2 else None
    found = {}
    for name, function in functions.items():

        def scored(
            rows: np.ndarray, weights: np.ndarray, function: Callable[..., np.ndarray] = function
        ) -> np.ndarray:
            return function(truth[rows], scores[rows], weights)

        found[name] = _ranked(len(truth), scored, bootstrap, note=note)
    return found


def _ranked(
    rows: int,
    function: Callable[[np.ndarray, np.ndarray], np.ndarray],
    bootstrap: Bootstrap,
    *,
    note: str | None = None,
) -> Score:
    point = float(function(np.arange(rows), np.ones((1, rows)))[0])
    low, high = bootstrap.of_rows(point, function)
    return Score(value=point, low=low, high=high, note=note)


def _labelled(
    confusion: np.ndarray,
    function: Callable[[np.ndarray], np.ndarray],
    bootstrap: Bootstrap,
    *,
    paper_metric: bool = False,
) -> Score:
    low, high = bootstrap.of_confusion(confusion, function)
    return Score(
        value=float(function(confusion[None].astype(float))[0]), low=low, high=high, paper_metric=paper_metric
    )
