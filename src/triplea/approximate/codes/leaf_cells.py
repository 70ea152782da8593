"""Cells made of leaves: coarse enough to count with noise, fine enough to look like the column.

A column's leaves are public and fine (every value, or parts that widen with distance from zero). A cell
is a set of leaves; when a cell is drawn, a leaf is drawn within it by released weights. A leaf that is known
to be one value, an atom, may still be a stretch: then the value is taken to be its public bound, or else the
roundest number in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.round_values import roundest
from triplea.schema import Column

EXACT_LEAVES = 2**17  # up to here every value of a countable column is a leaf
PER_OCTAVE = 512  # beyond, this many leaves for every doubling of the distance from zero
NUMERIC_PARTS = 2**16  # a numeric column's leaves: the power of ten that makes at least so many


def leaves_of(column: Column) -> Binning:
    """The public leaves of a column, from its schema entry alone."""
    if column.is_discrete:
        edges = np.arange(column.cells - int(column.nullable) + 1)
        return Binning(edges=edges, nullable=column.nullable, countable=True)
    lower, upper = column.bounds
    if column.size is not None:
        whole = _whole_edges(int(lower), int(upper)) - int(lower)
        return Binning(edges=whole, nullable=column.nullable, countable=True, origin=int(lower))
    if lower == upper:
        return Binning(edges=np.array([lower, upper], float), nullable=column.nullable, countable=False)
    edges = _numeric_edges(float(lower), float(upper))
    return Binning(edges=edges, nullable=column.nullable, countable=False)


def _numeric_edges(lower: float, upper: float) -> np.ndarray:
    """Multiples of a power of ten, by octaves from zero; equal parts where floats are too coarse for that."""
    with np.errstate(all="ignore"):
        digits = np.floor(np.log10((upper - lower) / NUMERIC_PARTS))
        step = float(10.0**digits)
        coarse = not np.isfinite(step) or step < np.finfo(float).tiny or max(-lower, upper) / step > 2.0**50
    if coarse:
        part = np.linspace(0.0, 1.0, 2 * PER_OCTAVE + 1)
        return np.unique(lower * (1.0 - part) + upper * part)
    whole = _whole_edges(int(np.floor(lower / step)), int(np.ceil(upper / step)) - 1)
    # Divided, because 30,000 times 0.00001 is not 0.3, and 0.3 would fall below its own leaf.
    inner = whole / float(10.0**-digits) if digits < 0 else whole * step
    return np.unique(np.concatenate([[lower], inner[(inner > lower) & (inner < upper)], [upper]])).astype(
        float
    )


def _whole_edges(lowest: int, highest: int) -> np.ndarray:
    """Borders of leaves over whole numbers lowest..highest: each by itself, or by octaves from an origin."""
    if highest - lowest + 1 <= EXACT_LEAVES:
        return np.arange(lowest, highest + 2)
    origin = _origin(lowest, highest)
    rings = [np.arange(2 * PER_OCTAVE + 1)]
    start = 2 * PER_OCTAVE
    while start < max(origin - lowest, highest - origin):
        rings.append(start + np.arange(1, PER_OCTAVE + 1) * (start // PER_OCTAVE))
        start *= 2
    reach = np.concatenate(rings)
    inner = origin + np.unique(np.concatenate([-reach, reach]))
    inner = inner[(inner > lowest) & (inner <= highest)]
    return np.concatenate([[lowest], inner, [highest + 1]])


def _origin(lowest: int, highest: int) -> int:
    """Zero, unless it is farther away than the range is long (times, years): then the nearer bound."""
    length = highest - lowest
    if lowest > length:
        return lowest
    return highest if -highest > length else 0


def atom_in(leaves: Binning, leaf: int) -> float | int:
    """The encoded value that a leaf stands for, if it is one: a bound, or the roundest number in it."""
    low: float | int = leaves.edges[leaf].item()
    high: float | int = leaves.edges[leaf + 1].item()
    if leaf == 0:
        return low
    if leaf == leaves.intervals - 1:
        return high - int(leaves.countable)
    return roundest(low + leaves.origin, high + leaves.origin) - leaves.origin


class LeafCells:
    """A binning whose cells are sets of leaves with weights; the missing leaf, if any, comes last.

    `exact` marks leaves that stand for one value rather than for a stretch.
    """

    def __init__(
        self, *, leaves: Binning, cell_of: np.ndarray, weights: np.ndarray, exact: np.ndarray
    ) -> None:
        self.leaves = leaves
        self.cell_of = cell_of.astype(np.int32)
        self.weights = np.maximum(weights, 1e-9)
        self.exact = exact.astype(bool)
        self.cells = int(self.cell_of.max()) + 1
        self.countable = leaves.countable
        self._order = np.argsort(self.cell_of, kind="stable")
        self._starts = np.searchsorted(self.cell_of[self._order], np.arange(self.cells + 1))
        self._reach = np.concatenate([[0.0], np.cumsum(self.weights[self._order])])

    @classmethod
    def one_per_leaf(cls, leaves: Binning) -> LeafCells:
        """Every leaf is a cell of its own."""
        count = leaves.cells
        return cls(
            leaves=leaves, cell_of=np.arange(count), weights=np.ones(count), exact=np.zeros(count, bool)
        )

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Return the cell of every encoded value."""
        return np.asarray(self.cell_of[self.leaves.assign(values)])

    def draw(self, cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Turn cells into encoded values: a leaf by its weight, then a value within the leaf."""
        first, last = self._starts[cell], self._starts[cell + 1]
        low, high = self._reach[first], self._reach[last]
        spot = np.searchsorted(self._reach, low + rng.random(len(cell)) * (high - low), side="right") - 1
        leaf = self._order[np.clip(spot, first, last - 1)]
        values = self.leaves.draw(leaf, rng)
        return np.where(self.exact[leaf], self._atoms[leaf], values) if self.exact.any() else values

    @cached_property
    def _atoms(self) -> np.ndarray:
        """The encoded value of every leaf that stands for one; zero elsewhere."""
        values = np.zeros(self.leaves.cells, dtype=self.leaves.edges.dtype)
        for leaf in np.flatnonzero(self.exact):
            values[leaf] = atom_in(self.leaves, int(leaf))
        return values

    def state(self) -> dict[str, np.ndarray]:
        """Return the arrays that describe it."""
        return {
            "edges": self.leaves.edges,
            "flags": np.array([self.leaves.nullable, self.leaves.countable]),
            "origin": np.array([self.leaves.origin]),
            "cell_of": self.cell_of,
            "weights": self.weights,
            "exact": self.exact,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, np.ndarray]) -> LeafCells:
        """Rebuild what `state` described."""
        nullable, countable = (bool(flag) for flag in state["flags"])
        origin = int(state["origin"][0]) if "origin" in state else 0  # models of earlier versions have none
        leaves = Binning(edges=state["edges"], nullable=nullable, countable=countable, origin=origin)
        return cls(leaves=leaves, cell_of=state["cell_of"], weights=state["weights"], exact=state["exact"])


class Grouped:
    """A coarser view of a binning: several cells of the base make one."""

    def __init__(self, *, base: LeafCells, group: np.ndarray) -> None:
        self.base = base
        self.group = group
        self.cells = int(group.max()) + 1

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Return the group of every encoded value."""
        return np.asarray(self.group[self.base.assign(values)])
