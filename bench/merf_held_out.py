"""DP-MERF's settings for a small table, judged on held-out training rows only: the test rows stay unread.

Every run leaves out another random quarter of each class of the training rows, makes a release of the others
(epsilon = 1, delta = 1e-5, replace-one neighbours) and tests twelve classifiers on the quarter: mean ROC from
hard labels, as in DP-MERF's paper. Appends a line of JSON for every setting to --out.

    python bench/merf_held_out.py cervical/dp-merf --runs 20 --params '{}' '{"focus": 1}'
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.evaluators import Material, twelve
from triplea.engines import LocalEngine
from triplea.registry import create_method
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table

HELD_OUT = 4  # one row in so many


def held_out(dataset: Dataset, seed: int) -> Dataset:
    """The training rows alone: three quarters of every class to release, one to test on."""
    classes = dataset.train[dataset.target].to_numpy(zero_copy_only=False)
    rng, tested = np.random.default_rng(seed), np.zeros(len(classes), dtype=bool)
    for label in np.unique(classes):
        rows = rng.permutation(np.flatnonzero(classes == label))
        tested[rows[: len(rows) // HELD_OUT]] = True
    return replace(dataset, train=dataset.train.filter(~tested), test=dataset.train.filter(tested))


def score(dataset: Dataset, params: dict[str, Any], seed: int) -> tuple[float, float]:
    """Mean ROC from hard labels, and mean AUC from scores, of one release."""
    part = held_out(dataset, seed)
    method = create_method("dp-merf", params=params)
    request = prepare(
        schema=part.schema, epsilon=1.0, delta=1e-5, neighbours="replace-one", method=method,
        rows=part.train.num_rows,
    )  # fmt: skip
    table = open_table(part.train, schema=request.schema)
    rows = run(request, table, seed=seed, engine=LocalEngine(threads=1)).rows
    found = twelve(Material(dataset=part, synthetic=rows, seed=seed))
    return found["mean.roc_hard"], found["mean.roc_auc"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--params", nargs="+", default=["{}"], help="settings as JSON")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    dataset = load_dataset(options.dataset)
    for text in options.params:
        params = json.loads(text)
        pairs = np.array([score(dataset, params, seed) for seed in range(options.runs)])
        means, error = pairs.mean(axis=0), pairs[:, 0].std() / np.sqrt(options.runs)
        line = {"data": options.dataset, "params": params, "runs": options.runs, "roc": round(means[0], 4),
                "standard error": round(error, 4), "auc": round(means[1], 4)}  # fmt: skip
        print(json.dumps(line), flush=True)
        if options.out:
            with options.out.open("a") as lines:
                lines.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
