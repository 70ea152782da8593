"""What ClustMix asks about mixed tables: for every cell of rows, the counts of every column's bins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from triplea.approximate.codes.binning import CellMap
from triplea.approximate.mixtures.row_cells import RowCells
from triplea.queries.counts import Counts
from triplea.schema import Encoded


class CellTables(Counts):
    """One histogram per column over (cell, bin): the noisy sums of one-hot rows by cell.

    A row is in one cell and, in it, in one bin of every column. Bounds and proof: those of `Counts` with one
    histogram per column. Without columns the cells themselves are counted.
    """

    def __init__(
        self,
        *,
        cells: RowCells,
        label: str | None,
        features: Sequence[str],
        binnings: Mapping[str, CellMap],
    ) -> None:
        self.rule = cells
        self.label = label
        self.features = tuple(features)
        self.binnings = {name: binnings[name] for name in (*features, *([label] if label else []))}
        groups = len(cells.owner)
        widths = [self.binnings[name].cells for name in self.features] or [1]
        super().__init__(columns=tuple(self.binnings), sizes=[groups * width for width in widths])

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the (cell, bin) of every row, column by column."""
        codes = {name: self.binnings[name].assign(rows[name]) for name in self.features}
        n = len(next(iter(rows.values())))
        klass = self.binnings[self.label].assign(rows[self.label]) if self.label else np.zeros(n)
        cell = self.rule.assign(klass.astype(np.int64), codes)
        if not codes:
            yield cell
        for name, code in codes.items():
            inside = cell * np.int64(self.binnings[name].cells) + code
            yield np.where(cell >= 0, inside, -1)

    def tables(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Cut the released vector into one table (cells x bins) per column; without columns under ""."""
        groups = len(self.rule.owner)
        names = self.features or ("",)
        return {name: part.reshape(groups, -1) for name, part in zip(names, self.split(values), strict=True)}
