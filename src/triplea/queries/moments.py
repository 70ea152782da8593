"""Counts, sums and second moments of clipped vectors, by cell: what Gaussians are made of."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from triplea.queries.base import FloatArray, IntArray, SumQuery
from triplea.schema import Encoded

Floats = NDArray[np.float64]
ORDERS = (0, 1, 2)
SLACK = (
    1.0 + 1e-11
)  # bounds are stated this much larger: norms are compared with a bound that is itself rounded


@dataclass(frozen=True, kw_only=True)
class MomentPart:
    """One family of cells: every row is in at most one of them, with a vector of `width` entries.

    Vectors are clipped to entries in [-1, 1], L2 norm `radius` and L1 norm `reach`.
    """

    cells: int
    width: int
    radius: float
    reach: float

    @property
    def bits(self) -> int:
        """Entries are whole multiples of 2^-bits, which hold -1, 0 and 1 exactly; long vectors get fewer."""
        return int(np.clip(13 - np.ceil(np.log2(max(self.radius, 1.0))), 6, 10))

    def numbers(self, order: int) -> int:
        """How many numbers a cell has of one order."""
        return (1, self.width, self.width * (self.width + 1) // 2)[order]

    def bound_l2(self, order: int) -> float:
        """L2 norm of one row's moments of an order: 1, r, and sqrt((r^4 + min(r^2, r^4)) / 2)."""
        square = self.radius**2
        second = float(np.sqrt((square**2 + min(square, square**2)) / 2.0))
        return (1.0, self.radius, second)[order]

    def bound_l1(self, order: int) -> float:
        """L1 norm of one row's moments of an order: 1, s, and (s^2 + r^2) / 2."""
        return (1.0, self.reach, (self.reach**2 + self.radius**2) / 2.0)[order]


@dataclass(frozen=True, kw_only=True)
class Moments:
    """Released (or exact) moments of one part; absent orders are None. `second` is symmetric."""

    count: FloatArray | None
    total: FloatArray | None
    second: FloatArray | None


class CellMoments(SumQuery):
    """For each part and cell: the number of rows, the sum of x, and the upper triangle of the sum of xx'.

    `weights` are the shares of the orders (0, 1, 2) in the squared signal-to-noise; an order of weight 0 is
    left out. All numbers of one order get the same noise, in all parts; `norm` says for which norm the orders
    are balanced. Sensitivity: with scales s_k and u_mk = (b_mk / s_k)^2 for part m, a row has squared L2 norm
    at most sum u_mk, and a replaced row moves at most the sum over m of max(2 sum_k u_mk, 4 u_m1 + 2 u_m2).
    Proof: docs/proofs/cell_moments.md. A row with a non-finite entry counts with the zero vector; a row whose
    cell lies outside 0..cells-1 counts nothing.
    """

    proof = "docs/proofs/cell_moments.md"

    def __init__(
        self,
        *,
        columns: Sequence[str],
        parts: Sequence[MomentPart],
        weights: tuple[float, float, float],
        norm: Literal["L1", "L2"] = "L2",
    ) -> None:
        self.columns = tuple(columns)
        self.parts = tuple(parts)
        self.orders = tuple(order for order in ORDERS if weights[order] > 0)
        self.weights = weights
        self.norm = norm
        blocks = [(part, order) for part in self.parts for order in self.orders]
        sizes = [part.cells * part.numbers(order) for part, order in blocks]
        scales = {order: self._scale(order) for order in self.orders}
        self.shape = (sum(sizes),)
        self.grid = np.repeat([2.0 ** (-part.bits * order) for part, order in blocks], sizes)
        self.scale = np.repeat([scales[order] for _, order in blocks], sizes)
        self._state_bounds(scales)

    def _scale(self, order: int) -> float:
        if self.norm == "L1":
            return sum(part.bound_l1(order) for part in self.parts) / self.weights[order]
        return float(np.sqrt(sum(part.bound_l2(order) ** 2 for part in self.parts) / self.weights[order]))

    def _state_bounds(self, scales: dict[int, float]) -> None:
        """Bounds of the answer divided by `scale`; see the proof."""
        row, swap, absolute = 0.0, 0.0, 0.0
        for part in self.parts:
            squares = {order: (part.bound_l2(order) / scales[order]) ** 2 for order in self.orders}
            together = sum(squares.values())
            same_cell = 4.0 * squares.get(1, 0.0) + 2.0 * squares.get(2, 0.0)
            row += together
            swap += max(2.0 * together, same_cell)
            absolute += sum(part.bound_l1(order) / scales[order] for order in self.orders)
        self.row_l2 = float(np.sqrt(row)) * SLACK
        self.swap_l2 = float(np.sqrt(swap)) * SLACK
        self.row_l1 = absolute * SLACK
        self.swap_l1 = 2.0 * self.row_l1

    @abstractmethod
    def vectors(self, rows: Encoded) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield, part by part, the cell of every row and its vector, shapes (n,) and (n, width)."""

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Clip, round towards zero onto the grid, multiply out, and add up by cell; all exact."""
        sums = []
        for part, (cell, vectors) in zip(self.parts, self.vectors(rows), strict=True):
            units = bounded_units(vectors, part)
            sums += _sums_by_cell(cell, units, part.cells, self.orders)
        return np.concatenate(sums) if sums else np.zeros(0, dtype=np.int64)

    def split(self, values: FloatArray) -> list[Moments]:
        """Cut a released vector (or the standard deviations that belong to it) into moments by part."""
        place = 0
        moments = []
        for part in self.parts:
            found: list[FloatArray | None] = [None, None, None]
            for order in self.orders:
                size = part.cells * part.numbers(order)
                block = values[place : place + size].reshape(part.cells, -1)
                found[order] = block if order else block[:, 0]
                place += size
            second = None if found[2] is None else unfold(found[2], part.width)
            moments.append(Moments(count=found[0], total=found[1], second=second))
        return moments


def bounded_units(vectors: Floats, part: MomentPart) -> Floats:
    """Clip rows to the part's bounds and express them as whole multiples of 2^-bits.

    Rounding towards zero never lengthens a vector. Float arithmetic may leave a row a hair too long: norms in
    units are sums of small integers, so the check is exact, and such rows are shortened again.
    """
    finite = np.atleast_1d(np.isfinite(vectors).all(axis=1))
    # Row by row in memory: columns one after the other are added in another order for a row that is alone.
    inside = np.ascontiguousarray(np.clip(np.where(finite[:, None], vectors, 0.0), -1.0, 1.0))
    longest = np.maximum(
        np.linalg.norm(inside, axis=1) / part.radius, np.abs(inside).sum(axis=1) / part.reach
    )
    one = 2.0**part.bits
    units: Floats = np.trunc(inside / np.maximum(longest, 1.0)[:, None] * one)
    while True:
        squares: Floats = np.einsum("ij,ij->i", units, units)
        sums: Floats = np.abs(units).sum(axis=1)
        long = (squares > (part.radius * one) ** 2 * (1.0 + 1e-12)) | (
            sums > part.reach * one * (1.0 + 1e-12)
        )
        if not np.any(long):
            return units
        units[long] = np.trunc(units[long] * (1.0 - 1.0 / one))


def unfold(triangles: FloatArray, width: int) -> FloatArray:
    """Turn upper triangles, one per line, into symmetric matrices."""
    full = np.zeros((len(triangles), width, width))
    row, column = np.triu_indices(width)
    full[:, row, column] = triangles
    full[:, column, row] = triangles
    return full


def _sums_by_cell(cell: np.ndarray, units: Floats, cells: int, orders: Sequence[int]) -> list[IntArray]:
    """Sums of each order, cell by cell. Float64 holds these integers exactly for batches of 2^32 rows."""
    width = units.shape[1]
    upper = np.triu_indices(width)
    order_of_rows = np.argsort(cell, kind="stable")
    edges = np.searchsorted(cell[order_of_rows], np.arange(cells + 1))
    sums = {order: np.zeros((cells, (1, width, len(upper[0]))[order]), dtype=np.int64) for order in orders}
    for place in np.flatnonzero(np.diff(edges)):
        members = units[order_of_rows[edges[place] : edges[place + 1]]]
        if 0 in sums:
            sums[0][place] = len(members)
        if 1 in sums:
            sums[1][place] = members.sum(axis=0)
        if 2 in sums:
            sums[2][place] = (members.T @ members)[upper]
    return [sums[order].reshape(-1) for order in orders]
