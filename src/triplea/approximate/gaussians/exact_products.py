"""Products of rows with public numbers that are the same for a row alone and for a row among others.

A row's vector and cell must not depend on other rows, not even in a last bit: a sum over neighbouring tables
would then move by more than the one row that differs. Products of matrices in floating point do depend on
how many rows there are, by the order in which they add. So both factors are rounded to grids that leave room
for an exact sum in float64, and exact sums have no order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
LONGEST, BITS = 4.0, 20  # entries of rows are multiples of 2^-20 within [-4, 4]


def exact_product(matrix: Floats, projection: Floats) -> Floats:
    """Every row times a public projection (entries x directions)."""
    public, step = _on_grid(projection, entries=len(projection))
    return np.asarray((_steps(matrix) @ public) * (step * 2.0**-BITS))


def exact_dots(matrix: Floats, directions: Floats, which: Whole) -> Floats:
    """Every row times the one of some public directions (directions x entries) that `which` names for it.

    The grid is that of all directions: one made of those that are named would follow from the rows.
    """
    public, step = _on_grid(directions, entries=directions.shape[1])
    return np.asarray(np.einsum("ij,ij->i", _steps(matrix), public[which]) * (step * 2.0**-BITS))


def _steps(matrix: Floats) -> Floats:
    return np.rint(np.clip(matrix, -LONGEST, LONGEST) * 2.0**BITS)


def _on_grid(public: Floats, *, entries: int) -> tuple[Floats, float]:
    """As many bits as leave room for the exact sum of so many products."""
    room = 53 - (BITS + 2) - int(np.ceil(np.log2(max(entries, 2))))
    size = float(np.abs(public).max(initial=0.0))
    step = float(2.0 ** (np.ceil(np.log2(max(size, 1e-300))) - room))
    return np.rint(public / step), step
