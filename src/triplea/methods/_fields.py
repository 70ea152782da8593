"""The shared body of MST and AIM: cells, counts of single columns, chosen pairs, a Markov field."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.codes.grouping import group_rare
from triplea.approximate.graphs.bayes_network import BayesNetwork
from triplea.approximate.graphs.clique_tree import CliqueTree, Group
from triplea.approximate.graphs.field_fit import NoisyTable, fit_field
from triplea.approximate.graphs.mbi_fit import fit_by_mbi, require_mbi
from triplea.approximate.mixtures.denoise import combine_totals
from triplea.errors import MethodError
from triplea.methods._base import Cost, Method, measuring
from triplea.methods._checks import check_cells, check_fraction, check_whole
from triplea.queries.bins import BinCounts, needs_bins
from triplea.queries.marginals import Marginals
from triplea.schema import Schema

BINS = "bins of numeric columns"
COLUMNS = "counts of single columns"
CHOICE = "choice of a pair"
PAIRS = "counts of chosen pairs"
RARE = 3.0  # cells below this many standard deviations of their count are merged, as MST does


@dataclass(frozen=True, kw_only=True)
class Released:
    """What is known before pairs are chosen: cells, rows, and the counts of single columns."""

    binnings: dict[str, Binning]
    rows: float
    singles: tuple[NoisyTable, ...]

    @property
    def sizes(self) -> dict[str, int]:
        """Number of cells of every column."""
        return {name: binning.cells for name, binning in self.binnings.items()}


class FieldMethod(Method):
    """Count single columns, choose pairs, count them, and fit a Markov field to all counts."""

    bins_share: float
    columns_share: float
    choice_share: float
    most_bins: int
    steps: int
    estimator: str
    most_columns: int
    max_cells: int

    @abstractmethod
    def rounds(self, schema: Schema) -> int:
        """How many pairs are chosen: public."""

    @abstractmethod
    def measured(self, schema: Schema) -> int:
        """In how many questions the chosen pairs are counted."""

    @abstractmethod
    def choose_pairs(self, door: Door, known: Released) -> list[NoisyTable]:
        """Choose pairs and count them; the list begins with the single columns."""

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for bins, single columns, a choice for every pair, and the pairs' counts."""
        self.check(schema)
        bins = [measuring(budget, BINS, share=self.bins_share)] if self._bins(schema).needed else []
        asks = [*bins, measuring(budget, COLUMNS, share=self.columns_share)]
        rounds, questions = self.rounds(schema), self.measured(schema)
        if rounds:
            asks.append(
                Ask(label=CHOICE, mechanism=Mechanism.EXPONENTIAL, share=self.choice_share, times=rounds)
            )
            asks.append(measuring(budget, PAIRS, share=self.pairs_share, times=questions))
        return Plan(asks=tuple(asks))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Measure, choose, measure; then estimate the field and write it as a Bayesian network."""
        del rng
        known = self._count_columns(door)
        self.rows_ = known.rows
        tables = self.choose_pairs(door, known) if self.rounds(door.schema) else list(known.singles)
        tree = CliqueTree(groups=[table.group for table in tables], sizes=known.sizes)
        potentials = fit_field(tables, tree=tree, rows=known.rows, steps=self.steps)
        if self.estimator == "mbi":
            potentials = fit_by_mbi(tables, tree=tree, rows=known.rows, steps=self.steps, start=potentials)
        self.model_ = BayesNetwork(
            factors=tree.factors(tree.conditionals(potentials)), binnings=known.binnings
        )
        pairs = dict.fromkeys(table.group for table in tables if len(table.group) > 1)
        described = "; ".join(" with ".join(pair) for pair in pairs)
        self.notes_ = (f"pairs: {described or 'none'}", f"cells of the model: {tree.cells:,}")
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """One pass over the rows for every choice; memory for the tables of all pairs."""
        sizes = [self._most_cells(schema, name) for name in schema.names]
        paired = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
        cells = self._bins(schema).shape[0] + sum(sizes) + (paired if self.rounds(schema) else 0)
        passes = self.rounds(schema) * len(sizes) ** 2 / 2
        compiling = 0.7 * len(sizes) if self.estimator == "mbi" else 0.0
        seconds = 2.0 + compiling + 4e-9 * rows * passes + 2e-8 * cells * max(self.rounds(schema), 1)
        return Cost(seconds=seconds, mebibytes=350 + 40 * cells / 2**20, cells=cells)

    @property
    def pairs_share(self) -> float:
        """What is left for the counts of pairs."""
        return 1.0 - self.bins_share - self.columns_share - self.choice_share

    def check(self, schema: Schema) -> None:
        """Refuse parameters outside their range, and schemas whose tables would not fit."""
        for option in ("bins_share", "columns_share", "choice_share"):
            check_fraction(option, getattr(self, option))
        if self.pairs_share <= 0:
            raise MethodError(
                "parameters 'bins_share', 'columns_share' and 'choice_share' must add up to less than 1, "
                f"got {1.0 - self.pairs_share:g}. Lower one of them."
            )
        check_whole("most_bins", self.most_bins, least=2, most=4096)
        check_whole("steps", self.steps, least=1, most=100_000)
        if self.estimator not in ("mbi", "numpy"):
            raise MethodError(f"parameter 'estimator' must be one of mbi, numpy, got {self.estimator!r}.")
        check_whole("most_columns", self.most_columns, least=1, most=10_000)
        if len(schema.columns) > self.most_columns:
            raise MethodError(
                f"method {self.name!r} looks at all pairs of columns again and again and takes at most "
                f"most_columns={self.most_columns}, got {len(schema.columns)}. Raise it, or use 'auto'."
            )
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)
        if self.estimator == "mbi":
            require_mbi(f"method {self.name!r} with estimator='mbi'")

    def _count_columns(self, door: Door) -> Released:
        """Cells and counts of single columns; cells that drown in noise are merged."""
        bins = self._bins(door.schema)
        if bins.needed:
            answer = door.measure(bins, label=BINS)
            binnings = bins.choose(answer.values, answer.stddev)
        else:
            binnings = bins.choose(np.zeros(0), 0.0)
        query = Marginals(groups=[(name,) for name in door.schema.names], binnings=binnings)
        counted = door.measure(query, label=COLUMNS)
        spread = float(np.max(counted.stddev))
        tables = {group[0]: table for group, table in query.tables(counted.values).items()}
        rows = float(combine_totals([t[None, :] for t in tables.values()], [spread] * len(tables))[0])
        singles = []
        for name, table in tables.items():
            if name != door.schema.target:  # the target keeps its rare classes
                binnings[name] = group_rare(binnings[name], to_simplex(table, rows), least=RARE * spread)
            singles.append(_regrouped(name, table, binnings[name], spread))
        return Released(binnings=binnings, rows=rows, singles=tuple(singles))

    def _bins(self, schema: Schema) -> BinCounts:
        return BinCounts(schema=schema, most=self.most_bins)

    def _most_cells(self, schema: Schema, name: str) -> int:
        column = schema.column(name)
        return column.cells if not needs_bins(column) else 2 * self.most_bins + int(column.nullable)


def count_pairs(door: Door, known: Released, pairs: Sequence[Group]) -> list[NoisyTable]:
    """Count some pairs in one question."""
    query = Marginals(groups=pairs, binnings=known.binnings)
    answer = door.measure(query, label=PAIRS)
    spread = float(np.max(answer.stddev))
    return [
        NoisyTable(group=group, counts=table, stddev=spread)
        for group, table in query.tables(answer.values).items()
    ]


def all_pairs(names: Sequence[str]) -> list[Group]:
    """Every pair of columns once."""
    return list(combinations(names, 2))


def _regrouped(name: str, counts: np.ndarray, binning: Binning, stddev: float) -> NoisyTable:
    """Counts of merged cells are sums, with more noise; all cells are given the noise of a single one."""
    groups = getattr(binning, "groups", np.arange(len(counts)))
    merged = np.asarray(np.bincount(groups, weights=counts, minlength=binning.cells), dtype=np.float64)
    return NoisyTable(group=(name,), counts=merged, stddev=stddev)
