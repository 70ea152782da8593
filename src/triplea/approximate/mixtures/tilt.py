"""A mixture of products bent to other margins: what it says of how columns go together is kept.

Of all distributions with the wanted margins it is the nearest to the mixture (by relative entropy): the
mixture times one factor for every column. That is again a mixture of as many products.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SWEEPS = 200  # over all columns, unless every margin is met before
CLOSE = 1e-4  # total variation by which a margin may be missed
LEAST = 5e-3  # of the largest component: smaller ones are left out
POSSIBLE = 1e-6  # share of a cell that the mixture never draws: the margins may know better


def tilted(
    weights: Floats, tables: Sequence[Floats], margins: Sequence[Floats]
) -> tuple[Floats, list[Floats]]:
    """Return weights and tables of the mixture p(x) r_1(x_1) r_2(x_2) ... that has these margins.

    `tables` has a table per column (components x cells), `margins` its wanted distribution.
    """
    floored = [(1.0 - POSSIBLE) * table + POSSIBLE / table.shape[1] for table in tables]
    shares = _bend(weights, floored, margins)[0]
    kept = shares >= LEAST * shares.max()
    few = [table[kept] for table in floored]
    shares, factors = _bend(weights[kept], few, margins)
    bent = [table * factor for table, factor in zip(few, factors, strict=True)]
    return shares, [table / table.sum(axis=1, keepdims=True) for table in bent]


def _bend(
    weights: Floats, tables: Sequence[Floats], margins: Sequence[Floats]
) -> tuple[Floats, list[Floats]]:
    """Iterative proportional fitting: the components' shares, and a factor for every cell of every column."""
    factors = [np.ones(table.shape[1]) for table in tables]
    inside = np.ones((len(tables), len(weights)))  # by column and component: its mean factor
    for _ in range(SWEEPS):
        missed = 0.0
        for column, (table, margin) in enumerate(zip(tables, margins, strict=True)):
            shares = _shares(weights, inside)
            found = (shares / inside[column]) @ table * factors[column]
            missed = max(missed, 0.5 * float(np.abs(found - margin).sum()))
            factors[column] = factors[column] * margin / np.maximum(found, np.finfo(float).tiny)
            factors[column] /= factors[column].max()
            inside[column] = np.maximum(table @ factors[column], np.finfo(float).tiny)
        if missed < CLOSE:
            break
    return _shares(weights, inside), factors


def _shares(weights: Floats, inside: Floats) -> Floats:
    logs = np.log(np.maximum(weights, np.finfo(float).tiny)) + np.log(inside).sum(axis=0)
    raised = np.exp(logs - logs.max())
    return np.asarray(raised / raised.sum())
