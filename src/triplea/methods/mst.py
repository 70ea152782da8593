"""MST (McKenna, Miklau and Sheldon 2021): pairs along a maximum spanning tree, and a Markov field.

Private: queries.bins, queries.marginals and queries.table_errors count.   Door: bins of numeric columns,
counts of single columns, one choice for each edge of the tree (exponential mechanism), one measurement of
all chosen pairs.   Public: the field, by the `mbi` package; sampling.
Guarantee: (epsilon, delta), for both kinds of neighbours; with delta = 0 all noise is Laplace.
Differs from the paper: bins are paid for; the target's rare classes are not merged; one calibrated plan
instead of zCDP.
"""

from __future__ import annotations

import numpy as np

from triplea.anonymize.door import Door
from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.graphs.clique_tree import Group
from triplea.approximate.graphs.field_fit import NoisyTable
from triplea.methods._fields import CHOICE, FieldMethod, Released, all_pairs, count_pairs
from triplea.queries.table_errors import TableErrors
from triplea.schema import Schema


class Mst(FieldMethod):
    """A tree of pairs that independence gets most wrong."""

    name = "mst"
    title = "MST"
    summary = "pairs along a privately chosen spanning tree, by the mbi package; a rival from the literature"

    def __init__(
        self,
        *,
        bins_share: float = 0.1,
        columns_share: float = 0.3,
        choice_share: float = 0.3,
        most_bins: int = 16,
        steps: int = 1000,
        estimator: str = "mbi",
        most_columns: int = 100,
        max_cells: int = 20_000_000,
    ) -> None:
        self.bins_share = bins_share
        self.columns_share = columns_share
        self.choice_share = choice_share
        self.most_bins = most_bins
        self.steps = steps
        self.estimator = estimator
        self.most_columns = most_columns
        self.max_cells = max_cells

    def rounds(self, schema: Schema) -> int:
        """A tree over d columns has d - 1 edges."""
        return len(schema.columns) - 1

    def measured(self, schema: Schema) -> int:
        """All edges are counted in one question."""
        return min(1, self.rounds(schema))

    def choose_pairs(self, door: Door, known: Released) -> list[NoisyTable]:
        """Join columns by the edge that is most wrong under independence, until all hang together."""
        rows = known.rows
        shares = {table.group[0]: to_simplex(table.counts, rows) / rows for table in known.singles}
        part = {name: place for place, name in enumerate(known.sizes)}
        edges: list[Group] = []
        while len(edges) < self.rounds(door.schema):
            joining = [pair for pair in all_pairs(list(known.sizes)) if part[pair[0]] != part[pair[1]]]
            guesses: dict[Group, np.ndarray] = {
                (a, b): rows * np.outer(shares[a], shares[b]) for a, b in joining
            }
            errors = TableErrors(guesses=guesses, binnings=known.binnings)
            edge = joining[door.choose(errors, label=CHOICE)]
            edges.append(edge)
            old, new = part[edge[1]], part[edge[0]]
            part = {name: new if place == old else place for name, place in part.items()}
        return [*known.singles, *count_pairs(door, known, edges)]
