"""Feature-level clustering of MC-GEN: which columns go together, from a correlation matrix."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import average, fcluster
from scipy.spatial.distance import squareform

Floats = NDArray[np.float64]


def correlations(covariance: Floats) -> Floats:
    """Correlation matrix; a constant entry correlates with nothing but itself."""
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    safe = np.where(spread > 1e-9, spread, np.inf)
    found: Floats = np.clip(covariance / np.outer(safe, safe), -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


def between_columns(entries: Floats, owner: NDArray[np.int64]) -> Floats:
    """Correlation of columns that have several entries each: the largest absolute one among their entries."""
    columns = int(owner.max()) + 1 if len(owner) else 0
    largest = np.zeros((columns, columns))
    np.maximum.at(largest, (owner[:, None], owner[None, :]), np.abs(entries))
    np.fill_diagonal(largest, 1.0)
    return largest


def feature_sets(correlation: Floats) -> list[NDArray[np.int64]]:
    """Split features into sets: average linkage on 1 - correlation, number of sets by Davies-Bouldin.

    The paper's distance is 2n(1 - correlation); the factor 2n changes neither linkage nor index. Numbers of
    sets from 2 to d - 1 are tried, as in the authors' code; up to two features stay together.
    """
    d = len(correlation)
    if d <= 2:
        return [np.arange(d)]
    distance = _distances(correlation)
    best = min(linkage_splits(correlation, range(2, d)), key=lambda labels: davies_bouldin(distance, labels))
    return [np.flatnonzero(best == label) for label in np.unique(best)]


def linkage_splits(correlation: Floats, counts: Iterable[int]) -> list[NDArray[np.int64]]:
    """Labels (from 1) of the average-linkage splits into the given numbers of sets."""
    if len(correlation) < 2:
        return [np.ones(len(correlation), dtype=np.int64)]
    tree = average(squareform(_distances(correlation), checks=False))
    return [fcluster(tree, count, criterion="maxclust").astype(np.int64) for count in counts]


def _distances(correlation: Floats) -> Floats:
    distance: Floats = np.clip(1.0 - (correlation + correlation.T) / 2.0, 0.0, None)
    np.fill_diagonal(distance, 0.0)
    return distance


def davies_bouldin(distance: Floats, labels: NDArray[np.int64]) -> float:
    """Davies-Bouldin index from pairwise distances.

    S_i is the mean distance within set i (0 for a single feature), M_ij the mean distance between two sets;
    the index is the mean over i of the largest (S_i + S_j) / M_ij.
    """
    names = np.unique(labels)
    if len(names) < 2:
        return float("inf")
    member = (labels[None, :] == names[:, None]).astype(float)
    sizes = member.sum(axis=1)
    sums = member @ distance @ member.T
    pairs = np.maximum(sizes * (sizes - 1.0), 1.0)
    within = np.diag(sums) / pairs
    between = np.maximum(sums / np.outer(sizes, sizes), 1e-12)
    ratio = (within[:, None] + within[None, :]) / between
    np.fill_diagonal(ratio, 0.0)
    return float(ratio.max(axis=1).mean())
