"""Sums of clipped vectors, one sum per cell: centroids, embeddings, gradients."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from triplea.queries.base import IntArray, SumQuery
from triplea.schema import Encoded

Floats = NDArray[np.float64]

BITS = 20  # grid = clip_norm / 2^20: a batch of up to 2^33 rows adds without rounding in float64


class CellSums(SumQuery):
    """For each cell, the sum of its rows' vectors, every vector clipped to L2 norm `clip_norm`.

    Sensitivity (L2): clip_norm for add-or-remove, 2 * clip_norm for replace-one; L1: sqrt(width)
    times that. Proof: docs/proofs/cell_sums.md. A row with a non-finite entry counts as zero; a row
    whose cell lies outside 0..cells-1 counts nothing.
    """

    proof = "docs/proofs/cell_sums.md"

    def __init__(self, *, columns: Sequence[str], cells: int, width: int, clip_norm: float) -> None:
        self.columns = tuple(columns)
        self.cells = cells
        self.width = width
        self.shape = (cells, width)
        self.clip_norm = clip_norm
        self.grid = clip_norm / 2**BITS
        self.row_l2 = clip_norm
        self.row_l1 = float(np.sqrt(width)) * clip_norm
        self.swap_l2 = 2.0 * self.row_l2
        self.swap_l1 = 2.0 * self.row_l1

    @abstractmethod
    def vectors(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """Return the cell of every row, shape (n,), and its vector, shape (n, width)."""

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Clip, round towards zero onto the grid, and add up by cell."""
        cell, vectors = self.vectors(rows)
        units = clipped_units(vectors, clip_norm=self.clip_norm, bits=BITS)
        return sum_by_cell(cell, units, self.cells).astype(np.int64)


def clipped_units(vectors: Floats, *, clip_norm: float, bits: int) -> Floats:
    """Clip rows to `clip_norm` and express them as whole multiples of clip_norm / 2^bits.

    Rounding towards zero never lengthens a vector. The last step repairs the rare row that float
    arithmetic left a hair too long: squared lengths in units are small integers, so that check is exact.

    >>> clipped_units(np.array([[3.0, 4.0], [np.nan, 1.0]]), clip_norm=1.0, bits=2)
    array([[2., 3.],
           [0., 0.]])
    """
    finite = np.atleast_1d(np.isfinite(vectors).all(axis=1))
    # Row by row in memory: columns one after the other are added in another order for a row that is alone.
    safe = np.ascontiguousarray(np.where(finite[:, None], vectors, 0.0))
    largest = np.abs(safe).max(axis=1, initial=0.0)
    peak = np.where(largest > 0, largest, 1.0)
    shape = safe / peak[:, None]  # scaled first, so that huge entries cannot overflow
    length = np.minimum(peak, clip_norm / np.maximum(np.linalg.norm(shape, axis=1), 1.0))
    units: Floats = np.trunc(shape * length[:, None] * (2**bits / clip_norm))
    too_long = np.einsum("ij,ij->i", units, units) > float(4**bits)
    units[too_long] = np.trunc(units[too_long] * (1.0 - 2.0 ** (1 - bits)))
    return units


def sum_by_cell(cell: np.ndarray, units: Floats, cells: int) -> Floats:
    """Add up whole-numbered rows by cell; float64 holds these integers exactly."""
    inside = (cell >= 0) & (cell < cells)
    if cells == 1:
        return np.asarray(units[inside].sum(axis=0, keepdims=True))
    chosen = cell[inside]
    one_hot = sparse.csr_matrix(
        (np.ones(chosen.size), (chosen, np.arange(chosen.size))), shape=(cells, chosen.size)
    )
    return np.asarray(one_hot @ units[inside])
