"""Cells for one column: every value falls in exactly one, and every cell can be turned back into values.

A binning is public: its edges and atoms come from the schema or from released statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from triplea.schema import Column


class CellMap(Protocol):
    """Anything that puts every encoded value of a column into one of finitely many cells."""

    @property
    def cells(self) -> int:
        """Number of cells, the missing cell included."""

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Return the cell of every encoded value."""


@dataclass(frozen=True, kw_only=True)
class Binning:
    """Interval cells, exact-value cells (atoms) and, for a nullable column, one missing cell.

    The order of cells is: atoms, intervals, missing. For a countable column the values are its codes
    0..size-1 and interval i holds the codes edges[i] <= code < edges[i+1]; for a numeric column the
    values are the numbers themselves and the last interval is closed on the right. An atom takes its
    value away from the interval it lies in. `origin` is the number that code 0 of a countable column stands
    for, where that matters.
    """

    edges: np.ndarray
    atoms: np.ndarray = field(default_factory=lambda: np.zeros(0))
    nullable: bool
    countable: bool
    origin: int = 0

    @property
    def intervals(self) -> int:
        """Number of interval cells."""
        return len(self.edges) - 1

    @property
    def cells(self) -> int:
        """Number of cells, the missing cell included."""
        return len(self.atoms) + self.intervals + int(self.nullable)

    @property
    def missing_cell(self) -> int:
        """The cell of a missing value; meaningful only when nullable."""
        return len(self.atoms) + self.intervals

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Return the cell of every encoded value."""
        table = self._table
        return self._search(values) if table is None else np.asarray(table[values])

    @property
    def _table(self) -> np.ndarray | None:
        """A lookup table for countable columns of moderate size: one memory access a row."""
        size = int(self.edges[-1]) if self.countable else 0
        if not self.countable or size > 1 << 20:
            return None
        cached: np.ndarray | None = self.__dict__.get("_lookup")
        if cached is None:
            cached = self._search(np.arange(size + 1, dtype=np.int64)).astype(np.int32)
            object.__setattr__(self, "_lookup", cached)
        return cached

    def _search(self, values: np.ndarray) -> np.ndarray:
        missing = values >= self.edges[-1] if self.countable else np.isnan(values)
        inner = np.searchsorted(self.edges[1:-1], values, side="right")
        cell = len(self.atoms) + np.minimum(inner, self.intervals - 1)
        if len(self.atoms):
            near = np.minimum(np.searchsorted(self.atoms, values), len(self.atoms) - 1)
            cell = np.where(self.atoms[near] == values, near, cell)
        return np.where(missing, self.missing_cell if self.nullable else len(self.atoms), cell)

    def draw(self, cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Turn cells back into encoded values: atoms exactly, intervals uniformly, missing as missing."""
        first = len(self.atoms)
        index = np.clip(cell - first, 0, self.intervals - 1)
        low, high = self.edges[index], self.edges[index + 1]
        spread = rng.random(len(cell))
        values: np.ndarray
        if self.countable:
            # The offset alone is a float: codes above 2^53 have none of their own.
            values = low + np.minimum(np.floor(spread * (high - low)).astype(np.int64), high - low - 1)
            values = self._step_off_atoms(values, low.astype(np.int64), high.astype(np.int64))
        else:
            values = low + spread * (high - low)
        if first:
            values = np.where(
                cell < first, self.atoms[np.minimum(cell, first - 1)].astype(values.dtype), values
            )
        return np.where(cell == self.missing_cell, self._missing_value, values) if self.nullable else values

    @property
    def _missing_value(self) -> float | int:
        return int(self.edges[-1]) if self.countable else float("nan")

    def _step_off_atoms(self, values: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Move interval draws that hit an atom to the next free code of the same interval."""
        if not len(self.atoms):
            return values
        for _ in range(len(self.atoms)):
            hit = np.isin(values, self.atoms) & (high - low > 1)
            if not hit.any():
                break
            values = np.where(hit, low + (values + 1 - low) % (high - low), values)
        return values

    def state(self) -> dict[str, Any]:
        """Return a JSON-able description."""
        return {
            "edges": self.edges.tolist(),
            "atoms": self.atoms.tolist(),
            "nullable": self.nullable,
            "countable": self.countable,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Binning:
        """Rebuild what `state` described."""
        kind = np.int64 if state["countable"] else np.float64
        return cls(
            edges=np.asarray(state["edges"], dtype=kind),
            atoms=np.asarray(state["atoms"], dtype=kind),
            nullable=state["nullable"],
            countable=state["countable"],
        )


def each_value(column: Column) -> Binning:
    """One cell for every value of a countable column."""
    assert column.size is not None
    return Binning(edges=np.arange(column.size + 1), nullable=column.nullable, countable=True)


def equal_width(column: Column, intervals: int) -> Binning:
    """Cut the public range into equal intervals (a countable column never into more than its values)."""
    if column.size is not None:
        count = max(1, min(intervals, column.size))
        edges = np.unique(whole_parts(column.size, count))
        return Binning(edges=edges, nullable=column.nullable, countable=True)
    lower, upper = float(column.lower or 0.0), float(column.upper or 0.0)
    if lower == upper:
        return Binning(edges=np.array([lower, upper]), nullable=column.nullable, countable=False)
    return Binning(edges=np.linspace(lower, upper, intervals + 1), nullable=column.nullable, countable=False)


def equal_mass(column: Column, values: np.ndarray, intervals: int) -> Binning:
    """Cells with about as many of the given values each; a value with more than a cell's share is an atom.

    For values that are released, or read in the clear: the edges tell them.
    """
    countable = column.is_countable
    low, high = (0, column.size or 1) if countable else (float(column.lower or 0), float(column.upper or 0))
    known = values[values < high] if countable else values[np.isfinite(values)]
    several, counts = np.unique(known, return_counts=True)
    atoms = several[counts * intervals > len(known)]
    rest = np.sort(known[~np.isin(known, atoms)])
    parts = max(1, intervals - len(atoms))
    inner = np.unique(rest[np.arange(1, parts) * len(rest) // parts]) if len(rest) else rest
    kind = np.int64 if countable else np.float64
    edges = np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]]).astype(kind)
    return Binning(edges=edges, atoms=atoms.astype(kind), nullable=column.nullable, countable=countable)


def whole_parts(size: int, parts: int) -> np.ndarray:
    """Cut the codes 0..size-1 into nearly equal parts: code c lies in part floor(c * parts / size).

    Whole-number arithmetic, because a size above 2^53 may have no float of its own.

    >>> whole_parts(10, 4)
    array([ 0,  3,  5,  8, 10])
    """
    return np.array([-(-size * part // parts) for part in range(parts + 1)], dtype=np.int64)
