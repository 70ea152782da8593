"""Is a score the table's or the classifier's? LightGBM with and without a floor under its leaves.

Where a class has a few dozen rows, LightGBM's leaves may rest on next to nothing, and its scores jump about
on real rows as on synthetic ones; `min_child_weight=10` steadies it. Real rows, mosaic and naive-bayes side
by side: releases made of all training rows, LightGBM fitted and tested on `--rows` of them.

    python bench/steady_lightgbm.py --data intrusion --rows 100000 --seeds 1
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
from trials import each, keep, options, released, scored

from triplea.bench.datasets import Dataset, load_dataset

DEFAULT, STEADY = 1e-3, 10.0


def some(table: pa.Table, rows: int, seed: int) -> pa.Table:
    """Rows at random."""
    chosen = np.random.default_rng(seed).permutation(table.num_rows)[:rows]
    return table.take(pa.array(np.sort(chosen)))


def with_floor(dataset: Dataset, weight: float, *, rows: int) -> Dataset:
    """The same data set with fewer test rows, scored by LightGBM with this floor."""
    return dataclasses.replace(
        dataset, test=some(dataset.test, rows, 0), scoring={"min_child_weight": weight}
    )


def trial(data: str, method: str, rows: int, seed: int) -> dict:
    dataset = load_dataset(data)
    made = dataset.train if method == "real" else released(dataset, method=method, epsilon=1.0, seed=seed)
    shown = some(made, rows, seed)
    found = {
        name: scored(with_floor(dataset, weight, rows=rows), shown, seed=seed)["auc"]
        for name, weight in (("default", DEFAULT), ("min_child_weight=10", STEADY))
    }
    return {"data": data, "method": method, "rows": rows, "seed": seed, **found}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="intrusion")
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    cases = [
        (given.data, method, given.rows, seed)
        for method in ("real", "naive-bayes", "mosaic")
        for seed in range(1 if method == "real" else given.seeds)
    ]
    keep(each(trial, cases, jobs=given.jobs), given.out)


if __name__ == "__main__":
    main()
