"""Classes that are several clouds: their parts, in the few directions that matter, found in noisy rounds.

Private: queries.cluster_sums adds up counts and vectors of the parts, once a round.   Door: measured.
Public: a row belongs to the nearest of its class's released centres; the first ones cover the class's
Gaussian evenly, and every round's answer makes the next ones.   Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.approximate.gaussians.centred_cells import CentredCells, ClassGaussians, centred_cells
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.vector_cells import NearestCells, centres_of_gaussians
from triplea.approximate.mixtures.row_cells import cells_per_class
from triplea.queries.cluster_sums import ClusterSums

PARTS = "counts and sums of parts"
QUIET = 3.0  # from this epsilon on, what parts tell is worth more than what they take from other questions
ROUNDS, SHARE = 4, 0.20  # so many rounds, with this share in all
CLEAR = 0.3  # noise may move a part's centre by this much, where a standard row has length 1
MOST_PARTS = 24  # of a class


def asked(budget: Budget) -> bool:
    """Whether parts are looked for."""
    return budget.epsilon >= QUIET


def part_cells(width: int, most: int = MOST_PARTS) -> int:
    """How many numbers a class may release, in all rounds together."""
    return ROUNDS * most * (width + 1)


def find_parts(
    door: Door,
    vectors: ClassVectors,
    classes: ClassGaussians,
    *,
    least: float = 1.0,
    most: int = MOST_PARTS,
    rng: np.random.Generator,
) -> CentredCells:
    """Centres and sizes of the parts, and the covariance that is left within those of a class.

    `vectors` are rows less the mean of their class, in units in which a row has variance 1 along a direction.
    A part has at least `least` rows, and as many as noise asks for; a class has at most `most` parts.
    """
    whole = CentredCells(
        owner=np.arange(len(classes.rows)), rows=classes.rows, centres=classes.means,
        covariances=classes.covariances,
    )  # fmt: skip
    if not asked(door.budget):
        return whole
    radius = float(np.sqrt(vectors.width))
    least = max(least, door.count_noise(1, label=PARTS) * radius / CLEAR)
    each = cells_per_class(classes.rows, least=least, most=most)
    owner = np.repeat(np.arange(len(each)), each)
    cells = replace(whole, owner=owner, centres=centres_of_gaussians(classes.covariances, owner, rng=rng))
    for _ in range(ROUNDS):
        rule = NearestCells(owner=owner, centres=cells.centres)
        sums = ClusterSums(vectors=vectors, cells=rule, radius=radius)
        released = door.measure(sums, label=PARTS)
        noise = float(np.max(released.stddev)) * radius
        counts, totals = sums.counts(released.values), sums.totals(released.values)
        cells = centred_cells(counts, totals, owner, classes, stddev=noise)
    return cells
