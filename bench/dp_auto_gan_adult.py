"""DP-auto-GAN and its rivals on Adult in the paper's setting: 13 columns, official split, delta 1e-5.

A random forest of 100 trees, trained on synthetic rows and scored on the 16,281 real test rows, beside the
share of the commonest class; JSD and smoothed KL summed over the eight categorical columns. Prints one line
of JSON per release, and keeps its rows where --keep names a folder.

    python bench/dp_auto_gan_adult.py [--method dp-auto-gan] [--epsilons 1.01 0.51 0.36] [--seeds 3]
    python bench/dp_auto_gan_adult.py --params '{"correct_shares": false}'   # the networks alone
    python bench/dp_auto_gan_adult.py --params '{"preset": "adult"}'         # the paper's steps
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.evaluators import Material, diversity, random_forest
from triplea.engines import LocalEngine
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table

DATASET = "adult/dp-auto-gan"
# Tables 2 and 3 of the paper: accuracy in percent, sum of JSD, sum of smoothed KL.
PAPER = {
    ("dp-auto-gan", 1.01): (79.19, 0.19, 0.53),
    ("dp-auto-gan", 0.51): (78.68, 0.23, 0.48),
    ("dp-auto-gan", 0.36): (74.66, 0.33, 0.81),
}


def synthesize(
    dataset: Dataset, method: str, epsilon: float, *, variant: str = "provable", seed: int = 0, params: dict
) -> pa.Table:
    """One release, with seeded noise."""
    request = prepare(
        schema=dataset.schema, epsilon=epsilon, delta=1e-5, method=method, variant=variant, params=params
    )
    table = open_table(dataset.train, schema=request.schema)
    return run(request, table, seed=seed, engine=LocalEngine(threads=1)).rows


def scores(dataset: Dataset, rows: pa.Table, seed: int) -> dict[str, float]:
    """Accuracy with its floor, AUC, and the two sums over the eight columns."""
    material = Material(dataset=dataset, synthetic=rows, seed=seed)
    forest, spread = random_forest(material), diversity(material)
    return {
        "accuracy": round(100 * forest["accuracy"], 2),
        "majority": round(100 * forest["majority_share"], 2),
        "auc": round(forest["roc_auc"], 4),
        "jsd": round(spread["jsd.total"], 4),
        "smoothed_kl": round(spread["kl_mu.total"], 4),
    }


def main() -> None:
    """Run every epsilon and seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--method", default="dp-auto-gan")
    parser.add_argument("--variant", default="provable")
    parser.add_argument("--epsilons", type=float, nargs="+", default=[1.01, 0.51, 0.36])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--params", type=json.loads, default={})
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    dataset = load_dataset(DATASET)
    for epsilon in options.epsilons:
        for seed in range(options.seeds):
            begin = time.process_time()
            rows = synthesize(
                dataset, options.method, epsilon, variant=options.variant, seed=seed, params=options.params
            )
            line = {
                "method": options.method, "variant": options.variant, "params": options.params,
                "epsilon": epsilon, "seed": seed, "cpu_seconds": round(time.process_time() - begin, 1),
            }  # fmt: skip
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                name = f"{options.method}-{options.variant}-{epsilon:g}-{seed}.parquet"
                pq.write_table(rows, options.keep / name)
            paper = PAPER.get((options.method, epsilon))
            beside = dict(zip(("accuracy", "jsd", "smoothed_kl"), paper, strict=True)) if paper else None
            print(json.dumps({**line, **scores(dataset, rows, seed), "paper": beside}), flush=True)


if __name__ == "__main__":
    main()
