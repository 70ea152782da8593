"""What alpha does: six centroids of two moons, adapted, and the accuracy of kernel regression on them.

PYTHONPATH=src python bench/kip_alpha.py
"""

from __future__ import annotations

import numpy as np

from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.kernel_regression import Support, coefficients, predict
from triplea.adapt.labels import centred_one_hot
from triplea.adapt.ntk import double_precision


def moons(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two half circles that reach into each other, with noise of .1."""
    rng = np.random.default_rng(seed)
    labels, angle = rng.integers(0, 2, rows), rng.uniform(0.0, np.pi, rows)
    across = np.where(labels == 0, np.cos(angle), 1.0 - np.cos(angle))
    upward = np.where(labels == 0, np.sin(angle), 0.5 - np.sin(angle))
    return np.stack([across, upward], axis=1) + 0.1 * rng.standard_normal((rows, 2)), labels


def centroids(rows: np.ndarray, labels: np.ndarray, *, parts: int) -> np.ndarray:
    """The means of each class cut into parts from left to right."""
    return np.concatenate(
        [
            [part.mean(axis=0) for part in np.array_split(one[np.argsort(one[:, 0])], parts)]
            for one in (rows[labels == 0], rows[labels == 1])
        ]
    )


def accuracy(points: np.ndarray, labels: np.ndarray, rows: np.ndarray) -> float:
    """Of kernel ridge regression on the points, on fresh rows."""
    fresh, truth = moons(5000, seed=2)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    ones = np.ones(len(points))
    with double_precision():
        support = Support((points - centre) / spread, centred_one_hot(labels, 2), ones, ones > 0)
        solved = coefficients(support, depth=2, ridge=np.float64(1e-3))
        scores = np.asarray(predict(support, solved, (fresh - centre) / spread, depth=2))
    return float(np.mean(scores.argmax(axis=1) == truth))


def main() -> None:
    """Print a table."""
    rows, truth = moons(600, seed=1)
    points, labels = centroids(rows, truth, parts=3), np.repeat([0, 1], 3)
    print("alpha  accuracy  mean move  steps")
    for alpha in (0.0, 0.1, 0.5, 0.9, 1.0):
        found = KernelInducing(alpha=alpha, steps=500).adapt(
            points, labels, targets=rows, target_labels=truth, rng=np.random.default_rng(0)
        )
        move = np.linalg.norm(found.points - points, axis=1).mean()
        print(
            f"{alpha:5.1f}  {accuracy(found.points, labels, rows):8.3f}  {move:9.3f}  {len(found.losses):5d}"
        )


if __name__ == "__main__":
    main()
