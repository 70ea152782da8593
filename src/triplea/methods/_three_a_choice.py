"""Choices that the published 3A makes on the private rows themselves: nothing here is private."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from triplea.errors import MissingExtra

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
JUDGED_ROWS = 20_000


def require_judge() -> None:
    """Raise MissingExtra where LightGBM, which judges candidates, is not installed."""
    if find_spec("lightgbm") is None:
        raise MissingExtra(
            package="lightgbm", extra="eval", purpose="choosing sigma_max on the training rows"
        )


def best_on_training_rows(
    candidates: Sequence[tuple[Floats, Whole]], vectors: Floats, klass: Whole, *, rng: np.random.Generator
) -> int:
    """The number of the (points, classes) whose classifier is most accurate on the rows."""
    if len(candidates) == 1:
        return 0
    rows = rng.permutation(len(vectors))[:JUDGED_ROWS]
    scores = [training_accuracy(*candidate, vectors[rows], klass[rows]) for candidate in candidates]
    return int(np.argmax(scores))


def training_accuracy(points: Floats, classes: Whole, vectors: Floats, klass: Whole) -> float:
    """Accuracy on the rows of a LightGBM classifier trained on the points."""
    present = np.unique(classes)
    if len(present) == 1:
        return float(np.mean(klass == present[0]))
    from lightgbm import LGBMClassifier

    judge = LGBMClassifier(
        n_estimators=50, min_child_samples=5, n_jobs=1, verbose=-1, deterministic=True, seed=0
    )
    judge.fit(points, classes)
    return float(np.mean(np.asarray(judge.predict(vectors)) == klass))
