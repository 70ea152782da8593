"""Cells that a row finds by itself: its class, then the likeliest component of the class, or a keyed hash.

Both rules are fixed before the rows are looked at, by released or random numbers alone. So every row is in
exactly one cell whatever other rows there are, which is what a sum by cells needs to have a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Codes = Mapping[str, np.ndarray]  # the bin of every row, column by column
SMALLEST = 1e-6  # a share below this counts as this much, so that one odd value does not decide alone


class RowCells(Protocol):
    """A rule that sends rows, given as bins, to cells numbered class by class."""

    @property
    def owner(self) -> Whole:
        """The class of every cell, in ascending order."""

    def assign(self, klass: Whole, codes: Codes) -> Whole:
        """Return the cell of every row."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WholeClasses:
    """One cell per class."""

    classes: int

    @property
    def owner(self) -> Whole:
        """Every class owns the cell of its own number."""
        return np.arange(self.classes)

    def assign(self, klass: Whole, codes: Codes) -> Whole:
        """A row's cell is its class."""
        del codes
        return klass


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyCells:
    """Within its class a row goes to the component with the largest weight times product of shares.

    `tables` hold the components' shares of the bins, column by column; all of them were released before.
    """

    owner: Whole
    weights: Floats
    tables: Mapping[str, Floats]

    def assign(self, klass: Whole, codes: Codes) -> Whole:
        """Return the likeliest cell; the log-likelihood is added up column by column, row by row."""
        logs = {name: np.log(np.maximum(table, SMALLEST)) for name, table in self.tables.items()}
        start = np.log(np.maximum(self.weights, SMALLEST))
        cell = np.full(len(klass), -1, dtype=np.int64)
        for number in np.unique(klass):
            mine = np.flatnonzero(self.owner == number)
            members = np.flatnonzero(klass == number)
            if len(mine) <= 1:
                cell[members] = mine[0] if len(mine) else -1
                continue
            score = np.broadcast_to(start[mine], (len(members), len(mine))).copy()
            for name, table in logs.items():
                score += table[mine].T[codes[name][members]]
            cell[members] = mine[np.argmax(score, axis=1)]
        return cell


@dataclass(frozen=True, kw_only=True, eq=False)
class HashedCells:
    """Within its class a row goes to a cell drawn by a keyed hash of its bins: random groups, free of charge.

    Rows with the same bins share a cell. The key is public and random.
    """

    owner: Whole
    key: int

    def assign(self, klass: Whole, codes: Codes) -> Whole:
        """Return the hashed cell of every row."""
        mixed = np.full(len(klass), self.key, dtype=np.uint64)
        for code in codes.values():
            mixed = _stirred(mixed ^ code.astype(np.uint64))
        first = np.searchsorted(self.owner, klass)
        size = np.searchsorted(self.owner, klass, side="right") - first
        turn = (mixed >> np.uint64(11)).astype(np.int64) % np.maximum(size, 1)
        return np.where(size > 0, first + turn, -1)


def cells_per_class(rows: Sequence[float] | Floats, *, least: float, most: int) -> Whole:
    """How many cells each class gets: one for every `least` rows, at least one and at most `most`."""
    return np.clip(np.asarray(rows) / max(least, 1.0), 1, most).astype(np.int64)


def scattered_tables(
    shares: Mapping[str, Floats],
    owner: Whole,
    *,
    ordered: Mapping[str, bool],
    rng: np.random.Generator,
    strength: float = 1.0,
) -> dict[str, Floats]:
    """Components to start from: the class's own shares, tilted at random.

    An ordered column is tilted one way along its bins, any other one bin by bin. A class with one component
    keeps its shares.
    """
    alone = np.bincount(owner)[owner] <= 1
    found = {}
    for name, table in shares.items():
        bins = table.shape[1]
        if ordered[name]:
            slope = rng.standard_normal((len(owner), 1))
            tilt = slope * np.linspace(-1.5, 1.5, bins)[None, :]
        else:
            tilt = rng.standard_normal((len(owner), bins))
        tilt[alone] = 0.0
        raised = np.maximum(table[owner], SMALLEST) * np.exp(strength * tilt)
        found[name] = raised / raised.sum(axis=1, keepdims=True)
    return found


def _stirred(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: every bit of the input moves every bit of the output."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
