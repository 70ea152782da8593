"""MC-GEN as printed: MDAV groups of raw rows, Laplace noise on their means and covariances. Not private."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.feature_sets import correlations, feature_sets
from triplea.approximate.gaussians.gaussian_cells import SetCells
from triplea.approximate.gaussians.microaggregation import mdav

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
MEAN_SHARE = 0.4  # of epsilon for means; the rest is for covariances, as in the authors' code
LIFT = 10.0  # a negative eigenvalue e is answered by adding 10|e| to the diagonal, as in the authors' code


def gaussians_of_groups(
    vectors: Floats,
    klass: Whole,
    *,
    classes: int,
    code: VectorCode,
    ifs: bool,
    cluster_share: float,
    epsilon: float,
    noise: np.random.Generator,
) -> tuple[dict[str, Any], float]:
    """Return what `GaussianCells` needs, and the number of rows.

    Feature sets come from the correlations of all rows; every set gets epsilon in proportion to its entries.
    Within a class, MDAV makes groups of a share k of its rows.
    """
    sets = feature_sets(correlations(np.cov(vectors.T, bias=True))) if ifs and _can_cluster(vectors) else None
    sets = sets or [np.arange(vectors.shape[1])]
    sizes = np.bincount(klass, minlength=classes)
    groups = [groups_by_class(vectors[:, entries], klass, sizes, cluster_share) for entries in sets]
    fitted = [
        noisy_groups(
            vectors, klass, group, entries, classes=classes, noise=noise,
            epsilon=epsilon * len(entries) / max(code.width, 1),
        )
        for entries, group in zip(sets, groups, strict=True)
    ]  # fmt: skip
    together, weights = np.unique(np.column_stack([klass, *groups]), axis=0, return_counts=True)
    model = {
        "classes": np.maximum(sizes, 1e-9).astype(float),
        "sets": fitted,
        "joined": together.astype(np.int64) if len(klass) else None,
        "joined_weights": weights.astype(float) if len(klass) else None,
    }
    return model, float(len(vectors))


def groups_by_class(vectors: Floats, klass: Whole, sizes: Whole, cluster_share: float) -> Whole:
    """MDAV groups of every class, numbered from 0 within the class."""
    group = np.zeros(len(vectors), dtype=np.int64)
    for number in np.flatnonzero(sizes):
        members = klass == number
        group[members] = mdav(vectors[members], max(1, int(np.ceil(cluster_share * sizes[number]))))
    return group


def noisy_groups(
    vectors: Floats,
    klass: Whole,
    group: Whole,
    entries: Whole,
    *,
    classes: int,
    epsilon: float,
    noise: np.random.Generator,
) -> SetCells:
    """Means with Laplace noise for 2d/|c|, covariances for d(d+1)/|c|, and the authors' repair."""
    d, leaves = len(entries), int(group.max(initial=0)) + 1
    weights = np.zeros((classes, leaves))
    means, covariances = np.zeros((classes, leaves, d)), np.zeros((classes, leaves, d, d))
    for at in np.ndindex(classes, leaves):
        members = vectors[np.ix_((klass == at[0]) & (group == at[1]), entries)]
        size = len(members)
        weights[at] = size
        if size and d:
            means[at] = members.mean(axis=0) + noise.laplace(0, 2 * d / (size * epsilon * MEAN_SHARE), d)
            scale = d * (d + 1) / (size * epsilon * (1 - MEAN_SHARE))
            upper = np.triu(noise.laplace(0, scale, (d, d)))
            spread = upper + np.triu(upper, 1).T
            covariances[at] = _repaired(np.cov(members.T, bias=True).reshape(d, d) + spread)
    return SetCells(
        entries=entries, weights=weights, means=means, covariances=covariances, shifts=np.zeros_like(means)
    )


def _repaired(covariance: Floats) -> Floats:
    least = float(np.linalg.eigvalsh(covariance)[0]) if len(covariance) else 0.0
    return covariance - LIFT * least * np.eye(len(covariance)) if least < 0 else covariance


def _can_cluster(vectors: Floats) -> bool:
    return len(vectors) > 1 and vectors.shape[1] > 2
