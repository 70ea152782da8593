"""Tables of numbers that share one factor: how much of it does a release of mosaic keep?

Made-up tables of 5,000 rows: columns are a factor times .5 plus noise of deviation .15, the class is about
the sign of the first one. Printed for the real rows and for releases: columns' mean standard deviation, mean
correlation, and the distance of the classes' means (root mean square over columns).

    python bench/one_factor.py
    python bench/one_factor.py --columns 60 --epsilon 1
"""

from __future__ import annotations

import argparse

import numpy as np
import pyarrow as pa

from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table

ROWS, BOUND, LOADING, NOISE = 5_000, 4.0, 0.5, 0.15
FACTORS = {
    "normal": lambda rng: rng.standard_normal(ROWS),
    "two clouds": lambda rng: rng.choice([-1.0, 1.0], ROWS),
    "long tails (t, 4 degrees)": lambda rng: rng.standard_t(4, ROWS) / 1.4,
    "skewed (lognormal)": lambda rng: (rng.lognormal(0.0, 0.8, ROWS) - 1.4) / 1.2,
}


def table_of(factor: np.ndarray, columns: int, rng: np.random.Generator) -> pa.Table:
    rows = LOADING * factor[:, None] + NOISE * rng.standard_normal((ROWS, columns))
    label = rows[:, 0] + 0.1 * rng.standard_normal(ROWS) > 0
    return pa.table({**{f"x{i}": np.clip(rows[:, i], -BOUND, BOUND) for i in range(columns)}, "class": label})


def schema_of(columns: int) -> dict:
    numbers = [{"name": f"x{i}", "kind": "numeric", "lower": -BOUND, "upper": BOUND} for i in range(columns)]
    return {"target": "class", "columns": [*numbers, {"name": "class", "kind": "boolean"}]}


def shown(name: str, table: pa.Table) -> None:
    frame = table.to_pandas()
    label, rows = frame["class"].to_numpy(bool), frame.drop(columns="class").to_numpy(float)
    gap = rows[label].mean(axis=0) - rows[~label].mean(axis=0)
    together = np.corrcoef(rows.T)[np.triu_indices(rows.shape[1], 1)]
    print(
        f"  {name}: deviation {rows.std(axis=0).mean():.2f}, correlation {together.mean():.2f}, "
        f"classes {np.sqrt(np.mean(gap**2)):.2f} apart"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--columns", type=int, default=250)
    parser.add_argument("--epsilon", type=float, nargs="+", default=[1.0, 10.0])
    given = parser.parse_args()
    schema = load_schema(schema_of(given.columns))
    for name, factor in FACTORS.items():
        rng = np.random.default_rng(0)
        real = table_of(factor(rng), given.columns, rng)
        print(name)
        shown("real rows", real)
        for epsilon in given.epsilon:
            request = prepare(schema=schema, epsilon=epsilon, delta=1e-4, method="mosaic")
            made = run(request, open_table(real, schema=request.schema), seed=0)
            shown(f"epsilon {epsilon:g}", made.rows)


if __name__ == "__main__":
    main()
