"""Adapt, second look: move a teacher by what real rows say it misses.

Released are noisy sums of weighted residuals (label minus the teacher's chances) per cell of every feature.
At the true chances they would vanish on real rows, whatever was wrong with the model of the features: this is
what a teacher fitted to counts alone cannot know. One Bayesian step: weights are normal about the teacher's
with its own doubts, widened by as much as the residuals themselves make likely (evidence).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from triplea.adapt.teacher_fit import CURVATURE_ROWS, Lesson, one_hot, weighted_products

Floats = NDArray[np.float64]

UNKNOWN = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)  # variance of what the model of the features got wrong
CONSTANT_VARIANCE = 1.0
STEEPNESS_VARIANCE = 1.0
SURE = 2.0  # standard deviations below its estimate at which steepness is believed
LONGEST = 2.0  # no weight moves farther in one look: the step is a linear one, and shortened as a whole


def correct_teacher(
    lesson: Lesson, cells: np.ndarray, misses: np.ndarray, *, stddev: float, rows: float
) -> Lesson:
    """Return the lesson after one look at the residuals.

    `misses` has a row per cell and a column per number of an outcome; `cells` are drawn from the model of the
    features, and stand in for the real rows in the curvature. Where the last look shows that its move went
    too far, because features agree more than the model knows, part of that move is taken back first.
    """
    teacher, drawn = lesson.teacher, cells[:CURVATURE_ROWS]
    slopes, noises = _curvatures(lesson, drawn, stddev=stddev, rows=rows)
    steeper = _steepness(lesson, misses, slopes, stddev)
    kept, unknown = 1.0 / steeper, _unknown(lesson)
    doubts, moves, changes = [], [], []
    for k, (slope, noise) in enumerate(zip(slopes, noises, strict=True)):
        seen, change = misses[:, k], np.zeros(len(slope) + 1)
        if lesson.moves is not None and lesson.misses is not None:
            seen = kept * seen + (1.0 - kept) * lesson.misses[:, k]
            change -= (1.0 - kept) * lesson.moves[k]
        move, doubt = _likeliest_move(seen, steeper * slope, noise, lesson.doubts[k], unknown)
        doubts.append(doubt)
        moves.append(move)
        changes.append(change + move)
    change = lesson.outcomes.by_class(np.transpose(changes))
    taught = replace(teacher, weights=teacher.weights + change[:-1], bias=teacher.bias + change[-1])
    return replace(lesson, teacher=taught, doubts=doubts, moves=np.array(moves), misses=misses)


def _curvatures(
    lesson: Lesson, drawn: np.ndarray, *, stddev: float, rows: float
) -> tuple[list[Floats], list[Floats]]:
    """By number of an outcome: how residuals fall as weights rise, and the covariance of their noise."""
    outcomes, chances = lesson.outcomes, lesson.teacher.probabilities(drawn)
    design, pull = one_hot(drawn, lesson.teacher.offsets), outcomes.leverage(chances)
    slopes, noises = [], []
    for varies in (outcomes.variances(chances) * (rows / len(drawn))).T:
        slopes.append(weighted_products(design, varies * pull)[:-1])
        noises.append(weighted_products(design, varies * pull**2)[:-1, :-1])
        noises[-1][np.diag_indices_from(noises[-1])] += stddev**2
    return slopes, noises


def _steepness(lesson: Lesson, misses: Floats, slopes: list[Floats], stddev: float) -> float:
    """How many times faster than foretold residuals surely fell along the last move; at least 1."""
    if lesson.moves is None or lesson.misses is None:
        return 1.0
    along = lesson.moves[:, :-1]
    foretold = sum(float(a @ (slope @ m)) for a, m, slope in zip(along, lesson.moves, slopes, strict=True))
    if foretold <= 0.0:
        return 1.0
    found = float((along * (lesson.misses - misses).T).sum()) / foretold
    doubt = 2.0 * stddev**2 * float((along**2).sum()) / foretold**2
    likely = (doubt + STEEPNESS_VARIANCE * found) / (doubt + STEEPNESS_VARIANCE)
    spread = np.sqrt(doubt * STEEPNESS_VARIANCE / (doubt + STEEPNESS_VARIANCE))
    return max(1.0, likely - SURE * float(spread))


def _unknown(lesson: Lesson) -> Floats:
    """Shape of what the model of the features may have got wrong: smooth where a feature is ordered."""
    offsets = lesson.teacher.offsets
    shape = np.zeros((int(offsets[-1]) + 1,) * 2)
    for prior, start, end in zip(lesson.priors, offsets[:-1], offsets[1:], strict=True):
        shape[start:end, start:end] = np.linalg.inv(prior)
    shape[-1, -1] = CONSTANT_VARIANCE
    return shape


def _likeliest_move(
    seen: Floats, slope: Floats, noise: Floats, doubt: Floats, unknown: Floats
) -> tuple[Floats, Floats]:
    """Posterior mean and covariance of the move, under the widening that makes `seen` likeliest."""
    by_doubt, by_unknown = slope @ doubt @ slope.T, slope @ unknown @ slope.T
    best = (-np.inf, UNKNOWN[0])
    for width in UNKNOWN:
        factor = cho_factor(noise + by_doubt + width * by_unknown, lower=True)
        fit = seen @ cho_solve(factor, seen)
        likelihood = -0.5 * float(fit) - float(np.log(np.diag(factor[0])).sum())
        best = max(best, (likelihood, width))
    width = best[1]
    spread = doubt + width * unknown
    factor = cho_factor(noise + by_doubt + width * by_unknown, lower=True)
    gain = cho_solve(factor, slope @ spread)
    move = gain.T @ seen
    move *= LONGEST / max(float(np.abs(move).max()), LONGEST)
    return move, spread - gain.T @ (slope @ spread)
