"""Adapt: teach labels from released counts.

The teacher never sees a real row. On rows drawn from a model of the features, it finds weights for which
every cell's expected labels agree with the noisy counts, as far as those stand out of their noise and the
model of the features can be believed; how far each feature may speak is estimated from the counts themselves
(empirical Bayes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher, softmax
from triplea.approximate.mixtures.outcomes import Outcomes

Floats = NDArray[np.float64]

ITERATIONS = 16
CURVATURE_ROWS = 20_000

PRIOR_RANGE = (1e-3, 4.0)  # of the variance of a feature's weights
SMOOTHNESS = 0.3  # share of ridge in an ordered feature's prior; the rest ties neighbouring cells


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Noisy counts of (cell, class) per feature, the noise of one count, and the classes' shares.

    `misfit` is how far, for every feature, the model of the features may be wrong about the log-odds of a
    cell; errors of several features add up as noise does.
    """

    tables: Sequence[np.ndarray]
    stddev: float
    shares: np.ndarray
    rows: float
    ordered: Sequence[bool]
    missing: Sequence[bool]
    misfit: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A teacher, and how unsure it is: by number of an outcome, its weights' and constant's covariance."""

    teacher: AdditiveTeacher
    outcomes: Outcomes
    doubts: Sequence[Floats]
    priors: Sequence[Floats]  # precision of one feature's weights, up to a factor
    moves: Floats | None = None  # the last correction: a row per number of an outcome
    misses: Floats | None = None  # the residuals that led to it: a column per number

    def on_scale(self, outcomes: Outcomes, shares: np.ndarray) -> Lesson:
        """The same lesson about a place on a scale: weights of all classes in one, doubts as they add up."""
        assert outcomes.scale is not None
        parts = (shares * outcomes.scale)[1:]
        doubt = sum(part**2 * own for part, own in zip(parts, self.doubts, strict=True))
        return replace(self, outcomes=outcomes, doubts=[np.asarray(doubt)])


def fit_teacher(cells: np.ndarray, evidence: Evidence) -> Lesson:
    """Solve for weights by damped Newton steps, one class at a time against the first.

    For cell v and class c the equation is: noisy count of (v, c) = the cell's noisy total times the mean
    probability of c among drawn rows in v. Its noise is known, and so is how much of it the drawn rows'
    own curvature explains. Where features go together in ways that the model does not know, drawn rows are
    unlike real ones, and without a misfit nearly exact counts would be met at any price.
    """
    solver = _Solver(cells, evidence)
    for iteration in range(ITERATIONS):
        chances = solver.chances()
        steps = [solver.step(chances[:, c], c, iteration) for c in range(1, solver.classes)]
        if iteration > 5 and max(steps, default=0.0) < 0.02:
            break
    teacher = AdditiveTeacher(weights=solver.weights, bias=solver.bias, offsets=solver.offsets)
    return Lesson(
        teacher=teacher,
        outcomes=Outcomes(classes=solver.classes),
        doubts=solver.doubts[1:],
        priors=solver.priors,
    )


class _Solver:
    def __init__(self, cells: np.ndarray, evidence: Evidence) -> None:
        self.evidence = evidence
        sizes = [len(table) for table in evidence.tables]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.size, self.classes = int(self.offsets[-1]), len(evidence.shares)
        self.index = [np.ascontiguousarray(cells[:, f] + self.offsets[f]) for f in range(len(sizes))]
        self.rows = len(cells)
        self.weights = np.zeros((self.size, self.classes))
        log_shares = np.log(np.maximum(evidence.shares, 1e-9))
        self.bias = log_shares - log_shares[0]
        self.counts = np.concatenate(evidence.tables).astype(float)
        self.totals = np.maximum(self.counts.sum(axis=1), 0.0)
        drawn = sum(np.bincount(index, minlength=self.size) for index in self.index)
        self.drawn = np.maximum(drawn, 1e-9)
        expected = np.maximum(drawn, 1) * (evidence.rows / self.rows)
        ratio = np.where(drawn >= 1, np.minimum(self.totals / expected, 20.0), 0.0)
        self.ratio = np.append(ratio, 1.0)
        self.priors = [
            _prior(size, ordered, missing)
            for size, ordered, missing in zip(sizes, evidence.ordered, evidence.missing, strict=True)
        ]
        self.variance = np.ones((len(sizes), self.classes))
        self.doubts: list[Floats] = [np.zeros((0, 0))] * self.classes  # the first class has no weights
        self.design = one_hot(cells[:CURVATURE_ROWS], self.offsets)

    def chances(self) -> Floats:
        scores = np.repeat(self.bias[None, :], self.rows, axis=0)
        for index in self.index:
            scores += self.weights[index]
        return softmax(scores)

    def step(self, chance: Floats, c: int, iteration: int) -> float:
        """Move the weights of class c; return the largest move."""
        gap, noise = self._gap(chance, c)
        slope = self.ratio[:, None] * self._curvature(chance)
        noise[:-1] += len(self.index) * (self.evidence.misfit * np.diag(slope)[:-1]) ** 2
        root = np.sqrt(self.ratio)
        spread = np.diag(noise + 1e-6) + slope / np.maximum(root, 1e-9)[:, None] * root[None, :]
        precision = self._prior_precision(c)
        weighted = np.linalg.solve(spread, slope).T
        covariance = np.linalg.inv(weighted @ slope + precision)
        self.doubts[c] = np.asarray(covariance, dtype=np.float64)
        current = np.append(self.weights[:, c], 0.0)
        move = covariance @ (weighted @ gap - precision @ current)
        move *= min(1.0 if iteration < 3 else 0.6, 2.0 / max(float(np.abs(move).max()), 1e-12))
        self.weights[:, c] += move[:-1]
        self.bias[c] += move[-1]
        if iteration >= 1:
            self._update_variance(c, covariance)
        return float(np.abs(move).max())

    def _gap(self, chance: Floats, c: int) -> tuple[Floats, Floats]:
        """Noisy counts of class c minus what the weights predict, and the variance of their noise."""
        summed = sum(np.bincount(index, chance, self.size) for index in self.index)
        mean = np.clip(summed / self.drawn, 1e-6, 1.0 - 1e-6)
        gap = np.where(self.drawn >= 1, self.counts[:, c] - mean * self.totals, 0.0)
        overall = self.evidence.rows * (self.evidence.shares[c] - chance.mean())
        one = self.evidence.stddev**2
        noise = one * ((1.0 - mean) ** 2 + (self.classes - 1) * mean**2)
        return np.append(gap, overall), np.append(noise, one * self.classes / max(len(self.index), 1))

    def _curvature(self, chance: Floats) -> Floats:
        rows = len(self.design)
        flat = chance[:rows] * (1.0 - chance[:rows]) * (self.evidence.rows / rows)
        return weighted_products(self.design, flat)

    def _prior_precision(self, c: int) -> Floats:
        precision = np.zeros((self.size + 1, self.size + 1))
        precision[self.size, self.size] = 1e-3
        for f, prior in enumerate(self.priors):
            part = slice(self.offsets[f], self.offsets[f + 1])
            precision[part, part] = prior / self.variance[f, c]
        return precision

    def _update_variance(self, c: int, covariance: NDArray[np.floating]) -> None:
        """How far each feature's weights spread, by MacKay's fixed point."""
        for f, prior in enumerate(self.priors):
            part = slice(self.offsets[f], self.offsets[f + 1])
            own, size = self.weights[part, c], len(prior)
            pinned = np.trace(prior @ covariance[part, part]) / self.variance[f, c]
            determined = np.clip(size - pinned, 0.2, size)
            self.variance[f, c] = np.clip((own @ prior @ own + 0.05) / (determined + 0.5), *PRIOR_RANGE)


def one_hot(cells: np.ndarray, offsets: np.ndarray) -> NDArray[np.float32]:
    """One column per cell of every feature, and a column of ones."""
    design = np.zeros((len(cells), int(offsets[-1]) + 1), np.float32)
    for feature, offset in enumerate(offsets[:-1]):
        design[np.arange(len(cells)), offset + cells[:, feature]] = 1.0
    design[:, -1] = 1.0
    return design


def weighted_products(design: NDArray[np.float32], weights: Floats) -> Floats:
    """Products of every two columns of the design, added up over weighted rows."""
    return np.asarray((design * weights.astype(np.float32)[:, None]).T @ design, dtype=np.float64)


def _prior(size: int, ordered: bool, missing: bool) -> Floats:
    """Precision of one feature's weights: ridge, and for ordered cells a random walk along them."""
    ridge = np.eye(size)
    if not ordered:
        return ridge
    walk = np.zeros((size, size))
    for i in range(size - int(missing) - 1):
        walk[i : i + 2, i : i + 2] += [[1.0, -1.0], [-1.0, 1.0]]
    return SMOOTHNESS * ridge + walk
