"""Public rules that name a row's class: the class of the likeliest of some released cells.

Scores are added up row by row, so what a rule says of a row depends on no other row, not even in a last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import CellMap
from triplea.approximate.mixtures.row_cells import SMALLEST
from triplea.schema import Encoded

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class ClassRule(Protocol):
    """Anything that names the class of every row without looking at others."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""

    def assign(self, rows: Encoded) -> Whole:
        """Return the class of every row."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyTables:
    """The class of the cell with the largest weight times product of shares."""

    owner: Whole
    weights: Floats
    tables: Mapping[str, Floats]
    binnings: Mapping[str, CellMap]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that have a table."""
        return tuple(self.tables)

    def assign(self, rows: Encoded) -> Whole:
        """Add up logarithms column by column."""
        count = len(next(iter(rows.values())))
        score = np.broadcast_to(np.log(np.maximum(self.weights, SMALLEST)), (count, len(self.owner))).copy()
        for name, table in self.tables.items():
            score += np.log(np.maximum(table, SMALLEST)).T[self.binnings[name].assign(rows[name])]
        return np.asarray(self.owner[np.argmax(score, axis=1)])


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyCentres:
    """The class of the likeliest Gaussian cell, with spreads along the axes alone."""

    owner: Whole
    weights: Floats
    centres: Floats
    variances: Floats
    columns: tuple[str, ...]
    vectors: Callable[[Encoded], Floats]

    def assign(self, rows: Encoded) -> Whole:
        """Compare the cells one after the other."""
        vectors = self.vectors(rows)
        best, found = np.full(len(vectors), -np.inf), np.zeros(len(vectors), dtype=np.int64)
        for klass, weight, centre, variance in zip(
            self.owner, self.weights, self.centres, self.variances, strict=True
        ):
            start = np.log(max(float(weight), SMALLEST)) - 0.5 * float(np.log(variance).sum())
            score = start - 0.5 * ((vectors - centre) ** 2 / variance).sum(axis=1)
            found = np.where(score > best, klass, found)
            best = np.maximum(score, best)
        return found
