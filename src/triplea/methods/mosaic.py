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
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.methods._base import Cost, Counted, Method, measuring
from triplea.methods._checks import check_whole
from triplea.methods._mosaic_numbers import NumberMosaic, suits
from triplea.methods._mosaic_outline import counted_tables, outline_numbers, outline_tables
from triplea.methods._mosaic_tables import TableMosaic
from triplea.methods._mosaic_targets import FURTHER, SHARE, add_tutors, tutored_targets
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
        components: int = 400,
        steps: int = 3100,
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

    def half(self, schema: Schema) -> TableMosaic | NumberMosaic:
        """The half that suits a schema, with this method's parameters."""
        mine = self.get_params()
        if suits(schema):
            return NumberMosaic(**{name: mine[name] for name in NumberMosaic.defaults()})
        return TableMosaic(**{name: mine[name] for name in TableMosaic.defaults()})

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask what the suiting half asks, and for counts by further targets; all parameters are checked."""
        mine = self.get_params()
        TableMosaic(**{name: mine[name] for name in TableMosaic.defaults()}).check_parameters()
        check_whole("wide_from", self.wide_from, least=1, most=2000)
        plan = self.half(schema).plan(schema, budget)
        further = self._tutored(schema)
        if not further:
            return plan
        return Plan(asks=(*plan.asks, measuring(budget, FURTHER, share=SHARE * len(further))))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Let the suiting half ask its questions and build the model."""
        made = self.half(door.schema).fit(door, rng=rng)
        self.model_, self.rows_, self.notes_ = made.model_, made.rows_, made.notes_
        if self._tutored(door.schema):
            assert isinstance(made.model_, TaughtMixture)
            self.model_ = add_tutors(door, made.model_, rows=made.rows_, rng=rng)
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """What the suiting half needs."""
        return self.half(schema).cost(schema, rows)

    def outline(self, schema: Schema, budget: Budget) -> tuple[str, ...]:
        """What the suiting half will do, and which further targets are taught."""
        half, further = self.half(schema), self._tutored(schema)
        steps = (
            outline_tables(half, schema, budget)
            if isinstance(half, TableMosaic)
            else outline_numbers(half, schema, budget)
        )
        taught = (f"further targets with a tutor: {', '.join(further)}",) if further else ()
        return (f"{half.title}: {half.summary}", *steps, *taught)

    def counted(self, schema: Schema, budget: Budget) -> tuple[Counted, ...]:
        """The counts of the half for mixed tables; the other one releases moments."""
        half = self.half(schema)
        return counted_tables(half, schema, budget) if isinstance(half, TableMosaic) else ()

    def _tutored(self, schema: Schema) -> tuple[str, ...]:
        """Further targets with a tutor; among numbers they are left to the Gaussians."""
        return () if suits(schema) else tutored_targets(schema)
