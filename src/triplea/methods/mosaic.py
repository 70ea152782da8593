"""Mosaic, the flagship: one method for mixed tables, tables of numbers, and images.

Public knowledge decides which half works. A table of numbers (or an image) is approximated by noisy moments
of its classes; every other table by a mixture of products over all pairs of columns, adapted to the learning
task by a teacher for the label. Both ask the door for noisy sums alone, in one calibrated plan.
Guarantee: (epsilon, delta) for the stated neighbours, proved: the composition of the questions in the ledger.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.methods._base import Cost, Method
from triplea.methods._checks import check_whole
from triplea.methods._mosaic_numbers import NumberMosaic, suits
from triplea.methods._mosaic_tables import TableMosaic
from triplea.schema import Schema


class Mosaic(Method):
    """Approximate by noisy sums, adapt by a teacher, anonymize by one plan.

    `components`, `steps`, `most_cells`, `pair_cells` and `most_pairs` belong to mixed tables,
    `wide_from` to tables of numbers.
    """

    name = "mosaic"
    title = "Mosaic"
    summary = "the flagship: all pairs and a teacher for mixed tables, moments by class for numbers"

    def __init__(
        self,
        *,
        components: int = 200,
        steps: int = 300,
        most_cells: int = 16,
        pair_cells: int = 10,
        most_pairs: int = 800,
        wide_from: int = 200,
        max_cells: int = 20_000_000,
    ) -> None:
        self.components = components
        self.steps = steps
        self.most_cells = most_cells
        self.pair_cells = pair_cells
        self.most_pairs = most_pairs
        self.wide_from = wide_from
        self.max_cells = max_cells

    def half(self, schema: Schema) -> Method:
        """The half that suits a schema, with this method's parameters."""
        kind = NumberMosaic if suits(schema) else TableMosaic
        mine = self.get_params()
        return kind(**{name: mine[name] for name in kind.defaults()})

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask what the suiting half asks; parameters of both halves are checked."""
        mine = self.get_params()
        TableMosaic(**{name: mine[name] for name in TableMosaic.defaults()}).check_parameters()
        check_whole("wide_from", self.wide_from, least=1, most=2000)
        return self.half(schema).plan(schema, budget)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Let the suiting half ask its questions and build the model."""
        made = self.half(door.schema).fit(door, rng=rng)
        self.model_, self.rows_, self.notes_ = made.model_, made.rows_, made.notes_
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """What the suiting half needs."""
        return self.half(schema).cost(schema, rows)
