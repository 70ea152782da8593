"""Counts, sums and squares of vectors of numbers, by class; and how long the vectors are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from triplea.approximate.gaussians.class_vectors import GroupedVectors
from triplea.queries.cell_sums import CellSums
from triplea.queries.counts import Counts
from triplea.schema import Encoded

Floats = NDArray[np.float64]
LENGTH_CELLS = 64
COUNT_WEIGHT = 0.3  # a row's count weighs this much beside its vector, which has norm at most 1


class ClassSums(CellSums):
    """By class, the sum of (0.3, x / radius), the vector x first clipped to norm `radius`.

    Bounds and proof: those of `CellSums` with clip norm sqrt(1 + 0.3^2).
    """

    def __init__(self, *, vectors: GroupedVectors, radius: float) -> None:
        self.source = vectors
        self.radius = radius
        super().__init__(
            columns=vectors.columns,
            cells=vectors.groups,
            width=1 + vectors.width,
            clip_norm=float(np.hypot(1.0, COUNT_WEIGHT)),
        )

    def vectors(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """The class of every row, and its weighted count and vector."""
        klass, matrix = self.source.of(rows)
        inside = clipped(matrix, self.radius) / self.radius
        return klass, np.column_stack([np.full(len(matrix), COUNT_WEIGHT), inside])

    def counts(self, values: Floats) -> Floats:
        """The numbers of rows by class in a released answer."""
        return np.asarray(values[:, 0] / COUNT_WEIGHT)

    def totals(self, values: Floats) -> Floats:
        """The sums of vectors by class in a released answer; their noise is `radius` times the answer's."""
        return np.asarray(values[:, 1:] * self.radius)


class ClassSquares(CellSums):
    """By class, the sum of the squared entries, every row's squares clipped to norm `clip_norm`.

    Bounds and proof: those of `CellSums`.
    """

    def __init__(self, *, vectors: GroupedVectors, clip_norm: float) -> None:
        self.source = vectors
        super().__init__(
            columns=vectors.columns,
            cells=vectors.groups,
            width=vectors.width,
            clip_norm=clip_norm,
        )

    def vectors(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """The class and the squared entries of every row."""
        klass, matrix = self.source.of(rows)
        return klass, matrix**2


class LengthCounts(Counts):
    """How long the vectors are: one histogram of |x| / sqrt(width) in equal cells of [0, 2].

    Bounds and proof: those of `Counts` with one histogram.
    """

    longest = 2.0

    def __init__(self, *, vectors: GroupedVectors, cells: int = LENGTH_CELLS) -> None:
        self.source = vectors
        super().__init__(columns=vectors.columns, sizes=[cells])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the cell of every row's length; longer ones count in the last."""
        _, matrix = self.source.of(rows)
        length = np.linalg.norm(matrix, axis=1) / np.sqrt(max(self.source.width, 1))
        cell = np.floor(length / self.longest * self.sizes[0])
        yield np.minimum(cell, self.sizes[0] - 1).astype(np.int64)

    def quantile(self, values: Floats, stddev: float, probability: float) -> float:
        """A length that about this share of the rows does not exceed; at least one cell.

        Where noise alone could be all there is (its largest cell is below 3.2 deviations in 95 of 100 cases),
        every length counts as equally frequent.
        """
        share = np.linspace(0.0, 1.0, len(values))
        if self._heard(values, stddev).any():
            share = np.cumsum(np.where(values > 2.0 * stddev, values, 0.0))
            share /= share[-1]
        cell = float(np.interp(probability, share, np.arange(1, len(values) + 1)))
        return max(cell, 1.0) * self._cell_length(len(values))

    def kept(self, values: Floats, stddev: float, *, radius: float, longest: float) -> float:
        """What clipping to `radius` leaves of the mean square of all lengths up to `longest`: 1 is all.

        Longer rows count as that long: among few of them noise would weigh too much.
        """
        heard = self._heard(values, stddev)
        if not heard.any():
            return 1.0
        lengths = np.minimum((np.arange(len(values)) + 0.5) * self._cell_length(len(values)), longest)
        return float(heard @ np.minimum(lengths, radius) ** 2 / (heard @ lengths**2))

    def _heard(self, values: Floats, stddev: float) -> Floats:
        """Counts of the cells that noise alone would not fill."""
        loudest = float(norm.ppf(0.95 ** (1.0 / len(values)))) * stddev
        return np.where(values > loudest, values, 0.0)

    def _cell_length(self, cells: int) -> float:
        return self.longest / cells * float(np.sqrt(max(self.source.width, 1)))


def clipped(matrix: Floats, radius: float) -> Floats:
    """Shorten rows that are longer than `radius`."""
    norms = np.linalg.norm(matrix, axis=1)
    return np.asarray(matrix * (radius / np.maximum(norms, radius))[:, None])
