"""Classes as numbers that a regression can predict."""

from __future__ import annotations

import numpy as np


def centred_one_hot(codes: np.ndarray, classes: int) -> np.ndarray:
    """One column per class, 1 - 1/classes in a row's own class and -1/classes in the others.

    >>> centred_one_hot(np.array([1, 0]), 2)
    array([[-0.5,  0.5],
           [ 0.5, -0.5]])
    """
    return np.asarray(np.eye(classes)[codes] - 1.0 / classes)


def as_outputs(labels: np.ndarray, target_labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both sets of labels as matrices: whole numbers are classes, other vectors are one output each."""
    if np.issubdtype(labels.dtype, np.integer) and np.issubdtype(target_labels.dtype, np.integer):
        classes = 1 + int(max(labels.max(initial=0), target_labels.max(initial=0)))
        return centred_one_hot(labels, classes), centred_one_hot(target_labels, classes)
    wide = [np.asarray(part, np.float64) for part in (labels, target_labels)]
    first, second = (part[:, None] if part.ndim == 1 else part for part in wide)
    return first, second
