"""Adapt, last step: how sure of itself a teacher is when it gives labels to rows of a model.

Looks at real rows make a teacher right about real rows. Rows of the model are less decided: features that go
together in ways that it does not know would add to each other's evidence. So labels drawn on them miss the
released (label, feature) counts: features say less of the label than they do in the table. Those counts tell
how much sharper labels would have to be; halfway there, in logarithms, both errors are small.

Everything here is made of released values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher, softmax

Floats = NDArray[np.float64]

RANGE, CLOSE = (0.7, 2.0), 0.02  # of the factor that counts ask for, and how exactly it is sought
HALFWAY = 0.5
FEW_ROWS, MORE = 20_000, 1.4  # so few rows teach a learner more if their labels leave less to chance
ROWS, STEPS = 10_000, 25


def sharpen(
    teacher: AdditiveTeacher,
    cells: np.ndarray,
    tables: Sequence[np.ndarray],
    shares: np.ndarray,
    *,
    rows: float,
) -> AdditiveTeacher:
    """Return the teacher with stronger opinions, and constants that keep the classes' shares.

    `cells` are drawn from the model of the features; `tables` are the released counts of (cell, class),
    feature by feature; `rows` is how many rows the table has.
    """
    if len(shares) < 2:
        return teacher
    drawn = cells[:ROWS]
    scores = np.log(np.maximum(teacher.probabilities(drawn), 1e-12))
    missed = _Missed(drawn + teacher.offsets[:-1], tables)

    def misses(times: float) -> float:
        return missed.by(softmax(times * scores + _constants(times * scores, shares)))

    asked = minimize_scalar(misses, bounds=RANGE, method="bounded", options={"xatol": CLOSE}).x
    times = float(asked) ** HALFWAY * (MORE if rows < FEW_ROWS else 1.0)
    return teacher.sharper(times, _constants(times * scores, shares))


class _Missed:
    """By how much chances of drawn rows miss released counts."""

    def __init__(self, index: np.ndarray, tables: Sequence[np.ndarray]) -> None:
        self.index = np.ascontiguousarray(index.T)
        self.counts: Floats = np.concatenate(tables).astype(np.float64)
        self.totals = np.maximum(self.counts.sum(axis=1), 0.0)
        self.drawn = np.maximum(self._added(np.ones(len(index))), 1.0)

    def by(self, chances: Floats) -> float:
        """Sum of squares over all cells and classes."""
        means = np.array([self._added(chance) for chance in chances.T]).T / self.drawn[:, None]
        return float(((self.counts - means * self.totals[:, None]) ** 2).sum())

    def _added(self, values: Floats) -> Floats:
        """Values of rows, added up by cell of every feature."""
        size = len(self.totals)
        return np.asarray(sum(np.bincount(place, values, size) for place in self.index), dtype=np.float64)


def _constants(scores: Floats, shares: np.ndarray) -> Floats:
    """What to add to the classes' scores so that their mean chances are their shares."""
    constants = np.zeros(len(shares))
    for _ in range(STEPS):
        means = softmax(scores + constants).mean(axis=0)
        constants += np.log(np.maximum(shares, 1e-9) / np.maximum(means, 1e-9))
    return constants
