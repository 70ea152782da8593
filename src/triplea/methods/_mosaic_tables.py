"""The flagship on mixed tables.

Private: queries.leaf_counts and queries.marginals count, queries.teacher_residuals adds.   Door: five
measurements (leaves of the columns, (label, feature) tables, tables of all pairs of features, and what the
teacher misses by feature and by pair of features).
Approximate: a mixture of products fitted to all pairs.   Adapt: labels from a teacher fitted to the (label,
feature) tables on rows of the mixture.   Anonymize: one calibrated plan; all else is post-processing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from triplea.adapt.crossed_correction import MOST_CELLS
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.coarse_groups import coarse_cells
from triplea.approximate.codes.leaf_cells import Grouped, LeafCells, leaves_of
from triplea.approximate.codes.leaf_choice import Resolution, choose_categories, choose_cells
from triplea.approximate.mixtures.class_margins import Margins, mixture_by_class, with_rare_classes
from triplea.approximate.mixtures.denoise import combine_totals
from triplea.approximate.mixtures.mixture_fit import Targets, fit_mixture
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.methods._base import Cost, Method, measuring
from triplea.methods._checks import check_cells, check_whole
from triplea.methods._mosaic_lessons import teach
from triplea.methods._mosaic_shares import (
    CROSSED,
    FREE_CELLS,
    LEAVES,
    MARGINS,
    MISSES,
    PAIRS,
    is_stretched,
    last_look,
    looks,
    needy,
    planned,
)
from triplea.queries.leaf_counts import ColumnTrees, run_lengths
from triplea.queries.marginals import Marginals
from triplea.schema import Column, Schema

Levels = Sequence[np.ndarray]

AUDIBLE = 4.0  # times its noise a typical cell of a pair must hold, or pairs are counted on coarser cells
LEAST_PAIR_CELLS = 4  # of an ordered column: where even these drown, pairs are not counted
PAIR_FLOOR = 0.5  # of a typical cell of a pair: rarer categories share a cell in pairs
TARGET_CELLS = 10  # a numeric target is cut into about this many classes


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The coarser cells of every column, and which pairs are to be counted on them."""

    groups: list[np.ndarray]
    pairs: list[tuple[int, int]]
    cells: int  # of an ordered column, or so

    def drowns(self, rows: float, noise: float) -> bool:
        """Whether a typical cell of a pair would hold too little above its noise."""
        sizes = [int(group.max()) + 1 for group in self.groups]
        return rows / float(np.median([sizes[i] * sizes[j] for i, j in self.pairs])) < AUDIBLE * noise


class TableMosaic(Method):
    """A mixture of products over all pairs, and a teacher for the label."""

    name = "mosaic-tables"
    title = "Mosaic, for mixed tables"
    summary = "all pairs by a mixture of products, labels by a teacher; everything counted under one budget"

    def __init__(
        self,
        *,
        components: int = 400,
        steps: int = 3100,
        most_cells: int = 16,
        pair_cells: int = 10,
        most_pairs: int = 800,
        max_cells: int = 20_000_000,
    ) -> None:
        self.components = components
        self.steps = steps
        self.most_cells = most_cells
        self.pair_cells = pair_cells
        self.most_pairs = most_pairs
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for leaves where a column needs them, for counts by label, and for pairs."""
        self.check_parameters()
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)
        times = {MISSES: max(len(looks(schema, budget)), 1)}
        return Plan(
            asks=tuple(
                measuring(budget, label, share=share, times=times.get(label, 1))
                for label, share in planned(schema, budget).items()
            )
        )

    def check_parameters(self) -> None:
        """Refuse parameters outside their range."""
        ranges = {
            "components": (1, 5000),
            "steps": (1, 100_000),
            "most_cells": (2, 512),
            "pair_cells": (2, 512),
            "most_pairs": (1, 20_000),
        }
        for name, (least, most) in ranges.items():
            check_whole(name, getattr(self, name), least=least, most=most)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Choose cells, count by label, count pairs; fit the mixture, then the teacher on its rows.

        Where the released counts show that pairs would drown in noise, their budget buys the counts by
        label again, and columns are independent within a class; so they are where none are planned. Beside
        rare classes the last look's budget does: a teacher is no help for them, and counts are.
        """
        self.notes_ = ()
        cells = self._choose_cells(door)
        margins = self._measure_margins(door, cells, MARGINS)
        again = last_look(door.schema, door.budget) if len(margins.rare) else ()
        margins = self._measure_again(door, cells, margins, again, why="classes of less than 1 % of the rows")
        layout = self._lay_out(door, margins)
        self.rows_ = margins.rows
        if layout.pairs and self._drowned(door, layout, margins.rows):
            left = [question for question in _further(door) if question not in again]
            margins = self._measure_again(door, cells, margins, left, why="pairs would tell less than noise")
            self.model_ = mixture_by_class(margins, cells, door.schema)
            return self
        if layout.cells < self.pair_cells:
            coarse = f"'{PAIRS}' went by about {layout.cells} cells of a column: noise would hide finer ones"
            self.notes_ = (*self.notes_, coarse)
        targets = self._measure_pairs(door, cells, margins, layout)
        weights, tables = fit_mixture(targets, components=self.components, steps=self.steps, rng=rng)
        names = features(door.schema)
        model = TaughtMixture(
            names=door.schema.names,
            cells=cells,
            weights=weights,
            tables=dict(zip(names or door.schema.names, tables, strict=True)),
            label=door.schema.target if names else None,
        )
        if model.label is not None:
            model.teacher = teach(door, model, margins, pairs=not again, rng=rng)
            model = with_rare_classes(model, margins)
        self.model_ = model
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Some passes over the rows, and matrix products whose size the schema bounds."""
        names = features(schema)
        trees = _trees(schema).shape[0] if needy(schema) else 0
        sizes = [_bound(schema.column(name), 2 * self.most_cells + 24) for name in names or schema.names]
        classes = _bound(schema.column(schema.target), TARGET_CELLS + 24) if schema.target else 1
        paired = min(len(names), self._most_paired())
        pairs = paired * (paired - 1) // 2
        crossed = MOST_CELLS if schema.target is not None and len(names) > 1 else 0
        cells = trees + classes * sum(sizes) + pairs * (self.pair_cells + 2) ** 2 + crossed
        hidden = self.components * sum(sizes)
        seconds = 2.0 + 1e-8 * rows * (pairs + 6 * len(sizes)) + 3e-8 * self.steps * hidden + 2e-6 * rows
        memory = 300 + 50 * cells / 2**20 + 40 * hidden / 2**20 + 0.1 * crossed
        return Cost(seconds=seconds + 1.5e-3 * crossed, mebibytes=memory, cells=cells)

    def _drowned(self, door: Door, layout: Layout, rows: float) -> bool:
        """Whether pairs are not planned, or would tell less than their noise."""
        if PAIRS not in planned(door.schema, door.budget):
            return True
        return layout.drowns(rows, door.count_noise(len(layout.pairs), label=PAIRS))

    def _choose_cells(self, door: Door) -> dict[str, LeafCells]:
        """Approximate, part one: atoms and intervals for long columns, all values for short ones."""
        schema = door.schema
        cells = {column.name: LeafCells.one_per_leaf(leaves_of(column)) for column in schema.columns}
        if not needy(schema):
            return cells
        trees = _trees(schema)
        answer = door.measure(trees, label=LEAVES)
        counts, spreads = trees.by_column(answer.values), trees.by_column(np.asarray(answer.stddev))
        rows = max(_rows_counted(counts, spreads), 10.0)
        shares = planned(schema, door.budget)
        heard = sum(shares.get(label, 0.0) for label in (MARGINS, MISSES, CROSSED))  # cells may be so fine
        noise = door.count_noise(max(len(features(schema)), 1), label=MARGINS) * float(
            np.sqrt(shares[MARGINS] / heard)
        )
        for name, levels in counts.items():
            spread = [float(level[0]) for level in spreads[name]]
            most = TARGET_CELLS if name == schema.target else self.most_cells
            detail = Resolution(rows=rows, noise=noise, most=most, by_value=name == schema.target)
            leaves = cells[name].leaves
            cells[name] = (
                choose_categories(leaves, levels[-1], spread[-1], detail.rows)
                if schema.column(name).is_discrete
                else choose_cells(leaves, levels, spread, run_lengths(leaves.intervals), detail)
            )
        return cells

    def _measure_margins(self, door: Door, cells: Mapping[str, LeafCells], question: str) -> Margins:
        """Count every feature by label (or by itself, without a label)."""
        schema = door.schema
        label, names = schema.target, features(schema)
        alone = label is None or not names
        groups = [(name,) if alone else (name, str(label)) for name in names or schema.names]
        query = Marginals(groups=groups, binnings=cells)
        answer = door.measure(query, label=question)
        tables = {group[0]: table for group, table in query.tables(answer.values).items()}
        noisy = {name: table.reshape(table.shape[0], -1) for name, table in tables.items()}
        stretches = not alone and is_stretched(schema.column(str(label)))
        return Margins.of(noisy, float(np.max(answer.stddev)), stretches=stretches)

    def _measure_again(
        self,
        door: Door,
        cells: Mapping[str, LeafCells],
        margins: Margins,
        questions: Sequence[str],
        *,
        why: str,
    ) -> Margins:
        """Spend what other questions were to cost on the same counts, and note it."""
        for question in questions:
            margins = margins.averaged(self._measure_margins(door, cells, question))
        noted = [f"'{question}' was spent on '{MARGINS}': {why}" for question in dict.fromkeys(questions)]
        self.notes_ = (*self.notes_, *noted)
        return margins

    def _lay_out(self, door: Door, margins: Margins) -> Layout:
        """Decide from released counts which pairs to count, on cells as fine as noise leaves room for."""
        masses = {name: margins.masses(name) for name in margins.noisy}
        layout = self._on_cells(door.schema, masses, self.pair_cells)
        for cells in range(self.pair_cells - 1, LEAST_PAIR_CELLS - 1, -1):
            if not layout.pairs or not self._drowned(door, layout, margins.rows):
                break
            layout = self._on_cells(door.schema, masses, cells)
        return layout

    def _on_cells(self, schema: Schema, masses: Mapping[str, np.ndarray], cells: int) -> Layout:
        """The pairs on about so many cells of every ordered column, and the categories that match them."""
        floor = PAIR_FLOOR / cells**2
        groups = [
            coarse_cells(schema.column(name), mass, cells=cells, floor=floor) for name, mass in masses.items()
        ]
        pairs = list(combinations(self._paired(list(masses.values())), 2))
        return Layout(groups=groups, pairs=pairs, cells=cells)

    def _measure_pairs(
        self, door: Door, cells: Mapping[str, LeafCells], margins: Margins, layout: Layout
    ) -> Targets:
        """Count all pairs of features on coarser cells; together with the margins they bind the mixture."""
        names = list(margins.noisy)
        counted, weight, noise = {}, 0.0, 0.0
        if layout.pairs:
            coarse = {n: Grouped(base=cells[n], group=layout.groups[i]) for i, n in enumerate(names)}
            query = Marginals(groups=[(names[i], names[j]) for i, j in layout.pairs], binnings=coarse)
            answer = door.measure(query, label=PAIRS)
            noise = float(np.max(answer.stddev)) / margins.rows
            weight = 0.5 * (margins.stddev / margins.rows / noise) ** 2
            for pair, table in zip(layout.pairs, query.tables(answer.values).values(), strict=True):
                counted[pair] = (table - (table.sum() - margins.rows) / table.size) / margins.rows
        return Targets(
            margins=[margins.masses(name) / margins.rows for name in names],
            groups=layout.groups,
            pairs=counted,
            margin_weight=0.5,
            pair_weight=weight,
            pair_noise=noise,
        )

    def _most_paired(self) -> int:
        return int((1 + np.sqrt(1 + 8 * self.most_pairs)) / 2)

    def _paired(self, masses: list[np.ndarray]) -> list[int]:
        """Columns whose pairs are counted: all, or in wide tables those with the most uncertain values."""
        uncertain = [-float(np.sum(p * np.log(np.maximum(p, 1e-12)))) for p in (m / m.sum() for m in masses)]
        ranked = np.argsort(uncertain, kind="stable")[::-1][: self._most_paired()]
        return sorted(int(i) for i in ranked) if len(masses) > 1 else []


def features(schema: Schema) -> list[str]:
    """All columns but the target."""
    return list(schema.features)


def _further(door: Door) -> tuple[str, ...]:
    """The questions that are planned after the counts by label."""
    asked = (door.schema, door.budget)
    pairs = (PAIRS,) if PAIRS in planned(*asked) else ()
    return (*pairs, *looks(*asked), *last_look(*asked))


def _trees(schema: Schema) -> ColumnTrees:
    leaves = {column.name: leaves_of(column) for column in schema.columns}
    asked = {name: fine for name, fine in leaves.items() if fine.cells > FREE_CELLS}
    return ColumnTrees(leaves=asked, ordered={name: not schema.column(name).is_discrete for name in asked})


def _rows_counted(counts: Mapping[str, Levels], spreads: Mapping[str, Levels]) -> float:
    """Every level counts all rows, and the few long runs of a column do so with the least noise."""
    totals = combine_totals(
        [level[None, :] for levels in counts.values() for level in levels],
        [float(level[0]) for levels in spreads.values() for level in levels],
    )
    return float(totals[0])


def _bound(column: Column, most: int) -> int:
    return min(leaves_of(column).cells, 500 if column.is_discrete else most)
