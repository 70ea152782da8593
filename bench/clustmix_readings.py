"""Readings of the published ClustMix, compared on training rows that are held out: test rows play no part.

Every combination of the values given is one trial: the release is made of 75 % of the training rows, LightGBM
is trained on it and scored on the other 25 %.

    python bench/clustmix_readings.py --data adult/3a --codes one-hot ordinal --spread 0 0.1 --seeds 2
"""

from __future__ import annotations

import dataclasses
from itertools import product
from time import process_time
from typing import Any

import numpy as np
from trials import each, keep, options, released, scored

from triplea.approximate.codes.unit_code import TAIL
from triplea.bench.datasets import Dataset, load_dataset

HELD_OUT_SEED, KEPT = 5, 0.75


def held_out(dataset: Dataset) -> Dataset:
    """The training rows alone, cut into training and test rows."""
    rows = dataset.train.num_rows
    order = np.random.default_rng(HELD_OUT_SEED).permutation(rows)
    cut = int(rows * KEPT)
    train, test = (dataset.train.take(np.sort(part)) for part in (order[:cut], order[cut:]))
    return dataclasses.replace(dataset, train=train, test=test)


def trial(data: str, params: dict[str, Any], seed: int) -> dict[str, Any]:
    dataset = held_out(load_dataset(data))
    started = process_time()
    rows = released(dataset, method="clustmix", variant="published", epsilon=1.0, seed=seed, params=params)
    seconds = round(process_time() - started, 1)
    found = scored(dataset, rows, seed=seed)
    return {
        "data": data,
        **params,
        "seed": seed,
        "cpu_seconds": seconds,
        **found,
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="adult/3a")
    parser.add_argument("--codes", nargs="+", default=["one-hot"])
    parser.add_argument("--scaling", nargs="+", default=["min-max"])
    parser.add_argument("--sigma-max", nargs="+", type=float, default=[0.1])
    parser.add_argument("--spread", nargs="+", type=float, default=[0.0])
    parser.add_argument("--alpha", nargs="+", type=float, default=[1.0])
    parser.add_argument("--slices", nargs="+", type=int, default=[0])
    parser.add_argument("--tail", nargs="+", type=float, default=[TAIL], help="where normal scores are cut")
    given = parser.parse_args()
    names = ("codes", "scaling", "tail", "sigma_max", "spread", "alpha", "slices")
    settings = [
        dict(zip(names, values, strict=True)) for values in product(*(getattr(given, name) for name in names))
    ]
    cases = [(given.data, setting, seed) for setting in settings for seed in range(given.seeds)]
    keep(each(trial, cases, jobs=given.jobs), given.out)


if __name__ == "__main__":
    main()
