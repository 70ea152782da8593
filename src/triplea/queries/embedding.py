"""Mean embeddings: for every class, the sum of its rows' features."""

from __future__ import annotations

from typing import final

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import Coordinates
from triplea.approximate.embeddings.random_features import Features
from triplea.queries.base import IntArray, SumQuery
from triplea.schema import Encoded, len_of

CIRCLE_BITS = 16  # angles are rounded to 2^-16 of a turn
UNIT_BITS = 15  # cosines and sines are whole multiples of 2^-15
ENTRIES = 1 << 21  # work on about this many waves at a time: 8 MiB an array


def circle_table() -> np.ndarray:
    """Cosine and sine of 2^16 angles as whole numbers, every point inside the circle of radius 2^15.

    Lengths are checked in whole numbers, so the bound does not rest on any library's cosine.
    """
    angles = np.arange(2**CIRCLE_BITS) * (2.0 * np.pi / 2**CIRCLE_BITS)
    points = np.round((2**UNIT_BITS - 1) * np.stack([np.cos(angles), np.sin(angles)])).astype(np.int64)
    assert int((points**2).sum(axis=0).max()) <= 4**UNIT_BITS
    return np.asarray(points, dtype=np.int32)


CIRCLE = circle_table()


class Embedding(SumQuery):
    """For every class, the sum over its rows of (1, one-hot codes, cosines, sines).

    With weights w of the parts: scaled by them, a row's vector has L2 norm at most r = sqrt(sum w^2) and
    moves the entries of one class only. Add or remove a row: r. Replace it: sqrt(2) r when the class changes;
    else the constant cancels, one-hot parts move by sqrt(2) and points on the circle by 2, so sqrt(2 B + 4 W)
    with B and W the sums of w^2 over blocks and waves. Proof: docs/proofs/embedding.md. No clipping is
    needed: every part is taken from a table of short whole-number vectors. A row whose class lies outside
    counts nothing.
    """

    proof = "docs/proofs/embedding.md"

    def __init__(
        self,
        *,
        coordinates: Coordinates,
        features: Features,
        label: str | None = None,
        classes: Binning | None = None,
    ) -> None:
        self.coordinates = coordinates
        self.features = features
        self.label = label
        self.classes = classes
        cells = 1 if classes is None else classes.cells
        names = coordinates.columns if label is None else (label, *coordinates.columns)
        self.columns = tuple(dict.fromkeys(names))
        self.shape = (cells, features.width)
        flags, waves = features.flags, 2 * features.waves
        grid = np.concatenate([np.ones(flags), np.full(waves, 2.0**-UNIT_BITS)])
        self.grid = np.broadcast_to(grid, self.shape)
        self.scale = np.broadcast_to(1.0 / features.weights, self.shape)
        count, blocks, turns = features.count_weight, features.block_weights, features.wave_weights
        block, wave = float(blocks @ blocks), float(turns @ turns)
        whole = count**2 + block + wave
        self.row_l2 = float(np.sqrt(whole))
        self.swap_l2 = float(np.sqrt(max(2.0 * whole if cells > 1 else whole, 2.0 * block + 4.0 * wave)))
        self.row_l1 = float(count + blocks.sum() + np.sqrt(2.0) * turns.sum())
        self.swap_l1 = 2.0 * self.row_l1

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Add up the features of one batch, some rows at a time: memory does not grow with features."""
        total = np.zeros(self.shape, dtype=np.int64)
        n = len_of(rows)
        step = max(1, ENTRIES // max(self.features.waves, 64))
        for start in range(0, n, step):
            self._add({name: column[start : start + step] for name, column in rows.items()}, total)
        return total

    def _add(self, rows: Encoded, total: IntArray) -> None:
        numbers, codes = self.coordinates.encode(rows)
        cell = self._cells(rows, len(numbers))
        order = np.argsort(cell, kind="stable")
        present, starts = np.unique(cell[order], return_index=True)
        inside = (present >= 0) & (present < len(total))
        flags, waves = self.features.flags, self.features.waves
        for found, begin, end in zip(present, starts, [*starts[1:], len(cell)], strict=True):
            if inside[np.searchsorted(present, found)]:
                total[found, :flags] += self._counted(codes[order[begin:end]])
        if not waves:
            return
        phases = self.features.phases(numbers[order], codes[order])
        place = (phases >> (32 - CIRCLE_BITS)) & (2**CIRCLE_BITS - 1)
        for part in (0, 1):
            added = np.add.reduceat(CIRCLE[part][place], starts, axis=0, dtype=np.int64)
            columns = slice(flags + part * waves, flags + (part + 1) * waves)
            total[present[inside], columns] += added[inside]

    def _cells(self, rows: Encoded, n: int) -> np.ndarray:
        if self.label is None or self.classes is None:
            return np.zeros(n, dtype=np.int64)
        return np.asarray(self.classes.assign(rows[self.label]), dtype=np.int64)

    def _counted(self, codes: np.ndarray) -> IntArray:
        """The number of rows, then the counts of every block's cells; a code outside counts nothing."""
        parts = [np.array([len(codes)], dtype=np.int64)]
        for block, cells in enumerate(self.features.blocks):
            code = codes[:, block]
            parts.append(np.bincount(code[(code >= 0) & (code < cells)], minlength=cells).astype(np.int64))
        return np.concatenate(parts)
