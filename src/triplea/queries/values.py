"""Counts of exact values: which numbers occur so often that they mean something?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from triplea.queries.counts import Counts
from triplea.schema import Column, Encoded


class ValueCounts(Counts):
    """One histogram over public candidate values; a row with any other value counts nothing.

    Bounds and proof: those of `Counts` with one histogram.
    """

    def __init__(self, *, column: Column, candidates: np.ndarray) -> None:
        self.candidates = candidates
        self._all_codes = column.size == len(candidates)
        super().__init__(columns=(column.name,), sizes=[len(candidates)])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the candidate that every row's value equals, or a cell outside the histogram."""
        values = rows[self.columns[0]]
        if self._all_codes:
            yield values
            return
        near = np.minimum(np.searchsorted(self.candidates, values), len(self.candidates) - 1)
        yield np.where(self.candidates[near] == values, near, -1)


def candidate_values(column: Column, *, most: int) -> np.ndarray:
    """List the values of a column that could be atoms, from public knowledge alone.

    All of them for a countable column, or a numeric one with stated decimals, of at most `most` values;
    otherwise the ends of the range and zero.
    """
    if column.size is not None:
        return np.arange(column.size) if column.size <= most else np.array([0, column.size - 1])
    lower, upper = float(column.lower or 0.0), float(column.upper or 0.0)
    if column.decimals is not None and (upper - lower) * 10**column.decimals < most:
        ticks = np.arange(np.ceil(lower * 10**column.decimals), np.floor(upper * 10**column.decimals) + 1)
        return np.asarray(np.round(ticks / 10**column.decimals, column.decimals))
    special = {lower, upper} | ({0.0} if lower < 0.0 < upper else set())
    return np.array(sorted(special))
