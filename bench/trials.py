"""What the scripts beside this file share: a seeded release through the real door, and its LightGBM score.

Seeded noise is repeatable, so nothing made here may be released.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.bench.datasets import Dataset
from triplea.bench.evaluators import Material, measure
from triplea.engines import LocalEngine
from triplea.releases.request import prepare
from triplea.releases.run import Release, run
from triplea.tables import open_table


def release(
    dataset: Dataset,
    *,
    method: str,
    epsilon: float,
    seed: int,
    params: Mapping[str, Any] | None = None,
    variant: str = "provable",
    delta: float | None = None,
) -> Release:
    """As many synthetic rows as there are training rows, at delta = one over them, and their model."""
    rows = dataset.train.num_rows
    request = prepare(
        schema=dataset.schema, epsilon=epsilon, delta=1.0 / rows if delta is None else delta, method=method,
        variant=variant, params=params, rows=rows,
    )  # fmt: skip
    table = open_table(dataset.train, schema=request.schema)
    return run(request, table, seed=seed, engine=LocalEngine(threads=1))


def released(dataset: Dataset, **options: Any) -> pa.Table:
    """The rows of such a release."""
    return release(dataset, **options).rows


def scored(dataset: Dataset, rows: pa.Table, *, seed: int, pairs: bool = False) -> dict[str, float]:
    """LightGBM's ROC AUC on real test rows and, if wanted, the mean distance of pairs of columns."""
    material = Material(dataset=dataset, synthetic=rows, seed=seed)
    found = {"auc": measure("lightgbm", material)["roc_auc"]}
    if pairs:
        found["tv2"] = measure("fidelity", material)["tv2"]
    return found


def held_out(dataset: Dataset, seed: int, rows: int | None = None) -> Dataset:
    """Learn from three quarters of the training rows (or from some of them), score on the last one."""
    rng = np.random.default_rng(seed)
    label = np.array(dataset.train[dataset.target].to_pylist()).astype(str)
    test = np.zeros(len(label), dtype=bool)
    for value in np.unique(label):
        members = rng.permutation(np.flatnonzero(label == value))
        test[members[: max(1, len(members) // 4)]] = True
    kept = rng.permutation(np.flatnonzero(~test))[:rows]
    return replace(
        dataset, train=dataset.train.take(pa.array(kept)), test=dataset.train.filter(pa.array(test))
    )


def each(
    task: Callable[..., dict[str, Any]], cases: Iterable[tuple[Any, ...]], *, jobs: int
) -> list[dict[str, Any]]:
    """Run a task on every case, in processes of one thread each, and print results as they come."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    listed = list(cases)
    if jobs == 1:
        results = (task(*case) for case in listed)
        return [_shown(result) for result in results]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        return [_shown(future.result()) for future in [pool.submit(task, *case) for case in listed]]


def options(about: str | None) -> argparse.ArgumentParser:
    """The options that every script has."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--out", help="append results to this file, one JSON object a line")
    return parser


def keep(results: list[dict[str, Any]], path: str | None) -> None:
    """Append results to a file of JSON lines."""
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(result) + "\n" for result in results)


def _shown(result: dict[str, Any]) -> dict[str, Any]:
    print(json.dumps(result), flush=True)
    return result
