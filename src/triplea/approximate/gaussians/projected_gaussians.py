"""Random orthonormal projections, and RON-Gauss as its authors coded it (not private for p > 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.gaussian_cells import SetCells
from triplea.approximate.gaussians.moments_to_gaussians import nearest_covariance

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def orthonormal_rows(p: int, m: int, rng: np.random.Generator) -> Floats:
    """P random orthonormal vectors in m dimensions, by QR of a random matrix."""
    if p == 0:
        return np.zeros((0, m))
    return np.asarray(np.linalg.qr(rng.standard_normal((m, p)))[0].T)


def mean_scale(m: int, n: int, epsilon: float) -> float:
    """The authors' Laplace scale for the mean of n unit rows in m dimensions."""
    return float(np.sqrt(m) / (n * epsilon))


def scatter_scale(p: int, n: int, epsilon: float) -> float:
    """The authors' Laplace scale for the scatter matrix of n unit rows in p dimensions, divided by n."""
    return float(2.0 * np.sqrt(p) / (n * epsilon))


def ron_gauss_as_printed(
    vectors: Floats,
    klass: Whole,
    *,
    classes: int,
    projection: Floats,
    epsilon_mean: float,
    epsilon_scatter: float,
    noise: np.random.Generator,
) -> tuple[dict[str, Any], float]:
    """Unit rows, noisy mean, centred and again unit rows, noisy scatter of the projection, class by class.

    Draws are scaled back by the mean norm of the class's rows, as the authors leave the scale to the user.
    """
    width, p = vectors.shape[1], len(projection)
    sizes = np.bincount(klass, minlength=classes)
    means, covariances = np.zeros((classes, 1, width)), np.zeros((classes, 1, width, width))
    for c in np.flatnonzero(sizes):
        rows, n = vectors[klass == c], int(sizes[c])
        size = float(np.linalg.norm(rows, axis=1).mean())
        units = _unit(rows)
        mean = units.mean(axis=0) + noise.laplace(0.0, mean_scale(max(width, 1), n, epsilon_mean), width)
        low = _unit(units - mean) @ projection.T
        scatter = low.T @ low / n + noise.laplace(0.0, scatter_scale(max(p, 1), n, epsilon_scatter), (p, p))
        means[c, 0] = size * mean
        covariances[c, 0] = size**2 * projection.T @ nearest_covariance(scatter) @ projection
    cells = SetCells(
        entries=np.arange(width),
        weights=np.ones((classes, 1)),
        means=means,
        covariances=covariances,
        shifts=np.zeros_like(means),
    )
    return {"classes": np.maximum(sizes, 1e-9).astype(float), "sets": [cells]}, float(len(vectors))


def _unit(rows: Floats) -> Floats:
    """Rows of norm 1; a zero row stays zero."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1.0))
