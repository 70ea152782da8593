"""A made-up table in which the label decides about the columns."""

import numpy as np
import pyarrow as pa

from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table

SCHEMA = load_schema(
    {
        "target": "ill",
        "columns": [
            {"name": "age", "kind": "integer", "lower": 0, "upper": 99},
            {"name": "income", "kind": "numeric", "lower": 0, "upper": 1000, "nullable": True},
            {"name": "town", "kind": "categorical", "categories": ["A", "B", "C"]},
            {"name": "ill", "kind": "categorical", "categories": ["no", "yes"]},
        ],
    }
)


def rows(n=20_000, seed=0):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.2
    age = np.clip(rng.normal(np.where(ill, 70, 40), 10), 0, 99).astype(int)
    income = np.where(rng.random(n) < 0.1, np.nan, np.clip(rng.gamma(4, 60, n), 0, 1000))
    town = np.where(ill, "C", rng.choice(["A", "B"], n))
    return pa.table({"age": age, "income": income, "town": town, "ill": np.where(ill, "yes", "no")})


def synthetic(method, *, table=None, schema=SCHEMA, epsilon=1.0, delta=1e-5, seed=0, **options):
    request = prepare(schema=schema, epsilon=epsilon, delta=delta, method=method, **options)
    made = run(request, open_table(rows() if table is None else table, schema=schema), seed=seed)
    return made, made.rows.to_pandas()
