"""Seconds and memory of ClustMix by rows: does the cost grow with them linearly?

    python bench/clustmix_speed.py --data credit --rows 25000 50000 100000 200000 --out speed.jsonl

Every release has a process of its own, with one thread. The published variant has one configuration.
"""

from __future__ import annotations

import dataclasses
import os
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np
from trials import keep, options, released

from triplea.bench.datasets import load_dataset

PUBLISHED = {"scaling": "normal-quantile", "sigma_max": 0.1, "spread": 0.3}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "provable": ("provable", {}),
    "provable, alpha 0.5": ("provable", {"alpha": 0.5}),
    "published, alpha 1": ("published", {**PUBLISHED, "alpha": 1.0}),
    "published, alpha 0.5": ("published", {**PUBLISHED, "alpha": 0.5}),
}


def timed(data: str, rows: int, case: str) -> dict[str, Any]:
    """One release of the first `rows` training rows in random order."""
    dataset = load_dataset(data)
    order = np.random.default_rng(0).permutation(dataset.train.num_rows)[:rows]
    some = dataclasses.replace(dataset, train=dataset.train.take(np.sort(order)))
    variant, params = CASES[case]
    wall, cpu = perf_counter(), process_time()
    released(some, method="clustmix", variant=variant, epsilon=1.0, seed=0, params=params)
    return {
        "data": data,
        "case": case,
        "rows": some.train.num_rows,
        "cpu_seconds": round(process_time() - cpu, 1),
        "wall_seconds": round(perf_counter() - wall, 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="credit")
    parser.add_argument("--rows", nargs="+", type=int, default=[25_000, 50_000, 100_000, 200_000])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    given = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for case in given.cases:
        for rows in given.rows:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                result = alone.submit(timed, given.data, rows, case).result()
            print(result, flush=True)
            keep([result], given.out)


if __name__ == "__main__":
    main()
