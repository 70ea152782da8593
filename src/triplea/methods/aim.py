"""AIM (McKenna, Mullins, Sheldon and Miklau 2022): pairs chosen and counted in rounds, and a Markov field.

Private: queries.bins, queries.marginals and queries.table_errors count.   Door: bins of numeric columns,
counts of single columns, then in every round one choice (exponential mechanism) and one measurement.
Public: the field between rounds, its size limit, the final field by the `mbi` package; sampling.
Guarantee: (epsilon, delta), for both kinds of neighbours; with delta = 0 all noise is Laplace.
Differs from the paper: rounds and their shares are fixed before rows are read, so there is no annealing; the
workload is all pairs, equally weighted; bins are paid for; one calibrated plan instead of zCDP.
"""

from __future__ import annotations

import numpy as np

from triplea.anonymize.door import Door
from triplea.approximate.graphs.clique_tree import CliqueTree, Group
from triplea.approximate.graphs.field_fit import NoisyTable, Potentials, fit_field
from triplea.methods._checks import check_positive, check_whole
from triplea.methods._fields import CHOICE, PAIRS, FieldMethod, Released, all_pairs, count_pairs
from triplea.queries.table_errors import TableErrors
from triplea.schema import Schema

ROUND_STEPS = 60  # of mirror descent between rounds, from the last round's field


class Aim(FieldMethod):
    """In every round, count the pair that the field so far gets most wrong, beyond what noise would add."""

    name = "aim"
    title = "AIM"
    summary = "pairs chosen round by round where the model errs most, by the mbi package; a strong rival"

    def __init__(
        self,
        *,
        rounds_per_column: float = 2.0,
        model_cells: int = 100_000,
        bins_share: float = 0.1,
        columns_share: float = 0.1,
        choice_share: float = 0.1,
        most_bins: int = 16,
        steps: int = 1000,
        estimator: str = "mbi",
        most_columns: int = 100,
        max_cells: int = 20_000_000,
    ) -> None:
        self.rounds_per_column = rounds_per_column
        self.model_cells = model_cells
        self.bins_share = bins_share
        self.columns_share = columns_share
        self.choice_share = choice_share
        self.most_bins = most_bins
        self.steps = steps
        self.estimator = estimator
        self.most_columns = most_columns
        self.max_cells = max_cells

    def rounds(self, schema: Schema) -> int:
        """Fixed beforehand: `rounds_per_column` for each column."""
        columns = len(schema.columns)
        return max(1, round(self.rounds_per_column * columns)) if columns > 1 else 0

    def measured(self, schema: Schema) -> int:
        """Every round counts its pair."""
        return self.rounds(schema)

    def check(self, schema: Schema) -> None:
        """Refuse bad parameters."""
        check_positive("rounds_per_column", self.rounds_per_column)
        check_whole("model_cells", self.model_cells, least=1, most=2**26)
        super().check(schema)

    def choose_pairs(self, door: Door, known: Released) -> list[NoisyTable]:
        """Select, measure, estimate; in every round anew."""
        tables = list(known.singles)
        field = _Field(known)
        field.fit(tables)
        stddev = door.count_noise(1, label=PAIRS)
        for _ in range(self.rounds(door.schema)):
            allowed = field.allowed(self.model_cells)
            guesses = field.counts(allowed)
            noise = [float(np.sqrt(2.0 / np.pi)) * stddev * guess.size for guess in guesses.values()]
            errors = TableErrors(guesses=guesses, binnings=known.binnings, handicaps=noise)
            pair = allowed[door.choose(errors, label=CHOICE)]
            tables += count_pairs(door, known, [pair])
            field.fit(tables)
        return tables


class _Field:
    """The Markov field between rounds: public."""

    def __init__(self, known: Released) -> None:
        self.sizes, self.rows = known.sizes, known.rows
        self.pairs: list[Group] = []
        self.potentials: Potentials = {}

    def fit(self, tables: list[NoisyTable]) -> None:
        self.pairs = list(dict.fromkeys(table.group for table in tables if len(table.group) > 1))
        self.tree = CliqueTree(groups=self.pairs, sizes=self.sizes)
        self.potentials = fit_field(
            tables, tree=self.tree, rows=self.rows, steps=ROUND_STEPS, start=self.potentials
        )

    def allowed(self, most: int) -> list[Group]:
        """Pairs that keep the field within `most` cells, and those already in it; at least the smallest."""
        pairs = all_pairs(list(self.sizes))
        fitting = [pair for pair in pairs if pair in self.pairs or self._cells_with(pair) <= most]
        return fitting or [min(pairs, key=lambda pair: self.sizes[pair[0]] * self.sizes[pair[1]])]

    def counts(self, pairs: list[Group]) -> dict[Group, np.ndarray]:
        """What the field expects of every pair."""
        conditionals = self.tree.conditionals(self.potentials)
        joint = self.tree.joint(conditionals)
        by_column = {
            name: self.tree.pairs_with(name, conditionals, joint)
            for name in dict.fromkeys(a for a, _ in pairs)
        }
        return {(a, b): self.rows * by_column[a][b] for a, b in pairs}

    def _cells_with(self, pair: Group) -> int:
        return CliqueTree(groups=[*self.pairs, pair], sizes=self.sizes).cells
