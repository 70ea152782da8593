"""What do classes share? Isolet in its leading directions, without noise and with held-out rows.

Printed, for 4 to 20 leading eigenvectors and the direction in which the class means differ: the AUC of one
covariance for both classes (linear), of one for each (quadratic), and of LightGBM on the same few numbers.

    python bench/few_directions.py
"""

from __future__ import annotations

import lightgbm
import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from triplea.bench.datasets import load_dataset


def main() -> None:
    dataset = load_dataset("isolet/stratified")
    label = dataset.train.column(dataset.target).to_numpy()
    matrix = dataset.train.drop_columns([dataset.target]).to_pandas().to_numpy(float)
    seen, held = train_test_split(np.arange(len(label)), test_size=0.25, stratify=label, random_state=1)
    matrix = matrix - matrix[seen].mean(axis=0)
    eigenvectors = np.linalg.svd(matrix[seen], full_matrices=False)[2].T
    gap = matrix[seen][label[seen] == 1].mean(axis=0) - matrix[seen][label[seen] == 0].mean(axis=0)
    for count in (4, 8, 12, 20):
        lead = eigenvectors[:, :count]
        few = matrix @ np.column_stack([lead, gap - lead @ (lead.T @ gap)])
        scores = {
            "one covariance": LinearDiscriminantAnalysis().fit(few[seen], label[seen]).decision_function,
            "one for each": QuadraticDiscriminantAnalysis().fit(few[seen], label[seen]).decision_function,
            "LightGBM": _boosted(few[seen], label[seen]),
        }
        found = (
            f"{name} {roc_auc_score(label[held], score(few[held])):.4f}" for name, score in scores.items()
        )
        print(f"{count} eigenvectors and the gap:", ", ".join(found))


def _boosted(rows: np.ndarray, label: np.ndarray):
    model = lightgbm.LGBMClassifier(n_estimators=200, learning_rate=0.05, num_leaves=31, verbose=-1, n_jobs=1)
    model.fit(rows, label)
    return lambda others: model.predict(others, raw_score=True)


if __name__ == "__main__":
    main()
