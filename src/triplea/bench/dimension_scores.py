"""DP-auto-GAN's dimension-wise scores of 0/1 columns: shares of ones, and how well each column is predicted.

A column is predicted from all others by logistic regression, trained on real and on synthetic rows, and
tested on real test rows (AUROC). Which columns are predicted goes by their share of ones in the real rows,
never by the synthetic ones: a generator cannot hide a column by leaving it empty.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.errors import UserError
from triplea.evaluate.extras import need
from triplea.evaluate.ranking_scores import roc_auc

LEAST_SHARE = 0.05  # 64 columns of the simulated table, as in the last line of the paper's figure 12
MOST_ROWS = 10_000  # for training a single regression; enough for figures that are means over columns


@dataclass(frozen=True, kw_only=True)
class DimensionScores:
    """Shares of ones for all columns, and AUROCs for the `predicted` ones."""

    real_shares: np.ndarray
    synthetic_shares: np.ndarray
    predicted: np.ndarray
    real_auroc: np.ndarray
    synthetic_auroc: np.ndarray

    def summary(self) -> dict[str, float]:
        """The numbers of a table: distances of the shares, and mean AUROCs."""
        apart = np.abs(self.real_shares - self.synthetic_shares)
        empty = self.predicted & (self.synthetic_shares == 0)
        flat = np.ptp(self.real_shares) == 0 or np.ptp(self.synthetic_shares) == 0
        return {
            "share.mean_error": float(apart.mean()),
            "share.largest_error": float(apart.max()),
            "share.r": 0.0 if flat else float(np.corrcoef(self.real_shares, self.synthetic_shares)[0, 1]),
            "auroc.real": float(self.real_auroc.mean()),
            "auroc.synthetic": float(self.synthetic_auroc.mean()),
            "auroc.lost": float(np.abs(self.real_auroc - self.synthetic_auroc).mean()),
            "columns.without_ones": float(empty.sum()),
        }


def binary_matrix(table: pa.Table, names: list[str]) -> np.ndarray:
    """The columns as 0 and 1."""
    matrix = np.stack([np.asarray(table.column(name).cast(pa.int64())) for name in names], axis=1)
    if not np.isin(matrix, (0, 1)).all():
        raise UserError("the evaluator 'dimension-wise' needs a table whose columns are all 0 or 1.")
    return matrix.astype(np.float32)


def dimension_scores(
    train: np.ndarray, test: np.ndarray, synthetic: np.ndarray, *, least: float = LEAST_SHARE
) -> DimensionScores:
    """Compare a synthetic matrix with real ones."""
    shares = train.mean(axis=0)
    predicted = (shares >= least) & (shares <= 1 - least) & (np.ptp(test, axis=0) > 0)
    tables = [_sparse(rows[:MOST_ROWS]) for rows in (train, synthetic)]
    questions = _sparse(test)
    columns = np.flatnonzero(predicted)
    found = [[_auroc(rows, questions, test[:, at], int(at)) for at in columns] for rows in tables]
    return DimensionScores(
        real_shares=shares,
        synthetic_shares=synthetic.mean(axis=0),
        predicted=predicted,
        real_auroc=np.array(found[0]),
        synthetic_auroc=np.array(found[1]),
    )


def _auroc(rows: Any, questions: Any, truth: np.ndarray, at: int) -> float:
    """Train on one table, ask about the other; a column that does not vary in training teaches nothing."""
    others = np.delete(np.arange(rows.shape[1]), at)
    target = np.asarray(rows[:, [at]].todense()).ravel() > 0
    if target.all() or not target.any():
        return 0.5
    logistic = need("sklearn.linear_model").LogisticRegression(max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logistic.fit(rows[:, others], target)
    margin = logistic.decision_function(questions[:, others])
    return float(roc_auc(truth > 0, margin, np.ones((1, len(truth))))[0])


def _sparse(matrix: np.ndarray) -> Any:
    from scipy.sparse import csc_matrix

    return csc_matrix(matrix.astype(np.float64))
