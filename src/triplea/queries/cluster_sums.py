"""What ClustMix asks about tables of numbers: the count and the sum of the vectors of every cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.vector_cells import VectorCells
from triplea.queries.cell_sums import CellSums
from triplea.queries.class_numbers import COUNT_WEIGHT, clipped
from triplea.schema import Encoded

Floats = NDArray[np.float64]


class ClusterSums(CellSums):
    """By cell, the sum of (0.3, x / radius), the vector x first clipped to norm `radius`.

    A row is in one cell. Bounds and proof: those of `CellSums` with clip norm sqrt(1 + 0.3^2).
    """

    def __init__(self, *, vectors: ClassVectors, cells: VectorCells, radius: float) -> None:
        self.source = vectors
        self.rule = cells
        self.radius = radius
        super().__init__(
            columns=vectors.columns,
            cells=len(cells.owner),
            width=1 + vectors.width,
            clip_norm=float(np.hypot(1.0, COUNT_WEIGHT)),
        )

    def vectors(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """The cell of every row, and its weighted count and vector."""
        klass, matrix = self.source.of(rows)
        inside = clipped(matrix, self.radius) / self.radius
        return self.rule.assign(klass, matrix), np.column_stack([np.full(len(matrix), COUNT_WEIGHT), inside])

    def counts(self, values: Floats) -> Floats:
        """The numbers of rows by cell in a released answer."""
        return np.asarray(values[:, 0] / COUNT_WEIGHT)

    def totals(self, values: Floats) -> Floats:
        """The sums of vectors by cell in a released answer; their noise is `radius` times the answer's."""
        return np.asarray(values[:, 1:] * self.radius)
