"""Taking noise out of released counts, as post-processing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.dyadic import to_simplex

Floats = NDArray[np.float64]


def combine_totals(tables: Sequence[Floats], stddevs: Sequence[float]) -> Floats:
    """Estimate the total of every first-axis slice from several tables that share that axis.

    Each table's slice sum is unbiased with variance cells * stddev^2; they are averaged by precision.
    Every total is at least one row, so that no class vanishes by noise.
    """
    sums = np.array([table.reshape(len(table), -1).sum(axis=1) for table in tables])
    precision = np.array(
        [1.0 / (table[0].size * spread**2) for table, spread in zip(tables, stddevs, strict=True)]
    )
    totals: Floats = np.maximum(precision @ sums / precision.sum(), 1.0)
    return totals


def shrink(noisy: Floats, *, towards: Floats, stddev: float) -> Floats:
    """Pull noisy counts towards a guess by as much as the noise explains their distance (James-Stein).

    Where the distance is mostly noise the guess is returned; where it is mostly signal, the counts.
    """
    gap = noisy - towards
    squared = float(gap @ gap)
    signal = max(0.0, 1.0 - max(len(noisy) - 2, 1) * stddev**2 / squared) if squared > 0 else 0.0
    return towards + signal * gap


def class_tables(table: Floats, totals: Floats, stddev: float) -> Floats:
    """Turn noisy (class, cell) counts into non-negative ones with the given class totals.

    The guess for a class is its total spread like the whole column, so that a rare class whose counts
    drown in noise looks like the rest instead of like noise.
    """
    overall = to_simplex(table.sum(axis=0), float(totals.sum()))
    share = overall / overall.sum()
    rows = [
        to_simplex(shrink(counts, towards=total * share, stddev=stddev), float(total))
        for counts, total in zip(table, totals, strict=True)
    ]
    return np.array(rows)
