"""Cells of vectors within classes: the nearest of released centres, or a keyed hash.

As in `approximate.mixtures.row_cells`, the rule is fixed before rows are looked at, and a vector finds its
cell by itself, to the last bit: products are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.constrained_mixture import constrained_kmeans, starting_means
from triplea.approximate.gaussians.exact_products import exact_product
from triplea.approximate.gaussians.groupings import centroids
from triplea.approximate.gaussians.spectra import power
from triplea.approximate.mixtures.row_cells import HashedCells

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
DRAWS_PER_CELL = 400


class VectorCells(Protocol):
    """A rule that sends the vectors of a class to its cells; cells are numbered class by class."""

    @property
    def owner(self) -> Whole:
        """The class of every cell, in ascending order."""

    def assign(self, klass: Whole, vectors: Floats) -> Whole:
        """Return the cell of every vector."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NearestCells:
    """Within its class a vector goes to the nearest centre."""

    owner: Whole
    centres: Floats

    def assign(self, klass: Whole, vectors: Floats) -> Whole:
        """Return the cell with the largest c.x - |c|^2 / 2."""
        cell = np.full(len(klass), -1, dtype=np.int64)
        for number in np.unique(klass):
            mine = np.flatnonzero(self.owner == number)
            members = np.flatnonzero(klass == number)
            if len(mine):
                centres = self.centres[mine]
                score = exact_product(vectors[members], centres.T) - 0.5 * (centres**2).sum(axis=1)
                cell[members] = mine[np.argmax(score, axis=1)]
        return cell


@dataclass(frozen=True, kw_only=True, eq=False)
class HashedVectors:
    """Within its class a vector goes to a cell drawn by a keyed hash of its entries."""

    owner: Whole
    key: int

    def assign(self, klass: Whole, vectors: Floats) -> Whole:
        """Return the hashed cell of every vector."""
        bits = np.ascontiguousarray(vectors + 0.0, dtype=np.float64).view(np.uint64)
        codes = {str(place): bits[:, place] for place in range(bits.shape[1])}
        return HashedCells(owner=self.owner, key=self.key).assign(klass, codes)


def centres_of_gaussians(covariances: Floats, owner: Whole, *, rng: np.random.Generator) -> Floats:
    """Centres that cover a Gaussian per class evenly: constrained k-means on public draws from it.

    `covariances` has one matrix per class, or one for all. A class with one cell has its centre at zero.
    """
    width = covariances.shape[1]
    centres = np.zeros((len(owner), width))
    for number in np.unique(owner):
        mine = np.flatnonzero(owner == number)
        if len(mine) > 1:
            root = power(covariances[number if len(covariances) > 1 else 0], 0.5)
            draws = rng.standard_normal((DRAWS_PER_CELL * len(mine), width)) @ root
            start = starting_means(draws, len(mine), rng)
            group = constrained_kmeans(draws, start, DRAWS_PER_CELL // 2, iterations=10)
            centres[mine] = centroids(draws, group)[0]
    return centres
