"""The Approximate stage of the provable 3A: which cells the rows of a class fall into.

A stage says how many cells a class may have and how a rule is made from what was released so far. Rules never
see rows when they are made, so every round of sums by cell has the bound of its query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.vector_cells import (
    HashedVectors,
    NearestCells,
    VectorCells,
    centres_of_gaussians,
)
from triplea.approximate.mixtures.cell_estimates import Components
from triplea.approximate.mixtures.row_cells import HashedCells, LikelyCells, RowCells, scattered_tables
from triplea.approximate.model import Model

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
KEYS = 2**63 - 1


@dataclass(frozen=True, kw_only=True, eq=False)
class CellFit:
    """A model made of cells: the rows of every cell, the class that owns it, and the least rows of a cell."""

    model: Model
    rows: Floats
    owner: Whole
    least: float


@runtime_checkable
class CellStage(Protocol):
    """Rules for mixed tables (rows as bins) and for tables of numbers (rows as vectors)."""

    @property
    def clusters(self) -> int:
        """The most cells per class."""

    @property
    def rounds(self) -> int:
        """How often cells of a mixed table are measured; each round may redraw them."""

    def first(
        self, classes: Components, owner: Whole, *, ordered: Mapping[str, bool], rng: np.random.Generator
    ) -> RowCells:
        """The cells of the first round, from the released classes."""

    def next(self, cells: Components, owner: Whole, before: RowCells) -> RowCells:
        """The cells of a later round, from the released cells of the one before."""

    def of_vectors(self, covariances: Floats, owner: Whole, *, rng: np.random.Generator) -> VectorCells:
        """The cells of vectors, from the released covariances of the classes."""


@dataclass(frozen=True, kw_only=True)
class LearnedCells:
    """ClustMix: a row goes to the cell under which it is likeliest; a mixture fitted by hard EM at the door.

    The first cells are the classes tilted at random (vectors: an even cover of the released Gaussian).
    """

    clusters: int = 8
    rounds: int = 2

    def first(
        self, classes: Components, owner: Whole, *, ordered: Mapping[str, bool], rng: np.random.Generator
    ) -> RowCells:
        """Cells around random tilts of the classes."""
        tables = scattered_tables(classes.shares, owner, ordered=ordered, rng=rng)
        return LikelyCells(owner=owner, weights=np.ones(len(owner)), tables=tables)

    def next(self, cells: Components, owner: Whole, before: RowCells) -> RowCells:
        """Cells around the components that were just released."""
        del before
        return LikelyCells(owner=owner, weights=cells.rows, tables=cells.shares)

    def of_vectors(self, covariances: Floats, owner: Whole, *, rng: np.random.Generator) -> VectorCells:
        """Cells around centres that cover the released Gaussians."""
        return NearestCells(owner=owner, centres=centres_of_gaussians(covariances, owner, rng=rng))


@dataclass(frozen=True, kw_only=True)
class RandomCells:
    """DPMix: a row goes to a random cell of its class. Free of charge, and blind to where rows lie."""

    clusters: int = 8
    rounds: int = 1

    def first(
        self, classes: Components, owner: Whole, *, ordered: Mapping[str, bool], rng: np.random.Generator
    ) -> RowCells:
        """Cells by a hash with a random key."""
        del classes, ordered
        return HashedCells(owner=owner, key=int(rng.integers(KEYS)))

    def next(self, cells: Components, owner: Whole, before: RowCells) -> RowCells:
        """The same cells again."""
        del cells, owner
        return before

    def of_vectors(self, covariances: Floats, owner: Whole, *, rng: np.random.Generator) -> VectorCells:
        """Cells by a hash with a random key."""
        del covariances
        return HashedVectors(owner=owner, key=int(rng.integers(KEYS)))
