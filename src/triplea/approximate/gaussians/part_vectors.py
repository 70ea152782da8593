"""The public map from a row to its part of a class, and to its vector about the part's centre."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.exact_products import exact_product
from triplea.approximate.gaussians.vector_cells import NearestCells
from triplea.schema import Encoded

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class PartVectors:
    """Rows go to parts by the leading entries of their class's vectors; `centres` have all entries.

    `stretches` (classes x entries x directions) is optional: what a vector is multiplied with, by class.
    Products are exact, so that a row's part and vector do not depend on the rows beside it.
    """

    vectors: ClassVectors
    rule: NearestCells
    centres: Floats
    stretches: Floats | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.vectors.columns

    @property
    def groups(self) -> int:
        """The parts."""
        return len(self.rule.owner)

    @property
    def width(self) -> int:
        """How many entries a vector has."""
        return self.vectors.width if self.stretches is None else self.stretches.shape[2]

    def of(self, rows: Encoded) -> tuple[np.ndarray, Floats]:
        """The part and the vector of every row; a row outside all classes is in no part."""
        klass, matrix = self.vectors.of(rows)
        part = self.rule.assign(klass, matrix[:, : self.rule.centres.shape[1]])
        matrix = matrix - self.centres[part]
        if self.stretches is None:
            return part, matrix
        stretched = np.zeros((len(matrix), self.width))
        for number, stretch in enumerate(self.stretches):
            members = klass == number
            stretched[members] = exact_product(matrix[members], stretch)
        return part, stretched
