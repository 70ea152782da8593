"""Counts by sign and power of two: how large are the values of a column without public bounds?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from triplea.queries.counts import Counts
from triplea.schema import Encoded

LOWEST, HIGHEST = -32, 62  # powers of two told apart; beyond them values join the outermost cell


class MagnitudeCounts(Counts):
    """One histogram: negative values by power of two (largest first), about zero, positive values.

    Cell of x: 0 for |x| < 2^LOWEST, else +-(1 + floor(log2 |x|) - LOWEST), shifted to start at zero.
    Bounds and proof: those of `Counts` with one histogram.
    """

    def __init__(self, *, column: str, offset: int = 0, size: int | None = None) -> None:
        self.offset = offset  # a countable column's codes start at its provisional lower bound
        self.size = size  # and a code from `size` on is a missing value
        self.reach = HIGHEST - LOWEST + 1
        super().__init__(columns=(column,), sizes=[2 * self.reach + 1])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the magnitude cell of every row; missing values fall outside and count nothing."""
        codes = rows[self.columns[0]]
        values = codes.astype(np.float64) + self.offset
        present = np.isfinite(values) if self.size is None else codes < self.size
        size = np.abs(np.where(present, values, 0.0))
        power = np.floor(np.log2(np.maximum(size, 2.0 ** (LOWEST - 1)))).astype(np.int64)
        step = np.where(size < 2.0**LOWEST, 0, 1 + np.clip(power, LOWEST, HIGHEST - 1) - LOWEST)
        yield np.where(present, np.where(values < 0, -step, step) + self.reach, -1)

    def edges(self, cell: int) -> tuple[float, float]:
        """Return the range of values that a cell stands for."""
        step = cell - self.reach
        if step == 0:
            return 0.0, 0.0
        low, high = 2.0 ** (abs(step) - 1 + LOWEST), 2.0 ** (abs(step) + LOWEST)
        return (low, high) if step > 0 else (-high, -low)
