"""Reading noisy counts over halves, quarters, eighths ... of a range as one distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from triplea.schema import Column

Floats = NDArray[np.float64]


def consistent_leaves(levels: Sequence[Floats]) -> Floats:
    """Combine noisy counts of levels 1, 2, ..., L (2^l cells each, equal noise) into 2^L leaf counts.

    Negative leaves are cut at zero, keeping the total.
    """
    leaves = least_squares_leaves(levels)
    return to_simplex(leaves, max(float(leaves.sum()), 1.0))


def least_squares_leaves(levels: Sequence[Floats]) -> Floats:
    """The leaves that come nearest to all levels' counts; some may be negative.

    Upwards, a node's own count and the sum of its children are averaged by their variances; downwards,
    what is missing is shared equally: the least-squares solution for a binary tree (Hay et al. 2010).
    """
    estimates = [np.asarray(level, dtype=float) for level in levels]
    variances = [1.0] * len(estimates)
    for depth in range(len(estimates) - 2, -1, -1):
        below = estimates[depth + 1].reshape(-1, 2).sum(axis=1)
        variance_below = 2.0 * variances[depth + 1]
        weight = variance_below / (variance_below + 1.0)
        estimates[depth] = weight * estimates[depth] + (1.0 - weight) * below
        variances[depth] = weight
    for depth in range(len(estimates) - 1):
        children = estimates[depth + 1].reshape(-1, 2)
        gap = estimates[depth] - children.sum(axis=1)
        estimates[depth + 1] = (children + gap[:, None] / 2.0).reshape(-1)
    return estimates[-1]


def climbing_masses(levels: Sequence[Floats]) -> Floats:
    """Leaves as a distribution whose sums from the left stay as near as can be to those of the counts.

    Cutting every negative leaf would thin out the tails, where noise exceeds the counts; sums over many
    leaves are hardly noisy, and only have to be made to climb.
    """
    leaves = least_squares_leaves(levels)
    below = np.cumsum(leaves) / max(float(leaves.sum()), 1.0)
    climbing = np.clip(isotonic_regression(below).x, 0.0, 1.0)
    climbing[-1] = 1.0
    return np.diff(climbing, prepend=0.0)


def to_simplex(values: Floats, total: float) -> Floats:
    """Project onto the non-negative vectors that add up to `total` (Euclidean distance).

    >>> to_simplex(np.array([3.0, -1.0, 1.0]), 3.0)
    array([2.5, 0. , 0.5])
    """
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - total) / np.arange(1, len(values) + 1)
    last = int(np.nonzero(ordered > excess)[0][-1]) if np.any(ordered > excess) else 0
    lifted: Floats = np.maximum(values - excess[last], 0.0)
    return lifted


def quantiles_from_counts(
    column: Column, histograms: Sequence[Floats], probabilities: Sequence[float]
) -> Floats:
    """Return quantiles of a column's encoded values from its noisy dyadic counts (levels 1, 2, ...)."""
    leaves = consistent_leaves([counts[: 2 ** (level + 1)] for level, counts in enumerate(histograms)])
    edges = range_edges(column, len(leaves))
    cumulative = np.concatenate([[0.0], np.cumsum(leaves)]) / leaves.sum()
    found: Floats = np.interp(np.clip(probabilities, 0.0, 1.0), cumulative, edges)
    return found


def range_edges(column: Column, parts: int) -> Floats:
    """Cut the public range of a column's encoded values into equal parts."""
    if column.size is not None:
        return np.linspace(0.0, column.size, parts + 1)
    return np.linspace(float(column.lower or 0.0), float(column.upper or 0.0), parts + 1)
