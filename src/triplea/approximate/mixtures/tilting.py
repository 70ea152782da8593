"""Bending a sampler towards given column shares: one factor per cell, found by raking.

Rows drawn from the sampler are kept with a chance proportional to the product of their cells' factors. Of all
distributions with the given shares this is the nearest to the sampler's own (in relative entropy), so what
the sampler knows about several columns at once stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

ROUNDS = 25
MOST = 20.0  # no cell's factor leaves 1/MOST..MOST: a sampler that misses a cell is not forced
Factors = dict[str, np.ndarray]


def tilt(cells: Mapping[str, np.ndarray], shares: Mapping[str, np.ndarray]) -> Factors:
    """Factors under which the drawn cells have the given shares, as nearly as the limit allows."""
    factors = {name: np.ones(len(wanted)) for name, wanted in shares.items()}
    weights = weights_of(cells, factors)
    for _ in range(ROUNDS):
        for name, wanted in shares.items():
            found = np.bincount(cells[name], weights=weights, minlength=len(wanted)) / weights.sum()
            step = np.where(found > 0, wanted / np.maximum(found, 1e-12), 1.0)
            before = factors[name]
            factors[name] = np.clip(before * step, 1.0 / MOST, MOST)
            weights = weights * (factors[name] / before)[cells[name]]
    return factors


def weights_of(cells: Mapping[str, np.ndarray], factors: Factors) -> np.ndarray:
    """The weight of every row: the product of its cells' factors."""
    rows = len(next(iter(cells.values()))) if cells else 0
    weights = np.ones(rows)
    for name, factor in factors.items():
        weights = weights * factor[cells[name]]
    return weights


def resample(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Numbers of n rows, each as often as its weight says to a rounding (systematic), in random order."""
    total = weights.sum()
    ends = np.cumsum(weights if total > 0 else np.ones_like(weights))
    at = (np.arange(n) + rng.random()) / n * ends[-1] if n else np.zeros(0)
    chosen = np.minimum(np.searchsorted(ends, at, side="right"), len(weights) - 1)
    return rng.permutation(chosen)
