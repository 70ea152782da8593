"""What a straight line could tell: Fisher's discriminant out of the moments of a release of Credit.

Both classes' means and covariances are read off the fitted model. The rule is the direction
(covariance of frauds, scaled to that of honest rows, times a half + covariance of honest rows)^-1 times the
difference of the means, in the model's own code. Beside it: LightGBM trained on the release, and, on the real
rows, LightGBM and logistic regression in the same code. Epsilon = 500 stands for no noise.

    python bench/credit_linear_rule.py --seeds 24 --jobs 2
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from trials import each, keep, options, release, scored

from triplea.approximate.gaussians.gaussian_classes import GaussianClasses
from triplea.bench.datasets import Dataset, load_dataset

EPSILONS = (1.0, 3.0, 500.0)
HONEST = 40_000  # honest rows from which logistic regression learns, weighted up


def vectors(model: GaussianClasses, table: pa.Table) -> np.ndarray:
    return model.code.encode({name: table[name].to_numpy().astype(float) for name in model.code.names})


def fisher(model: GaussianClasses) -> np.ndarray:
    """The direction that tells frauds (the second class) from honest rows."""
    honest, frauds = model.gaussians.covariances
    unit = np.sqrt(np.diag(honest))
    honest, frauds = (matrix / np.outer(unit, unit) for matrix in (honest, frauds))
    within = honest + 0.5 * frauds / np.diag(frauds).mean()
    return np.linalg.solve(within, (model.gaussians.means[1] - model.gaussians.means[0]) / unit) / unit


def logistic(
    model: GaussianClasses, dataset: Dataset, fraud: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Weights of a logistic regression on the real rows, in the model's code."""
    honest = rng.choice(np.flatnonzero(~fraud), HONEST, replace=False)
    chosen = np.concatenate([honest, np.flatnonzero(fraud)])
    weights = np.where(fraud[chosen], 1.0, (~fraud).sum() / HONEST)
    matrix = vectors(model, dataset.train)[chosen]
    return LogisticRegression(C=0.1, max_iter=300).fit(matrix, fraud[chosen], sample_weight=weights).coef_[0]


def trial(split: int) -> dict[str, Any]:
    """AUC on the test rows of one stratified split, by rule and epsilon."""
    dataset = load_dataset("credit/stratified", split=split)
    fraud, truth = (
        np.array([str(value) for value in table[dataset.target].to_pylist()]) == "1"
        for table in (dataset.train, dataset.test)
    )
    found = {"real rows, LightGBM": scored(dataset, dataset.train, seed=split)["auc"]}
    for epsilon in EPSILONS:
        made = release(dataset, method="mosaic-numbers", epsilon=epsilon, seed=split)
        model = made.model.model
        test = vectors(model, dataset.test)
        found[f"epsilon {epsilon:g}, LightGBM"] = scored(dataset, made.rows, seed=split)["auc"]
        found[f"epsilon {epsilon:g}, linear rule"] = roc_auc_score(truth, test @ fisher(model))
    line = logistic(model, dataset, fraud, np.random.default_rng(split))
    found["real rows, linear rule"] = roc_auc_score(truth, test @ line)
    return {"split": split, **found}


def main() -> None:
    given = options(__doc__).parse_args()
    results = each(trial, [(split,) for split in range(given.seeds)], jobs=given.jobs)
    keep(results, given.out)
    for name in sorted(set(results[0]) - {"split"}):
        values = np.array([result[name] for result in results])
        print(f"{name}: {values.mean():.4f} ± {values.std(ddof=1) / np.sqrt(len(values)):.4f}")


if __name__ == "__main__":
    main()
