"""The shared body of the two counting methods: bins, counts, and a mixture with one component per class."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.binning import Binning
from triplea.approximate.mixtures.denoise import class_tables, combine_totals
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.methods._base import Cost, Method, measuring
from triplea.methods._checks import check_cells, check_fraction, check_whole
from triplea.queries.bins import BinCounts
from triplea.queries.marginals import Marginals
from triplea.schema import Schema

BINS = "bins of numeric columns"
COUNTS = "counts"
TARGET_BINS = 10  # a numeric target is cut into about this many classes


class ProductMethod(Method):
    """Counts of every column, by class where there is a label; columns independent within a class."""

    def __init__(self, *, bins_share: float = 0.2, most_bins: int = 32, max_cells: int = 20_000_000) -> None:
        self.bins_share = bins_share
        self.most_bins = most_bins
        self.max_cells = max_cells

    @abstractmethod
    def label(self, schema: Schema) -> str | None:
        """Name the column whose classes become components."""

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for bins, where a column needs them, and for the counts."""
        check_fraction("bins_share", self.bins_share)
        check_whole("most_bins", self.most_bins, least=2, most=4096)
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)
        bins = [measuring(budget, BINS, share=self.bins_share)] if self._bins(schema).needed else []
        return Plan(asks=(*bins, measuring(budget, COUNTS, share=1.0 - self.bins_share)))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Release bins, then counts; the model is a mixture of products of the denoised counts."""
        del rng
        binnings = self._choose_bins(door)
        label = self.label(door.schema)
        features = [name for name in door.schema.names if name != label]
        groups = [(label, name) for name in features] if label else [(name,) for name in features]
        query = Marginals(groups=groups or [(str(label),)], binnings=binnings)
        counts = door.measure(query, label=COUNTS)

        spread = float(np.max(counts.stddev))
        classes = binnings[label].cells if label else 1
        tables = [table.reshape(classes, -1) for table in query.tables(counts.values).values()]
        totals = combine_totals(tables, [spread] * len(tables))
        clean = {
            name: class_tables(table, totals, spread) for name, table in zip(features, tables, strict=False)
        }
        if label:
            clean[label] = np.eye(classes)
        self.rows_ = float(totals.sum())
        ordered = {name: clean[name] for name in door.schema.names}
        self.model_ = ProductMixture(weights=totals, tables=ordered, binnings=binnings)
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Two passes over the rows; memory for the counts of all cells."""
        label = self.label(schema)
        classes = self._most_cells(schema, label) if label else 1
        counted = sum(self._most_cells(schema, name) for name in schema.names if name != label)
        cells = self._bins(schema).shape[0] + classes * max(counted, 1)
        seconds = 0.5 + 2e-7 * cells + 6e-8 * rows * len(schema.columns)
        return Cost(seconds=seconds, mebibytes=250 + 40 * cells / 2**20, cells=cells)

    def _bins(self, schema: Schema) -> BinCounts:
        label = self.label(schema)
        most = {name: TARGET_BINS if name == label else self.most_bins for name in schema.names}
        return BinCounts(schema=schema, most=most)

    def _choose_bins(self, door: Door) -> dict[str, Binning]:
        bins = self._bins(door.schema)
        if not bins.needed:
            return bins.choose(np.zeros(0), 0.0)
        released = door.measure(bins, label=BINS)
        return bins.choose(released.values, released.stddev)

    def _most_cells(self, schema: Schema, name: str) -> int:
        column = schema.column(name)
        bins = TARGET_BINS if name == self.label(schema) else self.most_bins
        return column.cells if column.is_discrete else min(column.size or bins, 2 * bins) + 1
