"""A mixture of products bent to other margins: what it says of how columns go together is kept.

Of all distributions with the wanted margins it is the nearest to the mixture (by relative entropy): the
mixture times one factor for every column. That is again a mixture of as many products.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SCOUT, SWEEPS = 15, 150  # over all columns: to see which components matter; then until all margins are met
CLOSE = 1e-3  # total variation by which a margin may be missed
LEAST = 0.02  # of the largest component: smaller ones are left out
POSSIBLE = 1e-6  # share of a cell that the mixture never draws: the margins may know better
AT_ONCE = 10_000_000  # numbers held for the classes that are bent together
TINY = np.finfo(float).tiny


def tilted(
    weights: Floats, tables: Sequence[Floats], margins: Sequence[Floats]
) -> list[tuple[Floats, list[Floats]]]:
    """Return, for every class, weights and tables of the mixture p(x) r_1(x_1) r_2(x_2) ... with its margins.

    `tables` has a table per column (components x cells), `margins` the wanted shares (classes x cells).
    """
    floored = [(1.0 - POSSIBLE) * table + POSSIBLE / table.shape[1] for table in tables]
    classes, few = len(margins[0]), max(AT_ONCE // (len(weights) * len(tables)), 1)
    return [
        bent
        for start in range(0, classes, few)
        for bent in _tilt(weights, floored, [margin[start : start + few] for margin in margins])
    ]


def _tilt(
    weights: Floats, tables: Sequence[Floats], margins: Sequence[Floats]
) -> list[tuple[Floats, list[Floats]]]:
    shares = _bend(np.tile(weights, (len(margins[0]), 1)), tables, margins, sweeps=SCOUT)[0]
    large = shares >= LEAST * shares.max(axis=1, keepdims=True)
    shares, factors = _bend(np.where(large, weights, 0.0), tables, margins, sweeps=SWEEPS)
    found = []
    for number, (own, kept) in enumerate(zip(shares, large, strict=True)):
        bent = [table[kept] * factor[number] for table, factor in zip(tables, factors, strict=True)]
        found.append((own[kept], [table / table.sum(axis=1, keepdims=True) for table in bent]))
    return found


def _bend(
    weights: Floats, tables: Sequence[Floats], margins: Sequence[Floats], *, sweeps: int
) -> tuple[Floats, list[Floats]]:
    """Iterative proportional fitting: by class the components' shares, and a factor for every cell."""
    factors = [np.ones_like(margin) for margin in margins]
    inside = [np.ones_like(weights) for _ in tables]  # a component's mean factor, by column
    with np.errstate(divide="ignore"):  # a component without weight stays without
        logs = np.log(weights)
    for _ in range(sweeps):
        missed = 0.0
        for column, (table, margin) in enumerate(zip(tables, margins, strict=True)):
            found = (_shares(logs) / inside[column]) @ table * factors[column]
            missed = max(missed, 0.5 * float(np.abs(found - margin).sum(axis=1).max()))
            factors[column] *= margin / np.maximum(found, TINY)
            factors[column] /= factors[column].max(axis=1, keepdims=True)
            before, inside[column] = inside[column], np.maximum(factors[column] @ table.T, TINY)
            logs += np.log(inside[column] / before)
        if missed < CLOSE:
            break
    return _shares(logs), factors


def _shares(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
