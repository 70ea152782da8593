"""Counts of a column's leaves, and of ever larger runs of leaves, for columns that need cells chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.queries.counts import Counts
from triplea.queries.stacked import Stacked
from triplea.schema import Encoded

BRANCHING = 16
LONG = 128  # columns with more leaves than this get more of the budget: atoms hide in them
LONG_WEIGHT = 2.8
COARSE_WEIGHT = 0.5  # of a level above the leaves, relative to the leaves


def run_lengths(leaves: int) -> list[int]:
    """Lengths of the runs of leaves that are counted, longest first, ending with single leaves.

    >>> run_lengths(300)
    [256, 16, 1]
    """
    lengths = [1]
    while leaves / lengths[-1] > BRANCHING:
        lengths.append(lengths[-1] * BRANCHING)
    return lengths[::-1]


class LeafCounts(Counts):
    """One histogram per run length over a column's leaves; the missing value has a cell of its own in each.

    Bounds and proof: those of `Counts` with one histogram per run length.
    """

    def __init__(self, *, column: str, leaves: Binning, lengths: Sequence[int]) -> None:
        self.leaves = leaves
        self.lengths = tuple(lengths)
        self.runs = [-(-leaves.intervals // length) for length in self.lengths]
        super().__init__(columns=(column,), sizes=[runs + int(leaves.nullable) for runs in self.runs])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the run of leaves that every row falls in, longest runs first."""
        leaf = self.leaves.assign(rows[self.columns[0]])
        missing = leaf == self.leaves.missing_cell
        for length, runs in zip(self.lengths, self.runs, strict=True):
            yield np.where(missing, runs, leaf // length)


class ColumnTrees(Stacked):
    """The leaf counts of several columns as one question.

    `leaves` names the columns to ask about; unordered ones (categories) are counted leaf by leaf only.
    """

    def __init__(self, *, leaves: dict[str, Binning], ordered: dict[str, bool]) -> None:
        self.names = list(leaves)
        parts: list[Counts] = []
        scales: list[float] = []
        for name, fine in leaves.items():
            lengths = run_lengths(fine.intervals) if ordered[name] else [1]
            weight = LONG_WEIGHT if ordered[name] and fine.intervals > LONG else 1.0
            for length in lengths:
                parts.append(LeafCounts(column=name, leaves=fine, lengths=[length]))
                scales.append(1.0 / (weight * (1.0 if length == 1 else COARSE_WEIGHT)))
        super().__init__(parts=parts, scales=scales)

    def by_column(self, values: np.ndarray) -> dict[str, list[np.ndarray]]:
        """Cut released values (or their noise) into each column's levels, longest runs first."""
        levels: dict[str, list[np.ndarray]] = {name: [] for name in self.names}
        for part, piece in zip(self.parts, self.split_parts(values), strict=True):
            levels[part.columns[0]].append(piece)
        return levels
