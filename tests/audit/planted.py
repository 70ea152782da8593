"""Methods that leak, each by one mistake that published code has made. The replay must find every one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.methods._base import Cost, Method
from triplea.queries import Marginals, Scores, SumQuery
from triplea.schema import Encoded, Schema, Unit

COUNTS, AGAIN = "counts", "counts again"


class Toy(Method):
    """An honest method: one question, one model. Every planted mistake overrides one piece of it."""

    name = "toy"
    title = summary = "a toy"

    def __init__(self) -> None: ...

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        gaussian = Mechanism.GAUSSIAN
        return Plan(asks=(Ask(label=COUNTS, mechanism=gaussian), Ask(label=AGAIN, mechanism=gaussian)))

    def cost(self, schema: Schema, rows: int) -> Cost:
        return Cost(seconds=0, mebibytes=0, cells=0)

    def binnings(self, schema: Schema) -> dict[str, Binning]:
        return {c.name: each_value(c) if c.is_discrete else equal_width(c, 8) for c in schema.columns}

    def query(self, schema: Schema) -> Marginals:
        return Marginals(groups=[(name,) for name in schema.names], binnings=self.binnings(schema))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        query = self.query(door.schema)
        return self.build(query, door.measure(query, label=COUNTS).values)

    def build(self, query: Marginals, values: np.ndarray) -> Self:
        tables = {group[0]: np.maximum(table, 0.5)[None] for group, table in query.tables(values).items()}
        self.rows_ = float(sum(table.sum() for table in tables.values())) / len(tables)
        self.model_ = ProductMixture(weights=np.ones(1), tables=tables, binnings=query.binnings)
        return self


class Peek(Marginals):
    """A query that remembers what it saw: state that no price covers."""

    def __init__(self, query: Marginals) -> None:
        super().__init__(groups=query.groups, binnings=query.binnings)
        self.seen: list[Encoded] = []

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        self.seen.append(rows)
        yield from super().cells(rows)

    def column(self, name: str) -> np.ndarray:
        return np.concatenate([rows[name] for rows in self.seen]) if self.seen else np.zeros(0)


class PeekingToy(Toy):
    """Asks honestly, then goes on with what the query remembers."""

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        peek = Peek(self.query(door.schema))
        values = door.measure(peek, label=COUNTS).values
        return self.leak(door, peek, values)

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        raise NotImplementedError


class BinEdgeFromRows(PeekingToy):
    """The last edge of a column's bins is the largest value seen."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        largest = int(max(peek.column("age"), default=0)) + 1
        edges = np.unique(np.linspace(0, largest, 5).astype(np.int64))
        bins = {**peek.binnings, "age": Binning(edges=np.append(edges, 121), nullable=False, countable=True)}
        query = Marginals(groups=peek.groups, binnings=bins)
        return self.build(query, door.measure(query, label=AGAIN).values)


class ExtraQuestionOnMissing(PeekingToy):
    """Asks once more when a value is missing."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        if np.isnan(peek.column("score")).any():
            door.measure(self.query(door.schema), label=AGAIN)
        return self.build(peek, values)


class OneQuestionFewerOnMissing(PeekingToy):
    """Stops early when a value is missing."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        if not np.isnan(peek.column("score")).any():
            door.measure(self.query(door.schema), label=AGAIN)
        return self.build(peek, values)


class ExactClassCount(PeekingToy):
    """Asks about the classes that occur, so the number of cells says how many do."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        classes = len(np.unique(peek.column("ward")))
        ward = Binning(edges=np.append(np.arange(classes), 4), nullable=False, countable=True)
        query = Marginals(groups=peek.groups, binnings={**peek.binnings, "ward": ward})
        return self.build(query, door.measure(query, label=AGAIN).values)


class ExactRowCount(PeekingToy):
    """As many synthetic rows as real ones."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        self.build(peek, values)
        self.rows_ = float(len(peek.column("age")))
        return self


class ErrorFromARow(PeekingToy):
    """Complains about a value."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        if peek.column("age").max(initial=0) > 110:
            raise ValueError(f"age {peek.column('age').max()} is too high")
        return self.build(peek, values)


class SkipsEmptyCells(PeekingToy):
    """Noise only on what occurs: cells that no row is in are set to zero."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        present = np.unique(peek.column("ward")).astype(int)
        for name, table in peek.tables(values).items():
            if name == ("ward",):
                table[np.setdiff1d(np.arange(len(table)), present)] = 0.0
        return self.build(peek, values)


class UnderstatedBound(Toy):
    """Four histograms for the price of one."""

    def query(self, schema: Schema) -> Marginals:
        query = super().query(schema)
        query.row_l2 = query.row_l1 = 1.0
        query.swap_l2, query.swap_l1 = float(np.sqrt(2)), 2.0
        return query


class UnclippedSum(SumQuery):
    """A mean of a numeric column: NaN passes the clip and ends in the sum."""

    columns, shape, proof, grid = ("score",), (1,), "none", 2.0**-20
    row_l1 = row_l2 = 1.0
    swap_l1 = swap_l2 = 2.0

    def partial_sums(self, rows: Encoded) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            units = np.clip(rows["score"], -1, 1).sum() / self.grid
            return np.asarray([units]).astype(np.int64)


class NanThroughTheClip(Toy):
    """Uses the sum above."""

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        door.measure(UnclippedSum(), label=AGAIN)
        return super().fit(door, rng=rng)


class DividesByBatchSize(Marginals):
    """One row's part depends on how many others there are."""

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        for cell in super().cells(rows):
            yield (cell + len(cell)) % 3


class MixesRows(Toy):
    """Uses the query above."""

    def query(self, schema: Schema) -> Marginals:
        honest = super().query(schema)
        return DividesByBatchSize(groups=honest.groups, binnings=honest.binnings)


class AroundTheDoor(Toy):
    """Reads the rows past the door, and puts a real value into the model."""

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        ages = door._engine.whole(door._table, door.schema)["age"]
        super().fit(door, rng=rng)
        atom = Binning(edges=np.array([0, 121]), atoms=ages[-1:], nullable=False, countable=True)
        self.model_.binnings["age"] = atom
        self.model_.tables["age"] = np.full((1, atom.cells), 1 / atom.cells)
        return self


class NoiseScaleFromRows(Toy):
    """The relative noise follows the data."""

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        largest = float(door._engine.whole(door._table, door.schema)["age"].max(initial=1))
        honest = self.query(door.schema)
        scales = [largest] * len(honest.groups)
        query = Marginals(groups=honest.groups, binnings=honest.binnings, scales=scales)
        return self.build(query, door.measure(query, label=COUNTS).values)


class ForgetsTheUnit(Toy):
    """Talks the door into pricing one row where a person has several."""

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        assert door.schema.unit is not None
        door.schema = replace(door.schema, unit=Unit(column=door.schema.unit.column, max_rows=1))
        return super().fit(door, rng=rng)


class SteepScores(Scores):
    """Scores that move by a hundred, stated as one."""

    proof, size, row_bound, swap_bound = "none", 2, 1.0, 1.0

    def __init__(self, sums: SumQuery) -> None:
        self.sums = sums

    def scores(self, units: np.ndarray) -> np.ndarray:
        return np.array([100.0 * units.sum(), 0.0])


class ChoosesByUnderstatedScores(Toy):
    """Picks with the scores above."""

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        return Plan(
            asks=(*super().plan(schema, budget).asks, Ask(label="pick", mechanism=Mechanism.EXPONENTIAL))
        )

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        door.choose(SteepScores(self.query(door.schema)), label="pick")
        return super().fit(door, rng=rng)


class StatisticInANote(PeekingToy):
    """Writes an exact mean into the certificate."""

    def leak(self, door: Door, peek: Peek, values: np.ndarray) -> Self:
        self.notes_ = (f"mean age {peek.column('age').mean():.3f}",)
        return self.build(peek, values)


PLANTED = [
    BinEdgeFromRows,
    ExtraQuestionOnMissing,
    OneQuestionFewerOnMissing,
    ExactClassCount,
    ExactRowCount,
    ErrorFromARow,
    SkipsEmptyCells,
    UnderstatedBound,
    NanThroughTheClip,
    MixesRows,
    AroundTheDoor,
    NoiseScaleFromRows,
    ChoosesByUnderstatedScores,
    StatisticInANote,
]
