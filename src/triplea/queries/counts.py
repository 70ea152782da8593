"""Histograms: the simplest clipped sum. A row falls into at most one cell of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import final

import numpy as np

from triplea.queries.base import FloatArray, IntArray, SumQuery
from triplea.schema import Encoded


class Counts(SumQuery):
    """Several histograms side by side, as one vector.

    Sensitivity: a row adds 1 to at most one cell of each of the m histograms, so with relative noise
    scales s_j the scaled vector has L2 norm at most sqrt(sum 1/s_j^2) and L1 norm at most sum 1/s_j.
    Replacing a row moves at most two cells of each: sqrt(2) and 2 times that.
    Proof: docs/proofs/counts.md. Cells outside a histogram count nothing.
    """

    proof = "docs/proofs/counts.md"

    def __init__(
        self, *, columns: Sequence[str], sizes: Sequence[int], scales: Sequence[float] | None = None
    ) -> None:
        self.columns = tuple(columns)
        self.sizes = tuple(int(size) for size in sizes)
        self.shape = (sum(self.sizes),)
        weights = 1.0 / np.asarray(scales if scales is not None else np.ones(len(self.sizes)), dtype=float)
        self.scale = np.repeat(1.0 / weights, self.sizes) if scales is not None else 1.0
        self.row_l2 = float(np.sqrt(np.sum(weights**2)))
        self.row_l1 = float(np.sum(weights))
        self.swap_l2 = float(np.sqrt(2.0)) * self.row_l2
        self.swap_l1 = 2.0 * self.row_l1

    @abstractmethod
    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield, for each histogram in order, the cell of every row."""

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Count the rows of one batch, cell by cell."""
        counted = [_bincount(cell, size) for cell, size in zip(self.cells(rows), self.sizes, strict=True)]
        return np.concatenate(counted) if counted else np.zeros(0, dtype=np.int64)

    def split(self, values: FloatArray) -> list[FloatArray]:
        """Cut the released vector back into its histograms."""
        return np.split(values, np.cumsum(self.sizes)[:-1])


def _bincount(cell: np.ndarray, size: int) -> IntArray:
    """Count cells 0..size-1; anything else counts nothing, so that a row is never in two cells."""
    counts = np.bincount(cell, minlength=size) if _inside(cell, size) else _bincount_checked(cell, size)
    return counts.astype(np.int64, copy=False)


def _inside(cell: np.ndarray, size: int) -> bool:
    return cell.size == 0 or (int(cell.min()) >= 0 and int(cell.max()) < size)


def _bincount_checked(cell: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(cell[(cell >= 0) & (cell < size)], minlength=size)
