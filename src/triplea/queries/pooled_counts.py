"""One histogram that several columns of the same public range share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplea.queries.base import IntArray, SumQuery
from triplea.queries.dyadic import leaf_of
from triplea.schema import Column, Encoded


class PooledCounts(SumQuery):
    """Counts of all values of m columns over 2^depth equal parts of the range that they share.

    A row adds m ones, which may fall into one cell: L2 and L1 norm at most m for add-or-remove; for
    replace-one sqrt(2) m and 2 m. Proof: docs/proofs/pooled_counts.md. Missing values count nothing.
    """

    proof = "docs/proofs/pooled_counts.md"

    def __init__(self, *, columns: Sequence[Column], depth: int) -> None:
        self.members = tuple(columns)
        self.depth = depth
        self.columns = tuple(column.name for column in columns)
        self.shape = (2**depth,)
        self.row_l1 = self.row_l2 = float(len(self.members))
        self.swap_l1 = 2.0 * self.row_l1
        self.swap_l2 = float(np.sqrt(2.0)) * self.row_l2

    def partial_sums(self, rows: Encoded) -> IntArray:
        """Count the values of one batch, column by column."""
        counts = np.zeros(self.shape, dtype=np.int64)
        for column in self.members:
            leaf, missing = leaf_of(rows[column.name], column=column, depth=self.depth)
            counts += np.bincount(leaf[~missing], minlength=2**self.depth)
        return counts


def same_range(columns: Sequence[Column]) -> bool:
    """Whether one histogram can serve all of these columns."""
    return len(columns) > 1 and len({(column.kind, column.lower, column.upper) for column in columns}) == 1
