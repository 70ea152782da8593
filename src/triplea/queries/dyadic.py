"""Counts of one column at several resolutions: the raw material for quantiles and bins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triplea.approximate.codes.dyadic import quantiles_from_counts
from triplea.queries.counts import Counts
from triplea.schema import Column, Encoded


class DyadicCounts(Counts):
    """For each level l, counts over 2^l equal parts of the column's public range, then the missing cell.

    A row is in one cell of each level: L2 sensitivity sqrt(levels). Proof: docs/proofs/counts.md.
    """

    def __init__(self, *, column: Column, levels: Sequence[int]) -> None:
        self.column = column
        self.levels = tuple(levels)
        extra = int(column.nullable)
        super().__init__(columns=(column.name,), sizes=[2**level + extra for level in self.levels])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the part of the range that every row falls in, level by level."""
        values = rows[self.column.name]
        finest = max(self.levels)
        leaf, missing = leaf_of(values, column=self.column, depth=finest)
        for level in self.levels:
            yield np.where(missing, 2**level, leaf >> (finest - level))

    def levels_of(self, values: np.ndarray) -> list[np.ndarray]:
        """Cut released counts into levels, without the missing cells."""
        return [counts[: 2**level] for level, counts in zip(self.levels, self.split(values), strict=True)]

    def quantiles(self, values: np.ndarray, probabilities: Sequence[float]) -> np.ndarray:
        """Read quantiles off released counts of levels 1, 2, ..., L."""
        return quantiles_from_counts(self.column, self.split(values), probabilities)


def leaf_of(values: np.ndarray, *, column: Column, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each value's part among 2^depth equal parts of the public range, and which are missing."""
    parts = 2**depth
    if column.size is not None:
        missing = values >= column.size
        leaf = np.floor(values.astype(np.float64) * (parts / column.size)).astype(np.int64)
    else:
        missing = np.isnan(values)
        lower, upper = float(column.lower or 0.0), float(column.upper or 0.0)
        width = max(upper - lower, np.finfo(float).tiny)
        leaf = np.floor((np.where(missing, lower, values) - lower) / width * parts).astype(np.int64)
    return np.clip(leaf, 0, parts - 1), missing
