"""Second moments of clipped vectors, by class or of all rows together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.class_vectors import GroupedVectors
from triplea.queries.base import IntArray, SumQuery
from triplea.queries.cell_sums import clipped_units
from triplea.schema import Encoded

Floats = NDArray[np.float64]
# Entries are whole multiples of radius / 2^bits: fine enough beside a row's clipping, and coarse enough for
# the noise of small budgets to stay within the range of the sampler.
BITS, BITS_OF_MANY, MANY = 10, 12, 64


class ClassScatter(SumQuery):
    """By class, the upper triangle of the sum of xx', every vector x clipped to L2 norm `radius`.

    Entries off the diagonal carry 1 / sqrt(2) of the diagonal's noise, so that the noise has the shape of the
    Frobenius norm. Scaled like this one row's vector has L2 norm |x|^2, hence the sensitivity is radius^2
    for add-or-remove and sqrt(2) radius^2 for replace-one. Proof: docs/proofs/scatter.md. With `pooled` all
    rows are one class.
    """

    proof = "docs/proofs/scatter.md"

    def __init__(self, *, vectors: GroupedVectors, radius: float, pooled: bool = False) -> None:
        self.source = vectors
        self.radius = radius
        self.pooled = pooled
        self.columns = vectors.columns
        self.cells = 1 if pooled else vectors.groups
        width = vectors.width
        self._upper = np.triu_indices(width)
        self.shape = (self.cells, len(self._upper[0]))
        self.bits = BITS if width <= MANY else BITS_OF_MANY
        self.grid = (radius / 2.0**self.bits) ** 2
        on_diagonal = self._upper[0] == self._upper[1]
        self.scale = np.broadcast_to(np.where(on_diagonal, 1.0, np.sqrt(0.5)), self.shape)
        self.row_l2 = radius**2
        self.swap_l2 = float(np.sqrt(2.0)) * radius**2
        # sum x_i^2 + sqrt(2) sum_{i<j} |x_i x_j|, with |x|_1^2 <= width |x|_2^2
        self.row_l1 = radius**2 * (1.0 + (width - 1) / float(np.sqrt(2.0)))
        self.swap_l1 = 2.0 * self.row_l1

    def partial_sums(self, rows: Encoded) -> IntArray:
        """Clip, round towards zero onto the grid, multiply out and add up by class; all exact."""
        klass, matrix = self.source.of(rows)
        units = clipped_units(matrix, clip_norm=self.radius, bits=self.bits)
        if self.pooled:
            return (units.T @ units)[self._upper].astype(np.int64)[None, :]
        sums = np.zeros(self.shape, dtype=np.int64)
        for number in np.unique(klass[(klass >= 0) & (klass < self.cells)]):
            members = units[klass == number]
            sums[number] = (members.T @ members)[self._upper]
        return sums

    def matrices(self, values: Floats) -> Floats:
        """A released answer as one symmetric matrix per class."""
        width = self.source.width
        full = np.zeros((self.cells, width, width))
        row, column = self._upper
        full[:, row, column] = values
        full[:, column, row] = values
        return full
