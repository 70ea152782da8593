"""The public map from a row to its class and its vector: coded, centred by class, and projected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.exact_products import exact_product
from triplea.schema import Encoded

Floats = NDArray[np.float64]


class GroupedVectors(Protocol):
    """A public map from a row to one of some groups, and to a vector."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""

    @property
    def groups(self) -> int:
        """How many groups there are."""

    @property
    def width(self) -> int:
        """How many entries a vector has."""

    def of(self, rows: Encoded) -> tuple[np.ndarray, Floats]:
        """The group (outside 0..groups-1: none) and the vector of every row; every entry is finite."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassVectors:
    """What a question about numbers sums over. A missing number stands at its class's centre.

    `centres` has one line per class, or one for all; `projection` (entries x directions) is optional, and
    then entries are held within 4 of their centres and products are exact: see `exact_product`.
    """

    layout: NumberLayout
    code: NumberCode
    centres: Floats
    projection: Floats | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        label = () if self.layout.label is None else (self.layout.label.name,)
        return (*self.code.names, *label)

    @property
    def groups(self) -> int:
        """The classes."""
        return self.layout.classes

    @property
    def width(self) -> int:
        """How many entries a vector has."""
        return len(self.code.columns) if self.projection is None else self.projection.shape[1]

    def of(self, rows: Encoded) -> tuple[np.ndarray, Floats]:
        """The class and the vector of every row; every entry is finite."""
        matrix = self.code.encode(rows)
        klass = self.layout.classes_of(rows, len(matrix))
        matrix -= self.centres[klass] if len(self.centres) > 1 else self.centres[0]
        np.nan_to_num(matrix, copy=False, nan=0.0)
        return klass, matrix if self.projection is None else exact_product(matrix, self.projection)
