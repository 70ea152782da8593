"""Adapt, last look: weights for pairs of features, from what real rows say the teacher misses on their cells.

An additive teacher cannot say that one feature matters more beside another. Released are noisy sums of its
weighted residuals by coarse cell of pairs of features; one Bayesian step turns them into weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from triplea.adapt.teacher_fit import weighted_products
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.crossed_weights import CrossedWeights
from triplea.approximate.mixtures.outcomes import Outcomes

VARIANCE = 0.01  # of a pair's weights, before anything is seen
MOST_CELLS = 2_200  # of all pairs together, for two classes; the work grows with its cube
CURVATURE_ROWS = 10_000


def cross_features(
    teacher: AdditiveTeacher, cells: np.ndarray, groups: Sequence[np.ndarray], *, outcomes: Outcomes
) -> AdditiveTeacher:
    """Give the teacher weights of zero for pairs of the features that say most: as many as can be solved for.

    `cells` are drawn from the model of the features; `groups` are the coarse cells of every feature.
    """
    told = np.asarray(teacher.spreads(cells)).std(axis=0)
    widths = np.array([int(group.max()) + 1 for group in groups])
    ranked = [int(f) for f in np.argsort(-told, kind="stable") if widths[f] > 1]
    most = MOST_CELLS / max(outcomes.count, 1) ** (1 / 3)
    taken: list[int] = []
    for feature in ranked:
        wider = [*taken, feature]
        if sum(int(widths[a] * widths[b]) for a, b in combinations(wider, 2)) <= most:
            taken = wider
    pairs = np.array(list(combinations(sorted(taken), 2)), dtype=int).reshape(-1, 2)
    if not len(pairs):
        return teacher
    crossed = CrossedWeights.nothing(pairs, np.concatenate(list(groups)), teacher.offsets, outcomes.classes)
    return replace(teacher, crossed=crossed)


def correct_crossed(
    teacher: AdditiveTeacher,
    cells: np.ndarray,
    misses: np.ndarray,
    *,
    outcomes: Outcomes,
    stddev: float,
    rows: float,
) -> AdditiveTeacher:
    """Return the teacher with the likeliest weights of its pairs, one number of an outcome after the other.

    `misses` has a row per cell and a column per number. Drawn rows stand in for real ones in the
    curvature, and labels' own chance counts as noise: weights are for rows to come, not for these.
    """
    assert teacher.crossed is not None
    drawn = cells[:CURVATURE_ROWS]
    chances = teacher.probabilities(drawn)
    design, pull = _one_hot(teacher, drawn), outcomes.leverage(chances)
    found = []
    for k, varies in enumerate((outcomes.variances(chances) * (rows / len(drawn))).T):
        slope, noise = weighted_products(design, varies * pull), weighted_products(design, varies * pull**2)
        noise[np.diag_indices_from(noise)] += stddev**2
        factor = cho_factor(noise + VARIANCE * slope @ slope, lower=True, overwrite_a=True)
        found.append(VARIANCE * slope @ cho_solve(factor, misses[:, k]))
    weights = teacher.crossed.weights + outcomes.by_class(np.transpose(found))
    return replace(teacher, crossed=replace(teacher.crossed, weights=weights))


def _one_hot(teacher: AdditiveTeacher, cells: np.ndarray) -> NDArray[np.float32]:
    assert teacher.crossed is not None
    design = np.zeros((len(cells), len(teacher.crossed.weights)), np.float32)
    for place in teacher.crossed.places(cells, teacher.offsets):
        design[np.arange(len(cells)), place] = 1.0
    return design
