"""Dimension-wise probability and prediction (Choi et al.; DP-auto-GAN, sections 4 and C.2)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from triplea.evaluate.binning import Cells, labels_of
from triplea.evaluate.extras import need
from triplea.evaluate.inputs import Matrix
from triplea.evaluate.label_scores import accuracy, confusion_matrix
from triplea.evaluate.marginals import distribution
from triplea.evaluate.models import Settings
from triplea.evaluate.ranking_scores import r_squared, roc_auc
from triplea.evaluate.rows import Rows
from triplea.results import DimensionPoint

_LASSO_STRENGTH = 0.01


def dimension_wise_probability(rows: Rows, real: Cells, synthetic: Cells) -> tuple[DimensionPoint, ...]:
    """Return one point a level: its share of real and of synthetic rows. A binary column gives one point."""
    points = []
    for field in rows.fields:
        if field.levels is None:
            continue
        p, q = distribution(real, field.name), distribution(synthetic, field.name)
        first = 1 if len(field.levels) == 2 else 0
        for place, label in list(enumerate(labels_of(field)[:-1]))[first:]:
            points.append(
                DimensionPoint(
                    column=field.name,
                    label=label,
                    kind="binary" if first else "categorical",
                    metric="share of rows",
                    real=float(p[place]),
                    synthetic=float(q[place]),
                )
            )
    return tuple(points)


def is_binary_table(rows: Rows) -> bool:
    """Whether every column has two values, as in MIMIC-III's codes."""
    return all(_two_values(rows, name) for name in rows.names)


def predict_dimension(
    column: str, train: Rows, test: Rows, synthetic: Rows, *, binary_table: bool, settings: Settings
) -> DimensionPoint | None:
    """Predict one column from the others, trained on real and on synthetic rows, tested on real test rows.

    Category columns: random forest of 10 trees, micro-averaged F1. Number columns: Lasso, R2. In a table of
    binary columns: logistic regression, AUROC. None if the real rows leave nothing to predict.
    """
    field = train.field(column)
    if binary_table:
        kind, metric, score = "binary", "AUROC", _auroc
    elif field.is_category:
        kind = "binary" if len(field.levels or ()) == 2 else "categorical"
        metric, score = "F1", _forest_f1
    else:
        kind, metric, score = "numeric", "R2", _lasso_r2
    tables = [rows.take(~rows.missing(column)) for rows in (train, synthetic, test)]
    if not len(tables[0]) or not len(tables[2]) or len(np.unique(tables[0][column])) < 2:
        return None
    real, _ = score(column, tables[0], tables[2], settings)
    ours, note = score(column, tables[1], tables[2], settings)
    return DimensionPoint(
        column=column, label=column, kind=kind, metric=metric, real=real, synthetic=ours, note=note
    )


def _two_values(rows: Rows, name: str) -> bool:
    field = rows.field(name)
    return (
        len(field.levels) == 2 if field.levels is not None else field.whole and field.upper - field.lower == 1
    )


def _flat(values: np.ndarray) -> str | None:
    """Say so if the training column holds no diversity (a brown point of DP-auto-GAN's figure 4)."""
    return "no diversity: one value only" if len(np.unique(values)) < 2 else None


def _matrices(column: str, train: Rows, test: Rows) -> tuple[np.ndarray, np.ndarray]:
    features = train.without(column)
    matrix = Matrix.standard(features)
    return matrix.apply(features), matrix.apply(test.without(column))


def _forest_f1(column: str, train: Rows, test: Rows, settings: Settings) -> tuple[float, str | None]:
    note = _flat(train[column])
    classes = len(train.field(column).levels or ())
    if note is not None:
        guess = train[column][:1] if len(train) else np.zeros(1, dtype=np.int64)
        predicted = np.repeat(guess, len(test))
    else:
        forest = need("sklearn.ensemble").RandomForestClassifier(
            n_estimators=10, random_state=settings.seed, n_jobs=settings.threads
        )
        inputs, questions = _matrices(column, train, test)
        predicted = _quietly(forest, inputs, train[column], questions)
    # With one label a row, micro-averaged F1 is accuracy.
    confusion = confusion_matrix(test[column], predicted.astype(np.int64), classes)
    return float(accuracy(confusion[None].astype(float))[0]), note


def _lasso_r2(column: str, train: Rows, test: Rows, settings: Settings) -> tuple[float, str | None]:
    note = _flat(train[column])
    weights = np.ones((1, len(test)))
    if note is not None:
        guess = float(train[column][0]) if len(train) else 0.0
        return float(r_squared(test[column], np.full(len(test), guess), weights)[0]), note
    inputs, questions = _matrices(column, train, test)
    centre, spread = float(train[column].mean()), float(train[column].std())
    lasso = need("sklearn.linear_model").Lasso(alpha=_LASSO_STRENGTH, random_state=settings.seed)
    predicted = _quietly(lasso, inputs, (train[column] - centre) / spread, questions) * spread + centre
    return float(r_squared(test[column], predicted, weights)[0]), None


def _auroc(column: str, train: Rows, test: Rows, settings: Settings) -> tuple[float, str | None]:
    high = test[column] > test.field(column).lower
    note = _flat(train[column])
    if note is not None:
        return 0.5, note
    inputs, questions = _matrices(column, train, test)
    logistic = need("sklearn.linear_model").LogisticRegression(max_iter=2000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logistic.fit(inputs, train[column] > train.field(column).lower)
        margin = logistic.decision_function(questions)
    return float(roc_auc(high, margin, np.ones((1, len(test))))[0]), None


def _quietly(estimator: Any, inputs: np.ndarray, target: np.ndarray, questions: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(estimator.fit(inputs, target).predict(questions))
