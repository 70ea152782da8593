"""Histograms over one or several binned columns at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np

from triplea.approximate.codes.binning import CellMap
from triplea.queries.counts import Counts
from triplea.schema import Encoded


class Marginals(Counts):
    """Joint counts for each group of columns: ("age",), ("income", "age"), ...

    Cells of a group are numbered in row-major order over its columns' binnings. Bounds and proof:
    those of `Counts` with one histogram per group.
    """

    def __init__(
        self,
        *,
        groups: Sequence[tuple[str, ...]],
        binnings: Mapping[str, CellMap],
        scales: Sequence[float] | None = None,
    ) -> None:
        self.groups = tuple(groups)
        self.binnings = dict(binnings)
        used = tuple(dict.fromkeys(name for group in self.groups for name in group))
        super().__init__(columns=used, sizes=[prod(self.table_shape(g)) for g in self.groups], scales=scales)

    def table_shape(self, group: tuple[str, ...]) -> tuple[int, ...]:
        """Number of cells along each column of a group."""
        return tuple(self.binnings[name].cells for name in group)

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the joint cell of every row, group by group."""
        single = {name: self.binnings[name].assign(rows[name]) for name in self.columns}
        for group in self.groups:
            joint = single[group[0]]
            for name in group[1:]:
                joint = joint * np.int64(self.binnings[name].cells) + single[name]
            yield joint

    def tables(self, values: np.ndarray) -> dict[tuple[str, ...], np.ndarray]:
        """Cut the released vector into one table per group."""
        parts = self.split(values)
        return {
            group: part.reshape(self.table_shape(group))
            for group, part in zip(self.groups, parts, strict=True)
        }
