"""Principal components of the real rows, the synthetic rows put on the same axes (DP-auto-GAN, C.2.1)."""

from __future__ import annotations

import numpy as np

from triplea.evaluate.inputs import Matrix
from triplea.evaluate.rows import Rows
from triplea.results import Projection


def project(
    real: Rows, synthetic: Rows, *, target: str | None, rng: np.random.Generator, points: int = 1000
) -> Projection | None:
    """Fit two components on the real rows and project at most `points` rows of each table."""
    features = (
        [rows.without(target) if target in rows.names else rows for rows in (real, synthetic)]
        if target
        else []
    )
    features = features or [real, synthetic]
    matrix = Matrix.public(features[0], low=0.0, high=1.0)
    whole = matrix.apply(features[0]).astype(np.float64)
    if whole.shape[1] < 2 or not len(real) or not len(synthetic):
        return None
    centre = whole.mean(axis=0)
    axes, explained = principal_axes(whole - centre)
    chosen = [np.sort(rng.permutation(len(rows))[:points]) for rows in (real, synthetic)]
    shown = [
        (matrix.apply(part.take(index)).astype(np.float64) - centre) @ axes.T
        for part, index in zip(features, chosen, strict=True)
    ]
    classes = [
        _classes(rows.take(index), target) for rows, index in zip((real, synthetic), chosen, strict=True)
    ]
    return Projection(
        explained=tuple(float(share) for share in explained),
        real=_points(shown[0]),
        synthetic=_points(shown[1]),
        real_classes=classes[0],
        synthetic_classes=classes[1],
    )


def principal_axes(centred: np.ndarray, count: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return the first components (unit rows, largest entry positive) and their shares of the variance."""
    covariance = centred.T @ centred / max(len(centred) - 1, 1)
    values, vectors = np.linalg.eigh(covariance)
    axes = vectors[:, ::-1][:, :count].T
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    total = float(values.sum())
    shares = values[::-1][:count] / total if total > 0 else np.zeros(count)
    return axes * signs[:, None], shares


def _classes(rows: Rows, target: str | None) -> tuple[str, ...]:
    if target is None or target not in rows.names:
        return ()
    levels = rows.field(target).levels
    return () if levels is None else tuple((*levels, "missing")[code] for code in rows[target])


def _points(values: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in values)
