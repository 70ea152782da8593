"""Choices that the published 3A makes on the private rows themselves: nothing here is private."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from triplea.errors import MissingExtra

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Candidate = tuple[Floats, Whole, Floats]  # points, their classes, and the noise in each
JUDGED_ROWS, TRAINING_ROWS = 20_000, 5_000


def require_judge() -> None:
    """Raise MissingExtra where LightGBM, which judges candidates, is not installed."""
    if find_spec("lightgbm") is None:
        raise MissingExtra(
            package="lightgbm", extra="eval", purpose="choosing sigma_max on the training rows"
        )


def best_on_training_rows(
    candidates: Sequence[Candidate], vectors: Floats, klass: Whole, *, rng: np.random.Generator
) -> int:
    """The number of the candidate whose classifier is most accurate on the rows.

    A candidate that lacks a class loses against one that has more of them.
    """
    if len(candidates) == 1:
        return 0
    rows = rng.permutation(len(vectors))[:JUDGED_ROWS]
    scores = [
        (len(np.unique(candidate[1])), training_accuracy(candidate, vectors[rows], klass[rows], rng=rng))
        for candidate in candidates
    ]
    return max(range(len(scores)), key=lambda number: scores[number])


def training_accuracy(
    candidate: Candidate, vectors: Floats, klass: Whole, *, rng: np.random.Generator
) -> float:
    """Accuracy on the rows of a LightGBM classifier trained on draws around the points."""
    points, classes, spreads = candidate
    present = np.unique(classes)
    if len(present) == 1:
        return float(np.mean(klass == present[0]))
    from lightgbm import LGBMClassifier

    chosen = np.arange(max(TRAINING_ROWS, len(points))) % len(points)
    drawn = points[chosen] + spreads[chosen, None] * rng.standard_normal((len(chosen), points.shape[1]))
    judge = LGBMClassifier(n_estimators=50, n_jobs=1, verbose=-1, deterministic=True, seed=0)
    judge.fit(drawn, classes[chosen])
    return float(np.mean(np.asarray(judge.predict(vectors)) == klass))
