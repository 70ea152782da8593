"""Do weights help a learner with a rare class? Rows as they come, weighted rows, weighted rows without them.

Every seed holds out another quarter of the training rows, releases the others at epsilon = 1 and draws as
many rows from the model in both ways. Learners, with their defaults: LightGBM, and logistic regression on
standardised columns. Printed: mean ROC AUC on the held-out rows, and its gain over rows as they come with the
standard error of that gain.

    python bench/weighted_rows.py --data credit/stratified --seeds 6 --jobs 2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from trials import each, held_out, keep, options, release

from triplea.bench.datasets import load_dataset

WEIGHT = "weight of the row"
LEARNERS: dict[str, Callable[[int], Any]] = {
    "LightGBM": lambda seed: LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1),
    "logistic regression": lambda seed: LogisticRegression(max_iter=1000, random_state=seed),
}
WAYS = ("as they come", "weighted", "weighted, weights left out")


def trial(data: str, seed: int) -> dict[str, Any]:
    """AUC of every learner in every way."""
    dataset = held_out(load_dataset(data), seed)
    model = release(dataset, method="mosaic", epsilon=1.0, seed=seed).model
    rows = dataset.train.num_rows
    plain = model.sample(rows, seed=seed).to_pandas()
    weighted = model.sample(rows, weights=WEIGHT, seed=seed).to_pandas()
    weights = weighted.pop(WEIGHT).to_numpy()
    test = dataset.test.to_pandas()
    found: dict[str, Any] = {"data": data, "seed": seed}
    for way, given, counts_for in zip(WAYS, (plain, weighted, weighted), (None, weights, None), strict=True):
        for name, learner in LEARNERS.items():
            fitted = _fitted(learner(seed), given, dataset.target, counts_for)
            found[f"{name}, {way}"] = _auc(fitted, test, dataset.target)
    return found


def _numbers(frame: pd.DataFrame, target: str) -> np.ndarray:
    """Features as numbers; a table of numbers is what this is for."""
    return frame.drop(columns=target).to_numpy(dtype=float)


def _fitted(
    learner: Any, frame: pd.DataFrame, target: str, weights: np.ndarray | None
) -> Callable[[pd.DataFrame], Any]:
    scaler = StandardScaler().fit(_numbers(frame, target))
    learner.fit(scaler.transform(_numbers(frame, target)), frame[target].astype(str), sample_weight=weights)
    return lambda rows: learner.predict_proba(scaler.transform(_numbers(rows, target)))[:, 1]


def _auc(fitted: Callable[[pd.DataFrame], Any], test: pd.DataFrame, target: str) -> float:
    labels = test[target].astype(str)
    return float(roc_auc_score(labels == labels.max(), fitted(test)))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="credit/stratified")
    given = parser.parse_args()
    results = each(trial, [(given.data, seed) for seed in range(given.seeds)], jobs=given.jobs)
    keep(results, given.out)
    for name in LEARNERS:
        plain = np.array([result[f"{name}, {WAYS[0]}"] for result in results])
        print(f"{name}, {WAYS[0]}: {plain.mean():.4f}")
        for way in WAYS[1:]:
            values = np.array([result[f"{name}, {way}"] for result in results])
            gain = values - plain
            error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
            print(f"{name}, {way}: {values.mean():.4f}, {gain.mean():+.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
