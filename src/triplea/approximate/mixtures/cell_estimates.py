"""From noisy counts of cells to the components of a mixture of products, as post-processing.

Two levels of pulling: a class's table is drawn towards the whole column's, a cell's towards its class's, each
by as much as the noise explains their distance. A cell about which the counts say nothing looks like its
class, never like noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.mixtures.denoise import class_tables, combine_totals, shrink

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
RAKING_ROUNDS = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class NoisyTables:
    """Counts (groups x bins) of every column, all with noise of one standard deviation."""

    tables: Mapping[str, Floats]
    stddev: float

    def summed(self, owner: Whole, classes: int) -> NoisyTables:
        """The tables of the classes that own the groups, on the assumption that each owns equally many."""
        together = np.equal.outer(np.arange(classes), owner).astype(float)
        noise = self.stddev * float(np.sqrt(len(owner) / classes))
        return NoisyTables(tables={n: together @ table for n, table in self.tables.items()}, stddev=noise)

    def averaged(self, other: NoisyTables) -> NoisyTables:
        """Two measurements of the same counts, weighted by their precision."""
        trust = other.stddev**2 / (self.stddev**2 + other.stddev**2)
        both = {
            name: trust * table + (1.0 - trust) * other.tables[name] for name, table in self.tables.items()
        }
        return NoisyTables(tables=both, stddev=float(np.sqrt(trust)) * self.stddev)

    def totals(self) -> Floats:
        """Rows of every group, from all columns together; at least one."""
        return combine_totals(list(self.tables.values()), [self.stddev] * len(self.tables))


@dataclass(frozen=True, kw_only=True, eq=False)
class Components:
    """Rows of every component, and its shares of every column's bins."""

    rows: Floats
    shares: Mapping[str, Floats]


def classes_from(noisy: NoisyTables) -> Components:
    """Clean shares of every class, drawn towards the whole column."""
    rows = noisy.totals()
    tables = {name: class_tables(table, rows, noisy.stddev) for name, table in noisy.tables.items()}
    return Components(rows=rows, shares={name: _shares(table) for name, table in tables.items()})


def cells_from(noisy: NoisyTables, owner: Whole, classes: Components) -> Components:
    """Clean shares of every cell, drawn towards its class; a class's cells share its rows."""
    counts = noisy.totals()
    rows = np.concatenate(
        [to_simplex(counts[owner == number], float(total)) for number, total in enumerate(classes.rows)]
    )
    shares = {}
    for name, table in noisy.tables.items():
        guess = classes.shares[name][owner] * np.maximum(counts, 1.0)[:, None]
        drawn = [shrink(t, towards=g, stddev=noisy.stddev) for t, g in zip(table, guess, strict=True)]
        clean = [to_simplex(d, max(float(c), 1.0)) for d, c in zip(drawn, counts, strict=True)]
        shares[name] = _matched(_shares(np.array(clean)), rows, owner, classes.shares[name])
    return Components(rows=np.maximum(rows, 1e-9), shares=shares)


def _matched(shares: Floats, rows: Floats, owner: Whole, classes: Floats) -> Floats:
    """Let the cells of a class add up to the class, which is known better: raking, a few rounds."""
    together = np.equal.outer(np.arange(len(classes)), owner) * rows
    together = together / np.maximum(together.sum(axis=1, keepdims=True), 1e-300)
    for _ in range(RAKING_ROUNDS):
        mixed = together @ shares
        factor = np.where(mixed > 0.0, classes / np.maximum(mixed, 1e-300), 1.0)
        shares = _shares(shares * factor[owner] + 1e-12)
    return shares


def _shares(table: Floats) -> Floats:
    return np.asarray(table / table.sum(axis=1, keepdims=True))
