"""How much of what is lost is lost to cells? Real rows through the release's own cells, beside the release.

Every column's cells are chosen by the release (atoms, intervals, merged categories); the real training rows
are put into them and drawn out again, which loses what lies within a cell and nothing else. A release at a
large epsilon should come within 0.005 of these rows.

    python bench/through_binning.py --data adult --epsilon 10 --seeds 3 --jobs 3
"""

from __future__ import annotations

import numpy as np
from trials import each, keep, options, scored

from triplea.bench.datasets import Dataset, load_dataset
from triplea.engines import LocalEngine
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table


def through_cells(dataset: Dataset, cells: dict, seed: int):
    """Real rows, each value replaced by a draw from its cell."""
    schema, rng = load_schema(dataset.schema), np.random.default_rng(seed)
    encoded = schema.encode(dataset.train)
    drawn = {name: cells[name].draw(cells[name].assign(values), rng) for name, values in encoded.items()}
    return schema.decode(drawn)


def trial(data: str, epsilon: float, seed: int) -> dict:
    dataset = load_dataset(data)
    rows = dataset.train.num_rows
    request = prepare(schema=dataset.schema, epsilon=epsilon, delta=1.0 / rows, method="mosaic", rows=rows)
    made = run(
        request, open_table(dataset.train, schema=request.schema), seed=seed, engine=LocalEngine(threads=1)
    )
    model = made.model.model
    cells = getattr(model, "cells", None) or model.binnings
    found = {
        "real": scored(dataset, dataset.train, seed=seed)["auc"],
        "through cells": scored(dataset, through_cells(dataset, cells, seed), seed=seed)["auc"],
        "release": scored(dataset, made.rows, seed=seed)["auc"],
    }
    return {
        "data": data,
        "epsilon": epsilon,
        "seed": seed,
        **found,
        "gap": found["through cells"] - found["release"],
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="adult")
    parser.add_argument("--epsilon", type=float, default=10.0)
    given = parser.parse_args()
    results = each(trial, [(given.data, given.epsilon, seed) for seed in range(given.seeds)], jobs=given.jobs)
    keep(results, given.out)
    for name in ("real", "through cells", "release", "gap"):
        print(f"{name}: {np.mean([result[name] for result in results]):.4f}")


if __name__ == "__main__":
    main()
