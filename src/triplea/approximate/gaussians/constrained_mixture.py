"""A mixture of isotropic Gaussians none of which has fewer members than a given number (3A, Eqs. 1 to 4).

p(X, Z) = prod_k [ p(s_k) prod_{n in k} N(x_n | m_k, v_k I) ] with p(s) = 0 below the least size and constant
above it. Hard EM: the assignment with the largest likelihood that respects the sizes is a minimum-cost flow;
then means and variances follow from the members.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.groupings import centroids
from triplea.approximate.gaussians.sized_assignment import (
    NEVER,
    WORK,
    Effort,
    quick_assignment,
    sized_assignment,
    total_cost,
)

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SMALLEST_VARIANCE = 1e-6  # of data in [0, 1]: a cluster of equal points must not have an endless likelihood
FEW_ENTRIES = 20_000  # up to so many (vector, cluster, start) triples several starts are tried
SEED_SAMPLE = 20_000  # vectors among which the starting means are sought


@dataclass(frozen=True, kw_only=True)
class ConstrainedMixture:
    """The Approximate stage of ClustMix.

    At most `iterations` rounds of EM; on small tables the likeliest of `restarts` starts counts. When `work`
    (entries looked at; the same on every machine) is spent, or a round finds no finite solution, the rest is
    constrained k-means: equal variances, and the quick assignment. With a `time_limit` in seconds the same
    happens by the clock, and then the result depends on the machine.
    """

    iterations: int = 20
    restarts: int = 8
    work: float = WORK
    time_limit: float | None = None

    def groups(self, vectors: Floats, least: int, *, rng: np.random.Generator) -> Whole:
        """Cut n vectors into floor(n / least) clusters of at least `least` members each."""
        clusters = len(vectors) // least
        if clusters <= 1:
            return np.zeros(len(vectors), dtype=np.int64)
        deadline = NEVER if self.time_limit is None else time.monotonic() + self.time_limit
        effort = Effort(work=self.work, deadline=deadline)
        small = len(vectors) * clusters * self.restarts <= FEW_ENTRIES
        found = [
            self._fit(vectors, clusters, least, effort, rng) for _ in range(self.restarts if small else 1)
        ]
        return min(found, key=lambda fit: fit[1])[0]

    def _fit(
        self, vectors: Floats, clusters: int, least: int, effort: Effort, rng: np.random.Generator
    ) -> tuple[Whole, float]:
        """One start: the clusters, and minus their log-likelihood."""
        means = starting_means(vectors, clusters, rng)
        variances = np.full(clusters, _mean_variance(vectors, means))
        group = np.full(len(vectors), -1, dtype=np.int64)
        for _ in range(self.iterations):
            costs = unlikelihood(vectors, means, variances)
            if not effort.spend(costs.size) or not np.isfinite(costs).all():
                return constrained_kmeans(vectors, means, least), np.inf
            found = sized_assignment(costs, least, effort=effort)
            if np.array_equal(found, group):
                break
            group = found
            means, sizes = centroids(vectors, group)
            variances = _variances(vectors, means, group, sizes)
        return group, total_cost(unlikelihood(vectors, means, variances), group)


def constrained_kmeans(vectors: Floats, means: Floats, least: int, *, iterations: int = 3) -> Whole:
    """Lloyd's rounds with sizes of at least `least`, by the quick assignment."""
    group = quick_assignment(squared_distances(vectors, means), least)
    for _ in range(iterations - 1):
        means, _ = centroids(vectors, group)
        group = quick_assignment(squared_distances(vectors, means), least)
    return group


def unlikelihood(vectors: Floats, means: Floats, variances: Floats) -> Floats:
    """Minus the log-density of every vector in every cluster, up to a constant."""
    width = vectors.shape[1]
    return np.asarray(squared_distances(vectors, means) / (2.0 * variances) + 0.5 * width * np.log(variances))


def squared_distances(vectors: Floats, points: Floats) -> Floats:
    """Squared distances of all vectors to all points."""
    squares = np.einsum("ij,ij->i", vectors, vectors)[:, None] + np.einsum("ij,ij->i", points, points)
    return np.asarray(np.maximum(squares - 2.0 * (vectors @ points.T), 0.0))


def starting_means(vectors: Floats, clusters: int, rng: np.random.Generator) -> Floats:
    """Vectors to start from, far from each other: k-means++ on a sample."""
    sample = vectors[rng.choice(len(vectors), min(len(vectors), SEED_SAMPLE), replace=False)]
    chosen = [sample[rng.integers(len(sample))]]
    nearest = squared_distances(sample, chosen[0][None, :])[:, 0]
    for _ in range(clusters - 1):
        total = nearest.sum()
        place = rng.choice(len(sample), p=nearest / total) if total > 0 else rng.integers(len(sample))
        chosen.append(sample[place])
        nearest = np.minimum(nearest, squared_distances(sample, sample[place][None, :])[:, 0])
    return np.array(chosen)


def _mean_variance(vectors: Floats, means: Floats) -> float:
    sample = vectors[:: max(1, len(vectors) // 2000)]
    nearest = squared_distances(sample, means).min(axis=1)
    return float(max(nearest.mean() / max(vectors.shape[1], 1), SMALLEST_VARIANCE))


def _variances(vectors: Floats, means: Floats, group: Whole, sizes: Whole) -> Floats:
    """One variance per cluster, over all coordinates."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    within = np.bincount(group, squares, len(sizes)) / sizes - np.einsum("ij,ij->i", means, means)
    return np.asarray(np.maximum(within / max(vectors.shape[1], 1), SMALLEST_VARIANCE))
