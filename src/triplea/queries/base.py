"""What every question about rows has in common: a sum over rows with a stated bound."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from triplea.schema import Encoded

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class SumQuery(ABC):
    """A sum over rows of clipped vectors, exact on an integer grid.

    The answer is an array of int64 `units`; entry i is worth `units[i] * grid[i]`. Because every row's
    vector is rounded onto the grid before it is added, the sum is exact and does not depend on the
    order of the rows.

    Sensitivities are stated for the answer divided entrywise by `scale`, so that entries may carry
    different amounts of noise: `row_*` bounds one row's vector (add or remove a row), `swap_*` bounds
    the difference of two rows' vectors (replace a row).
    """

    columns: tuple[str, ...]
    shape: tuple[int, ...]
    proof: str
    grid: float | FloatArray = 1.0
    scale: float | FloatArray = 1.0

    row_l1: float
    row_l2: float
    swap_l1: float
    swap_l2: float

    @abstractmethod
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Return the sum over one batch of rows, in units of the grid."""


class Scores(ABC):
    """Scores of candidates, each a function of one exact sum; asked through `door.choose`.

    `row_bound` and `swap_bound` bound how far any single score moves when a row is added or removed,
    or replaced.
    """

    sums: SumQuery
    size: int
    proof: str
    row_bound: float
    swap_bound: float

    @abstractmethod
    def scores(self, units: IntArray) -> FloatArray:
        """Return one score per candidate, from the exact sum."""
