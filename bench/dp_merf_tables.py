"""DP-MERF on its paper's data sets: the paper's own metric, and LightGBM's AUC beside it.

The paper's metric is the mean over twelve classifiers of ROC from hard labels (weighted F1 with several
classes), on the paper's splits and undersampled rows, replace-one neighbours. With --lightgbm only LightGBM
is trained, which is quick. Data set names are those of `triplea bench`: "credit/dp-merf" is undersampled as
in the paper, "credit" is not.

    python bench/dp_merf_tables.py credit/dp-merf isolet/dp-merf --seeds 3
    python bench/dp_merf_tables.py census/dp-merf --method dp-cgan --subset 5000
    python bench/dp_merf_tables.py adult --lightgbm --neighbours add-or-remove-one --params '{"features": 0}'
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from triplea.bench.datasets import load_dataset
from triplea.bench.evaluators import Material, lightgbm, twelve
from triplea.engines import LocalEngine
from triplea.registry import create_method
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table

SHOWN = ("roc_hard", "prc_hard", "f1_weighted", "accuracy", "roc_auc")


def one(dataset, seed: int, options: argparse.Namespace) -> dict[str, float]:
    method = create_method(options.method, variant=options.variant, params=json.loads(options.params))
    request = prepare(
        schema=dataset.schema,
        epsilon=options.epsilon,
        delta=1e-5,
        method=method,
        neighbours=options.neighbours,
        rows=min(dataset.train.num_rows, options.rows),
    )
    begin = time.process_time()
    table = open_table(dataset.train, schema=request.schema)
    made = run(request, table, seed=seed, engine=LocalEngine(threads=1))
    rows = made.rows
    found = {"release cpu s": time.process_time() - begin, "steps": 50 * len(getattr(method, "losses_", []))}
    if options.subset:  # few rows for the twelve models, where all would take hours
        rng = np.random.default_rng(seed)
        rows = rows.take(np.sort(rng.permutation(rows.num_rows)[: options.subset]))
    material = Material(dataset=dataset, synthetic=rows, seed=seed)
    if options.lightgbm:
        return {**found, **{name: value for name, value in lightgbm(material).items() if name in SHOWN}}
    scores = twelve(material)
    means = {f"mean {name}": scores[f"mean.{name}"] for name in SHOWN if f"mean.{name}" in scores}
    return {**found, **means, "lightgbm roc_auc": scores["lightgbm.roc_auc"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--method", default="dp-merf")
    parser.add_argument("--variant", default="provable")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--neighbours", default="replace-one")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--params", default="{}")
    parser.add_argument("--rows", type=int, default=10**9, help="release at most this many rows")
    parser.add_argument("--subset", type=int, default=0, help="train models on this many released rows")
    parser.add_argument("--lightgbm", action="store_true")
    options = parser.parse_args()
    for name in options.datasets:
        dataset = load_dataset(name)
        first = options.first_seed
        runs = [one(dataset, seed, options) for seed in range(first, first + options.seeds)]
        means = {key: round(float(np.mean([run[key] for run in runs])), 4) for key in runs[0]}
        spread = {key: round(float(np.std([run[key] for run in runs])), 4) for key in runs[0]}
        what = {"data": name, "method": options.method, "variant": options.variant, "params": options.params}
        how = {"epsilon": options.epsilon, "runs": options.seeds, "subset": options.subset}
        print(json.dumps({**what, **how, **means, "sd": spread}), flush=True)


if __name__ == "__main__":
    main()
