"""PrivBayes (Zhang et al., 2017): a Bayesian network, found and filled under the budget.

Private: queries.bins, queries.marginals and queries.parent_scores count.   Door: bins of numeric columns,
counts of single columns, one choice per further column (exponential mechanism), one measurement of all joint
tables.   Public: candidate parent sets by theta-usefulness, denoising, sampling.
Guarantee: (epsilon, delta), for both kinds of neighbours; with delta = 0 all noise is Laplace, as printed.
Differs from the paper: scores in rows, so that the number of rows may be private; Gaussian noise where delta
allows; single columns are counted first, to learn the number of rows and to merge rare cells; the network
starts at the target (`first="random"` starts anywhere, as printed); parent sets are capped in number.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.codes.grouping import group_rare
from triplea.approximate.graphs.bayes_network import BayesNetwork
from triplea.approximate.graphs.conditionals import conditional_tables
from triplea.approximate.graphs.parent_sets import parent_candidates
from triplea.approximate.mixtures.denoise import combine_totals
from triplea.errors import MethodError
from triplea.methods._base import Cost, Method, measuring
from triplea.methods._checks import check_cells, check_fraction, check_whole
from triplea.queries.bins import BinCounts, needs_bins
from triplea.queries.marginals import Marginals
from triplea.queries.parent_scores import ParentScores, ScoreKind
from triplea.schema import Schema

BINS = "bins of numeric columns"
COLUMNS = "counts of single columns"
PARENTS = "parents of a column"
TABLES = "joint counts of columns and parents"
RARE = 2.0  # cells below this many standard deviations of a joint count are merged


class PrivBayes(Method):
    """Greedy network by noisy scores, noisy conditional tables, ancestral sampling."""

    name = "privbayes"
    title = "PrivBayes"
    summary = "a Bayesian network chosen and filled under the budget; strong on mixed and categorical columns"

    def __init__(
        self,
        *,
        score: str = "R",
        theta: float = 4.0,
        network_share: float = 0.2,
        columns_share: float = 0.1,
        bins_share: float = 0.1,
        bins: str = "counted",
        most_bins: int = 16,
        most_parents: int = 4,
        first: str = "target",
        most_candidates: int = 1000,
        max_cells: int = 20_000_000,
    ) -> None:
        self.score = score
        self.theta = theta
        self.network_share = network_share
        self.columns_share = columns_share
        self.bins_share = bins_share
        self.bins = bins
        self.most_bins = most_bins
        self.most_parents = most_parents
        self.first = first
        self.most_candidates = most_candidates
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for bins, single columns, one choice for each further column, and the joint tables."""
        self._check(schema)
        bins_share = self.bins_share if self._counts_bins(schema) else 0.0
        network_share = self.network_share if len(schema.columns) > 1 else 0.0
        asks = [measuring(budget, BINS, share=bins_share)] if bins_share else []
        asks.append(measuring(budget, COLUMNS, share=self.columns_share))
        if network_share:
            times = len(schema.columns) - 1
            asks.append(Ask(label=PARENTS, mechanism=Mechanism.EXPONENTIAL, share=network_share, times=times))
            asks.append(measuring(budget, TABLES, share=self._tables_share))
        return Plan(asks=tuple(asks))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count columns, grow the network, count its tables, turn them into conditionals."""
        names = door.schema.names
        binnings = self._choose_bins(door)
        singles = Marginals(groups=[(name,) for name in names], binnings=binnings)
        counted = door.measure(singles, label=COLUMNS)
        spread = float(np.max(counted.stddev))
        tables = {group[0]: table for group, table in singles.tables(counted.values).items()}
        totals = combine_totals([table[None, :] for table in tables.values()], [spread] * len(tables))
        self.rows_ = float(totals[0])
        # Shares are weights of squared signal-to-noise, and both questions count every column once.
        joint_spread = spread * float(np.sqrt(self.columns_share / self._tables_share))
        clean = {name: to_simplex(table, self.rows_) for name, table in tables.items()}
        for name in door.schema.features if len(names) > 1 else ():  # the target keeps its rare classes
            binnings[name] = group_rare(binnings[name], clean[name], least=RARE * joint_spread)

        network = self._grow(door, binnings, joint_spread, rng)
        if len(names) == 1:
            only: dict[tuple[str, ...], np.ndarray] = {(names[0],): clean[names[0]]}
            factors = conditional_tables(only, network, rows=self.rows_, stddev=spread)
        else:
            query = Marginals(groups=_largest(network), binnings=binnings)
            joint = door.measure(query, label=TABLES)
            noise = float(np.max(joint.stddev))
            factors = conditional_tables(query.tables(joint.values), network, rows=self.rows_, stddev=noise)
        self.model_ = BayesNetwork(factors=factors, binnings=binnings)
        parents = max(len(group) for group in network) - 1
        self.notes_ = (f"network: {_described(network)}", f"largest number of parents: {parents}")
        return self

    def _grow(
        self, door: Door, binnings: dict[str, Binning], joint_spread: float, rng: np.random.Generator
    ) -> list[tuple[str, ...]]:
        """Add one column at a time, with the parent set that the exponential mechanism picks."""
        schema = door.schema
        cells = {name: binning.cells for name, binning in binnings.items()}
        useful = self.rows_ / (self.theta * joint_spread * float(np.sqrt(2.0 / np.pi)))
        start = schema.target if self.first == "target" and schema.target else None
        network: list[tuple[str, ...]] = [(start or schema.names[int(rng.integers(len(schema.names)))],)]
        while len(network) < len(schema.names):
            known = [group[-1] for group in network]
            candidates = parent_candidates(
                children=[name for name in schema.names if name not in known],
                known=known,
                cells=cells,
                most_cells=min(useful, self.max_cells),
                most_parents=self.most_parents,
                most_candidates=self.most_candidates,
                most_total=self.max_cells,
                rng=rng,
            )
            scores = ParentScores(kind=ScoreKind(self.score), candidates=candidates, binnings=binnings)
            network.append(candidates[door.choose(scores, label=PARENTS)])
        return network

    def cost(self, schema: Schema, rows: int) -> Cost:
        """One pass a column for the network; memory for the counts of all candidates of a step."""
        largest = sum(self._most_cells(schema, name) for name in schema.names)
        cells = largest + (self._bin_query(schema).shape[0] if self._counts_bins(schema) else 0)
        steps = len(schema.columns) * min(self.most_candidates, len(schema.columns) ** 2)
        seconds = 1.0 + 6e-9 * rows * steps + 2e-7 * cells
        return Cost(seconds=seconds, mebibytes=300 + 40 * cells / 2**20, cells=cells)

    @property
    def _tables_share(self) -> float:
        return 1.0 - self.network_share - self.columns_share - self.bins_share

    def _check(self, schema: Schema) -> None:
        if self.score not in list(ScoreKind):
            raise MethodError(f"parameter 'score' must be one of I, F, R, got {self.score!r}.")
        for option, value, allowed in (
            ("bins", self.bins, ("counted", "equal")),
            ("first", self.first, ("target", "random")),
        ):
            if value not in allowed:
                raise MethodError(f"parameter {option!r} must be one of {', '.join(allowed)}, got {value!r}.")
        for option in ("network_share", "columns_share", "bins_share"):
            check_fraction(option, getattr(self, option))
        if self._tables_share <= 0:
            raise MethodError(
                "parameters 'network_share', 'columns_share' and 'bins_share' must add up to less than 1, "
                f"got {1.0 - self._tables_share:g}. Lower one of them."
            )
        if not 0.0 < self.theta < np.inf:
            raise MethodError(f"parameter 'theta' must be a number above 0, got {self.theta!r}. Usual is 4.")
        check_whole("most_bins", self.most_bins, least=2, most=4096)
        check_whole("most_parents", self.most_parents, least=1, most=20)
        check_whole("most_candidates", self.most_candidates, least=1, most=1_000_000)
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)
        wide = [name for name in schema.names if self.score == "F" and self._most_cells(schema, name) != 2]
        if wide:
            raise MethodError(
                f"parameter 'score' is 'F', which is defined for columns of two values; column {wide[0]!r} "
                "has others. Choose score='R'."
            )

    def _counts_bins(self, schema: Schema) -> bool:
        return self.bins == "counted" and self._bin_query(schema).needed

    def _bin_query(self, schema: Schema) -> BinCounts:
        return BinCounts(schema=schema, most=self.most_bins)

    def _choose_bins(self, door: Door) -> dict[str, Binning]:
        query = self._bin_query(door.schema)
        if self._counts_bins(door.schema):
            released = door.measure(query, label=BINS)
            return query.choose(released.values, released.stddev)
        return {
            column.name: equal_width(column, self.most_bins) if needs_bins(column) else each_value(column)
            for column in door.schema.columns
        }

    def _most_cells(self, schema: Schema, name: str) -> int:
        column = schema.column(name)
        if not needs_bins(column):
            return column.cells
        return 2 * self.most_bins + int(column.nullable)


def _largest(network: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The tables to count: one that lies within another needs no count of its own."""
    return [
        group
        for place, group in enumerate(network)
        if not any(
            set(group) < set(other) or (set(group) == set(other) and before < place)
            for before, other in enumerate(network)
            if before != place
        )
    ]


def _described(network: list[tuple[str, ...]]) -> str:
    return "; ".join(f"{group[-1]} <- {', '.join(group[:-1]) or 'nothing'}" for group in network)
