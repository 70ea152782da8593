"""Scores of hard labels, for many confusion matrices at once (shape: draws, truth, predicted)."""

from __future__ import annotations

import numpy as np


def confusion_matrix(truth: np.ndarray, predicted: np.ndarray, classes: int) -> np.ndarray:
    """Return the count of every (truth, predicted) pair."""
    return np.bincount(truth * classes + predicted, minlength=classes * classes).reshape(classes, classes)


def accuracy(confusion: np.ndarray) -> np.ndarray:
    """Return the share of right labels."""
    result: np.ndarray = np.trace(confusion, axis1=1, axis2=2) / np.maximum(confusion.sum(axis=(1, 2)), 1.0)
    return result


def balanced_accuracy(confusion: np.ndarray) -> np.ndarray:
    """Return the mean recall over the classes that occur."""
    rows = confusion.sum(axis=2)
    recall = _diagonal(confusion) / np.maximum(rows, 1.0)
    result: np.ndarray = recall.sum(axis=1, where=rows > 0) / np.maximum((rows > 0).sum(axis=1), 1)
    return result


def f1_of_positive(confusion: np.ndarray) -> np.ndarray:
    """Return the F1 score of class 1 of two."""
    return _f1(confusion)[:, 1]


def f1_macro(confusion: np.ndarray) -> np.ndarray:
    """Return the unweighted mean F1 over the classes that occur or are predicted."""
    seen = confusion.sum(axis=2) + confusion.sum(axis=1) > 0
    result: np.ndarray = _f1(confusion).sum(axis=1, where=seen) / np.maximum(seen.sum(axis=1), 1)
    return result


def f1_weighted(confusion: np.ndarray) -> np.ndarray:
    """Return the mean F1 weighted by the classes' true shares, as DP-MERF reports for several classes."""
    rows = confusion.sum(axis=2)
    result: np.ndarray = (_f1(confusion) * rows).sum(axis=1) / np.maximum(rows.sum(axis=1), 1.0)
    return result


def average_precision_of_labels(confusion: np.ndarray) -> np.ndarray:
    """Return the average precision when the 0/1 label is taken for the score: PRC as DP-MERF's code has it.

    There are two thresholds: recall * precision of the label, then the rest of the recall at the prevalence.
    """
    hits, alarms = confusion[:, 1, 1], confusion[:, :, 1].sum(axis=1)
    positives = confusion[:, 1, :].sum(axis=1)
    recall = hits / np.maximum(positives, 1.0)
    precision = hits / np.maximum(alarms, 1.0)
    prevalence = positives / np.maximum(confusion.sum(axis=(1, 2)), 1.0)
    return np.where(positives > 0, recall * precision + (1.0 - recall) * prevalence, 0.0)


def _diagonal(confusion: np.ndarray) -> np.ndarray:
    return np.diagonal(confusion, axis1=1, axis2=2)


def _f1(confusion: np.ndarray) -> np.ndarray:
    bottom = confusion.sum(axis=2) + confusion.sum(axis=1)
    result: np.ndarray = 2.0 * _diagonal(confusion) / np.maximum(bottom, 1.0)
    return result
