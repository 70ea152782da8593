"""A small table behind a door, for tests of the door itself."""

import numpy as np
import pyarrow as pa

from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Plan
from triplea.approximate.codes.binning import each_value
from triplea.queries.marginals import Marginals
from triplea.schema import Column, Schema
from triplea.tables import open_table

SCHEMA = Schema(
    columns=(
        Column(name="age", kind="integer", lower=0, upper=9),
        Column(name="sex", kind="categorical", categories=("f", "m")),
    )
)
AGES = Marginals(groups=[("age",)], binnings={"age": each_value(SCHEMA.column("age"))})


def table(rows=1000, schema=SCHEMA, **more):
    columns = {"age": pa.array(np.arange(rows) % 10), "sex": pa.array(["f"] * rows), **more}
    return open_table(pa.table(columns), schema=schema)


def door(*asks, rows=1000, epsilon=1.0, delta=1e-5, neighbours="add-or-remove-one", schema=SCHEMA, **options):
    budget = Budget(epsilon=epsilon, delta=delta, neighbours=neighbours)
    private = options.pop("private", None) or table(rows, schema)
    plan = Plan(asks=asks or (Ask(label="ages", mechanism="gaussian"),))
    return Door(
        table=private, schema=schema, budget=budget, charges=calibrate(plan, budget), seed=0, **options
    )
