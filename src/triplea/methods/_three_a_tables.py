"""The provable 3A on mixed tables: cells of rows within classes, and the noisy sums of their one-hot rows.

Private: queries.bins and queries.cell_tables count.   Door: bins of numeric columns, tables of the classes,
then as many rounds of tables of the cells.   Public: everything between the questions.

1. code:      every column as bins; a row is a one-hot vector
2. classes:   noisy tables of every class; their sizes say how many cells each can afford
3. cells:     rounds of: rows go to the cell under which they are likeliest; noisy tables of the cells
4. adapt:     the cells' means are moved for a learner's sake; its targets are draws from the released cells
5. rows:      a cell by its noisy size, then every column by the cell's shares
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.anonymize.plan import Ask
from triplea.approximate.cell_stages import CellFit, CellStage
from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.mixtures.cell_estimates import Components, NoisyTables, cells_from, classes_from
from triplea.approximate.mixtures.class_rules import LikelyTables
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.approximate.mixtures.row_cells import RowCells, WholeClasses, cells_per_class
from triplea.methods._base import measuring
from triplea.methods._three_a_adapting import Cells, Stage, moved_points
from triplea.queries.bins import BinCounts
from triplea.queries.cell_tables import CellTables
from triplea.schema import Encoded, Schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
BINS, CLASSES, CELLS = "bins of numeric columns", "tables of the classes", "tables of the cells"
TARGET_BINS = 10  # a numeric target is cut into about so many classes
MOST_BINS = 32  # and a feature into so many bins
TARGETS = 2_000  # draws from the released cells to which their means are adapted


def table_asks(schema: Schema, budget: Budget, anonymize: NoisyCells, *, rounds: int) -> tuple[Ask, ...]:
    """The questions in their order. Without features there are classes to count, and nothing else."""
    asks = [measuring(budget, BINS, share=anonymize.codes_share)] if _bins(schema).needed else []
    asks.append(measuring(budget, CLASSES, share=anonymize.classes_share))
    if _features(schema):
        asks.append(replace(measuring(budget, CELLS, share=anonymize.cells_share), times=rounds))
    return tuple(asks)


def table_cells(schema: Schema, *, clusters: int, rounds: int) -> int:
    """How many numbers are released, at most."""
    sizes = [_most_cells(schema, name) for name in _features(schema)] or [1]
    classes = _most_cells(schema, schema.target) if schema.target else 1
    return _bins(schema).shape[0] + classes * sum(sizes) * (1 + clusters * rounds)


def fit_tables(
    door: Door,
    *,
    approximate: CellStage,
    adapt: Stage,
    anonymize: NoisyCells,
    rng: np.random.Generator,
) -> CellFit:
    """Ask the questions, one after the other, and make the mixture of the cells."""
    tables = _Tables(door)
    classes = tables.ask(WholeClasses(classes=tables.classes), CLASSES)
    cells, owner, least = classes_from(classes), np.arange(tables.classes), 0.0
    if tables.features:
        least = anonymize.least_size(door.count_noise(len(tables.features), label=CELLS))
        owner = np.repeat(owner, cells_per_class(cells.rows, least=least, most=approximate.clusters))
        cells = _in_rounds(tables, classes, owner, approximate, rng)
        cells = _adapted(tables, cells, owner, adapt, rng)
    return CellFit(model=tables.model(cells, owner), rows=cells.rows, owner=owner, least=least)


class _Tables:
    """The columns as bins, and the question about cells of rows."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.label, self.features = door.schema.target, _features(door.schema)
        self.binnings = _choose_bins(door)
        self.classes = self.binnings[self.label].cells if self.label else 1

    def ask(self, rule: RowCells, label: str) -> NoisyTables:
        query = CellTables(cells=rule, label=self.label, features=self.features, binnings=self.binnings)
        released = self.door.measure(query, label=label)
        return NoisyTables(tables=query.tables(released.values), stddev=float(np.max(released.stddev)))

    def read(self, rows: Encoded) -> tuple[Whole, Floats]:
        """Classes of rows and their one-hot vectors, for a private run that reads them."""
        hot = [self.binnings[name] for name in self.features]
        blocks = [np.eye(b.cells)[b.assign(rows[name])] for b, name in zip(hot, self.features, strict=True)]
        count = len(blocks[0])
        klass = self.binnings[self.label].assign(rows[self.label]) if self.label else np.zeros(count)
        return klass.astype(np.int64), np.concatenate(blocks, axis=1)

    def model(self, cells: Components, owner: Whole) -> ProductMixture:
        """A mixture of the cells, each of which knows its class."""
        shares = dict(cells.shares)
        if self.label is not None:
            shares[self.label] = np.eye(self.classes)[owner]
        ordered = {name: shares[name] for name in self.door.schema.names}
        return ProductMixture(weights=cells.rows, tables=ordered, binnings=self.binnings)


def _in_rounds(
    tables: _Tables, classes: NoisyTables, owner: Whole, approximate: CellStage, rng: np.random.Generator
) -> Components:
    """The cells after rounds of: rows go to the cell under which they are likeliest; noisy tables of them.

    Cells of a class add up to it, so every round tells about the classes too.
    """
    cells = classes_from(classes)
    schema = tables.door.schema
    ordered = {name: not schema.column(name).is_discrete for name in tables.features}
    rule = approximate.first(cells, owner, ordered=ordered, rng=rng)
    for turn in range(approximate.rounds):
        rule = approximate.next(cells, owner, rule) if turn else rule
        counted = tables.ask(rule, CELLS)
        classes = classes.averaged(counted.summed(owner, tables.classes))
        cells = cells_from(counted, owner, classes_from(classes))
    return cells


def _adapted(
    tables: _Tables, cells: Components, owner: Whole, adapt: Stage, rng: np.random.Generator
) -> Components:
    """Move the cells' shares; what comes out are shares again."""
    drawn = rng.choice(len(owner), TARGETS, p=cells.rows / cells.rows.sum())

    def shares_of(points: Floats) -> dict[str, Floats]:
        ends = np.cumsum([table.shape[1] for table in cells.shares.values()])[:-1]
        parts = zip(cells.shares, np.split(points, ends, axis=1), strict=True)
        return {name: np.array([to_simplex(line, 1.0) for line in part]) for name, part in parts}

    def rule(points: Floats) -> LikelyTables:
        shares = shares_of(points)
        return LikelyTables(owner=owner, weights=cells.rows, tables=shares, binnings=tables.binnings)

    released = Cells(
        points=np.concatenate(list(cells.shares.values()), axis=1),
        owner=owner,
        rows=cells.rows,
        targets=np.concatenate([_one_hot_draws(t[drawn], rng) for t in cells.shares.values()], axis=1),
        target_labels=owner[drawn],
        read=tables.read,
        rule=rule,
        classes=tables.binnings[tables.label] if tables.label else None,
    )
    return replace(cells, shares=shares_of(moved_points(tables.door, adapt, released, rng=rng)))


def _one_hot_draws(shares: Floats, rng: np.random.Generator) -> Floats:
    """One draw per line, as a one-hot line."""
    ends = np.cumsum(shares, axis=1)
    spot = rng.random((len(shares), 1)) * ends[:, -1:]
    chosen = np.minimum((ends <= spot).sum(axis=1), shares.shape[1] - 1)
    return np.asarray(np.eye(shares.shape[1])[chosen])


def _features(schema: Schema) -> list[str]:
    return [name for name in schema.names if name != schema.target]


def _bins(schema: Schema) -> BinCounts:
    most = {name: TARGET_BINS if name == schema.target else MOST_BINS for name in schema.names}
    return BinCounts(schema=schema, most=most)


def _choose_bins(door: Door) -> dict[str, Binning]:
    bins = _bins(door.schema)
    if not bins.needed:
        return bins.choose(np.zeros(0), 0.0)
    released = door.measure(bins, label=BINS)
    return bins.choose(released.values, released.stddev)


def _most_cells(schema: Schema, name: str) -> int:
    column = schema.column(name)
    bins = TARGET_BINS if name == schema.target else MOST_BINS
    return column.cells if column.is_discrete else min(column.size or bins, 2 * bins) + 1
