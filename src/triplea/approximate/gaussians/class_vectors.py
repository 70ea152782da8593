"""The public map from a row to its class and its vector: coded, centred by class, and projected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.schema import Encoded

Floats = NDArray[np.float64]


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


def exact_product(matrix: Floats, projection: Floats) -> Floats:
    """The product of rows with a projection, the same for a row alone and for a row among others.

    A row's vector must not depend on other rows, not even in its last bit, as sums in floating point would
    by their order. So entries are rounded to multiples of 2^-20 within [-4, 4], and the projection to as many
    bits as leave room for an exact sum in float64.
    """
    room = 53 - 22 - int(np.ceil(np.log2(max(len(projection), 2))))
    step = 2.0 ** (np.ceil(np.log2(max(float(np.abs(projection).max(initial=0.0)), 1e-300))) - room)
    whole = np.rint(np.clip(matrix, -4.0, 4.0) * 2.0**20)
    return np.asarray((whole @ np.rint(projection / step)) * (step * 2.0**-20))
