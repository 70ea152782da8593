"""Scores of a ranking, for many weightings of the rows at once: ROC AUC, average precision, R2.

`weights` has shape (draws, rows); one row of ones gives the plain score. Ties are treated as in
scikit-learn.
"""

from __future__ import annotations

import itertools

import numpy as np


def roc_auc(positive: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chance that a positive row outranks a negative one, ties counting half; .5 if undefined."""
    ups, downs = _grouped(positive, scores, weights)
    below = np.cumsum(downs, axis=1) - 0.5 * downs
    pairs = ups.sum(axis=1) * downs.sum(axis=1)
    wins = (ups * below).sum(axis=1)
    return np.where(pairs > 0, wins / np.where(pairs > 0, pairs, 1.0), 0.5)


def average_precision(positive: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the sum of precision times the step in recall over falling thresholds; 0 without positives."""
    ups, downs = _grouped(positive, -scores, weights)
    found = np.cumsum(ups, axis=1)
    shown = found + np.cumsum(downs, axis=1)
    total = found[:, -1] if found.shape[1] else np.zeros(len(weights))
    precision = found / np.where(shown > 0, shown, 1.0)
    return np.where(total > 0, (precision * ups).sum(axis=1) / np.where(total > 0, total, 1.0), 0.0)


def one_vs_one_auc(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean over pairs of classes (Hand and Till) of the AUC between them, both ways."""
    present = np.unique(truth)
    if len(present) < 2:
        return np.full(len(weights), 0.5)
    total = np.zeros(len(weights))
    pairs = list(itertools.combinations(present, 2))
    for first, second in pairs:
        here = (truth == first) | (truth == second)
        part = weights[:, here]
        total += 0.5 * roc_auc(truth[here] == first, scores[here, first], part)
        total += 0.5 * roc_auc(truth[here] == second, scores[here, second], part)
    return total / len(pairs)


def one_vs_rest_auc(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the unweighted mean over the classes that occur of each class's AUC against the rest."""
    found = [roc_auc(truth == label, scores[:, label], weights) for label in np.unique(truth)]
    result: np.ndarray = np.mean(found, axis=0)
    return result


def macro_average_precision(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the unweighted mean over the classes that occur of each class's average precision."""
    found = [average_precision(truth == label, scores[:, label], weights) for label in np.unique(truth)]
    result: np.ndarray = np.mean(found, axis=0)
    return result


def r_squared(truth: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return 1 - squared error / squared deviation from the mean; 0 if the truth is constant."""
    count = np.maximum(weights.sum(axis=1), 1.0)
    shifted = truth - truth.mean() if truth.size else truth
    mean = weights @ shifted / count
    spread = weights @ shifted**2 / count - mean**2
    error = weights @ (truth - predicted) ** 2 / count
    steady = spread <= 1e-15 * max(float(np.max(np.abs(truth), initial=0.0)) ** 2, 1e-300)
    return np.where(steady, 0.0, 1.0 - error / np.where(steady, 1.0, spread))


def roc_curve(
    positive: np.ndarray, scores: np.ndarray, *, points: int = 200
) -> tuple[np.ndarray, np.ndarray]:
    """Return false- and true-positive rates at falling thresholds, thinned to about `points` points."""
    ups, downs = _grouped(positive, -scores, np.ones((1, len(scores))))
    rise = np.concatenate([[0.0], np.cumsum(ups[0]) / max(ups.sum(), 1.0)])
    run = np.concatenate([[0.0], np.cumsum(downs[0]) / max(downs.sum(), 1.0)])
    kept = _thin(len(rise), points)
    return run[kept], rise[kept]


def precision_recall_curve(
    positive: np.ndarray, scores: np.ndarray, *, points: int = 200
) -> tuple[np.ndarray, np.ndarray]:
    """Return recall and precision at falling thresholds, thinned to about `points` points."""
    ups, downs = _grouped(positive, -scores, np.ones((1, len(scores))))
    found = np.cumsum(ups[0])
    recall = found / max(found[-1] if found.size else 0.0, 1.0)
    precision = found / np.maximum(found + np.cumsum(downs[0]), 1.0)
    kept = _thin(len(recall), points)
    return recall[kept], precision[kept]


def _grouped(positive: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of positives and of negatives at every different score, in rising order."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    starts = (
        np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        if ranked.size
        else np.zeros(0, int)
    )
    if not starts.size:
        return np.zeros((len(weights), 0)), np.zeros((len(weights), 0))
    sorted_weights = weights[:, order].astype(np.float64)
    up = positive[order].astype(np.float64)
    ups = np.add.reduceat(sorted_weights * up, starts, axis=1)
    return ups, np.add.reduceat(sorted_weights, starts, axis=1) - ups


def _thin(size: int, points: int) -> np.ndarray:
    return np.unique(np.linspace(0, size - 1, min(size, points)).astype(int)) if size else np.zeros(0, int)
