"""Bending the entries of a vector so that each column's bulk has the shape of a standard normal.

A Gaussian vector has normal columns, and few columns of a table are. Bent by its own released quantiles, a
column is, from its 2 % to its 98 % point; beyond, where noise hides quantiles, entries keep their distances.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SCORES = np.linspace(-2.0, 2.0, 17)
LEAST_STEP = 0.01  # between knots, so that a column with one value in most rows can still be bent back


def bent(entries: Floats, knots: Floats) -> Floats:
    """Normal scores of entries: straight between knots, parallel to the diagonal beyond them."""
    return _between(entries, knots, SCORES)


def unbent(scores: Floats, knots: Floats) -> Floats:
    """The entries that have these scores."""
    return _between(scores, SCORES, knots)


def _between(values: Floats, places: Floats, heights: Floats) -> Floats:
    inside = np.interp(values, places, heights)
    return np.asarray(inside + np.minimum(values - places[0], 0.0) + np.maximum(values - places[-1], 0.0))


def climbing(values: Floats) -> Floats:
    """Make knots of values in order, at least `LEAST_STEP` apart: equal ones move apart to both sides."""
    steps = LEAST_STEP * np.arange(len(values))
    upwards = np.maximum.accumulate(values - steps) + steps
    downwards = np.minimum.accumulate((values - steps)[::-1])[::-1] + steps
    return np.asarray((upwards + downwards) / 2.0)
