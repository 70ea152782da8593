"""Fit one model on rows and ask it about other rows, whatever the library underneath."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from triplea.evaluate.inputs import Matrix, frame_of
from triplea.evaluate.models import Model, Settings
from triplea.evaluate.rows import Rows

_FEW_ROWS = 5_000


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A fitted model, or a constant if it saw one class only."""

    estimator: Any
    matrix: Matrix | None
    labels: np.ndarray
    classes: int
    rows: int
    note: str | None = None

    def predict(self, features: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Return class scores (rows x classes) and hard labels."""
        scores = np.zeros((len(features), self.classes))
        if self.estimator is None:
            scores[:, self.labels] = 1.0 / max(len(self.labels), 1)
            only = int(self.labels[0]) if len(self.labels) else 0
            return scores, np.full(len(features), only, dtype=np.int64)
        given = _prepared(features, self.matrix)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _class_scores(self.estimator, given)
            labels = self.labels[self.estimator.predict(given).astype(np.int64)]
        # A class that training never saw ranks below every class that it did.
        scores[:] = found.min(initial=0.0) - (0.0 if found.min(initial=0.0) >= 0.0 else 1.0)
        scores[:, self.labels] = found
        return scores, labels


def fit_classifier(
    model: Model, features: Rows, labels: np.ndarray, classes: int, *, settings: Settings
) -> Fitted:
    """Fit `model` on at most its `max_rows` rows."""
    features, labels = _cut(model, features, labels, settings.seed)
    present, relabelled = np.unique(labels, return_inverse=True)
    if len(present) < 2:
        why = (
            "one class only in the training rows: all scores are equal"
            if len(present)
            else "no training rows"
        )
        return Fitted(
            estimator=None, matrix=None, labels=present, classes=classes, rows=len(labels), note=why
        )
    matrix = matrix_for(model, features)
    made = model.make(_threaded(settings, len(labels)))
    try:
        estimator, note = _fit(made, _prepared(features, matrix), relabelled)
    except ValueError:
        # For one: early stopping needs two rows of every class. Always say the most common class.
        common_first = present[np.argsort(-np.bincount(relabelled), kind="stable")]
        why = "could not be fitted on these rows: all scores are equal"
        return Fitted(
            estimator=None, matrix=None, labels=common_first, classes=classes, rows=len(labels), note=why
        )
    return Fitted(
        estimator=estimator, matrix=matrix, labels=present, classes=classes, rows=len(labels), note=note
    )


def fit_regressor(
    model: Model, features: Rows, values: np.ndarray, *, settings: Settings
) -> tuple[Any, Matrix | None, int]:
    """Fit a regression model; the answer predicts with `predict_numbers`."""
    features, values = _cut(model, features, values, settings.seed)
    matrix = matrix_for(model, features)
    made = model.make(_threaded(settings, len(values)))
    estimator, _ = _fit(made, _prepared(features, matrix), values)
    return estimator, matrix, len(values)


def predict_numbers(fitted: tuple[Any, Matrix | None, int], features: Rows) -> np.ndarray:
    """Return the predictions of `fit_regressor`'s answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(fitted[0].predict(_prepared(features, fitted[1])), dtype=float)


def matrix_for(model: Model, features: Rows) -> Matrix | None:
    """Return the scaling a model's inputs need; None for a pandas frame."""
    if model.inputs == "frame":
        return None
    return Matrix.standard(features) if model.inputs == "standard" else Matrix.public(features)


def _threaded(settings: Settings, rows: int) -> Settings:
    """Use one thread for few rows: waking several costs more than the work."""
    return settings if rows >= _FEW_ROWS else replace(settings, threads=1)


def _prepared(features: Rows, matrix: Matrix | None) -> Any:
    return frame_of(features) if matrix is None else matrix.apply(features)


def _cut(model: Model, features: Rows, target: np.ndarray, seed: int) -> tuple[Rows, np.ndarray]:
    if model.max_rows is None or len(features) <= model.max_rows:
        return features, target
    chosen = np.sort(np.random.default_rng(seed).choice(len(features), model.max_rows, replace=False))
    return features.take(chosen), target[chosen]


def _fit(estimator: Any, given: Any, target: np.ndarray) -> tuple[Any, str | None]:
    """Fit, and turn a convergence warning into a note: other warnings are about speed or deprecations."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(given, target)
    unfinished = any("ConvergenceWarning" in warning.category.__name__ for warning in caught)
    return estimator, "stopped before it converged" if unfinished else None


def _class_scores(estimator: Any, given: Any) -> np.ndarray:
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(given), dtype=float)
    margin = np.asarray(estimator.decision_function(given), dtype=float)
    return np.column_stack([-margin, margin]) if margin.ndim == 1 else margin
