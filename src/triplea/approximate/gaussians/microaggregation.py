"""MDAV: groups of at least k similar rows (Domingo-Ferrer and Mateo-Sanz; "maximum distance to average").

Which group a row falls in depends on all other rows, so a partition by MDAV is not private by itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def mdav(vectors: Floats, k: int) -> NDArray[np.int64]:
    """Return the group of every row: k rows each, the last up to 2k - 1; fewer than 2k rows are one group.

    While 3k rows or more are left: the row r farthest from the centre takes its k - 1 nearest, then the row
    farthest from r takes its own. With 2k to 3k - 1 left, r's group and the rest; with fewer, the rest.
    Rows that are left are kept together in memory, and a step costs three matrix-vector products over them.
    """
    n = len(vectors)
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    left = _Left(vectors)
    group = np.zeros(n, dtype=np.int64)
    label = 0
    while left.size >= 3 * k:
        r = left.farthest_from(left.centre())
        s_vector = left.vector(r)
        group[left.take_nearest(s_vector, k)] = label
        s = left.farthest_from(s_vector)
        group[left.take_nearest(left.vector(s), k)] = label + 1
        label += 2
    if left.size >= 2 * k:
        r = left.farthest_from(left.centre())
        group[left.take_nearest(left.vector(r), k)] = label
        label += 1
    group[left.rows[: left.size]] = label
    return group


class _Left:
    """The rows not yet grouped, in the first `size` places of compact arrays."""

    def __init__(self, vectors: Floats) -> None:
        centred = vectors - vectors.mean(axis=0)  # small numbers: squared distances lose fewer digits
        self.vectors = np.ascontiguousarray(centred, dtype=np.float64)
        self.squares = np.einsum("ij,ij->i", self.vectors, self.vectors)
        self.rows = np.arange(len(vectors))
        self.total = self.vectors.sum(axis=0)
        self.size = len(vectors)

    def centre(self) -> Floats:
        return np.asarray(self.total / self.size)

    def vector(self, place: int) -> Floats:
        return np.array(self.vectors[place])

    def _distances(self, point: Floats) -> Floats:
        """Squared distances to a point, up to the point's own square."""
        return np.asarray(self.squares[: self.size] - 2.0 * (self.vectors[: self.size] @ point))

    def farthest_from(self, point: Floats) -> int:
        return int(np.argmax(self._distances(point)))

    def take_nearest(self, point: Floats, k: int) -> NDArray[np.int64]:
        """Remove the k rows nearest to a point and return their original numbers."""
        distances = self._distances(point)
        places = np.argpartition(distances, k - 1)[:k] if k < self.size else np.arange(self.size)
        taken = self.rows[places].copy()
        self.total = self.total - self.vectors[places].sum(axis=0)
        self._remove(places)
        return taken

    def _remove(self, places: NDArray[np.int64]) -> None:
        """Fill the holes with the last rows."""
        kept = self.size - len(places)
        holes = places[places < kept]
        tail = np.setdiff1d(np.arange(kept, self.size), places, assume_unique=True)
        self.vectors[holes] = self.vectors[tail]
        self.squares[holes] = self.squares[tail]
        self.rows[holes] = self.rows[tail]
        self.size = kept
