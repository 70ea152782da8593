"""A method without any guarantee, for the contracts about consent."""

from __future__ import annotations

from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import each_value, equal_width
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.methods._base import Cost, Method
from triplea.schema import Schema


class InTheClear(Method):
    """Reads rows in the clear, says so, and makes a uniform model."""

    name = "in-the-clear"
    title = summary = "no guarantee"

    def __init__(self) -> None: ...

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        return Plan(asks=(Ask(label="rows", mechanism=Mechanism.CLEAR),))

    def cost(self, schema: Schema, rows: int) -> Cost:
        return Cost(seconds=0, mebibytes=0, cells=0)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        rows = door.read_in_the_clear(label="rows", reasons=["it reads rows in the clear"])
        bins = {c.name: each_value(c) if c.is_discrete else equal_width(c, 4) for c in door.schema.columns}
        tables = {name: np.ones((1, binning.cells)) for name, binning in bins.items()}
        self.rows_ = float(len(next(iter(rows.values()))))
        self.model_ = ProductMixture(weights=np.ones(1), tables=tables, binnings=bins)
        return self
