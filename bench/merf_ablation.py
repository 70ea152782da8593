"""What each part of DP-MERF's features is worth: the same release with one thing changed at a time.

Models are trained on synthetic rows and tested on real ones; epsilon = 1, delta = 1e-5, replace-one
neighbours. AUC is LightGBM's, by scores; ROC is the mean over four quick models (logistic regression, naive
Bayes twice, a tree) from hard labels, as DP-MERF's paper has it. Prints a table in Markdown.

    python bench/merf_ablation.py adult/dp-merf epileptic/dp-merf isolet/dp-merf --seeds 3 --jobs 16
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

CHANGES: dict[str, dict[str, Any]] = {
    "as it is": {},
    "one bandwidth (1)": {"bandwidths": [1.0]},
    "narrow bandwidth (0.3)": {"bandwidths": [0.3]},
    "no harmonics, joint waves only": {"harmonics": 0, "joint_share": 0.6},
    "harmonics only, no joint waves": {"features": 0},
    "one harmonic": {"harmonics": 1},
    "categories turn the joint waves": {"turn": 1.0},
    "100 features": {"features": 100},
    "2,000 features": {"features": 2000},
    "public ranges, no quantiles": {"scale": "bounds"},
    "class sizes asked for apart": {"sizes_share": 0.1},
}
QUICK = ("logistic_regression", "gaussian_naive_bayes", "bernoulli_naive_bayes", "decision_tree")


def scores(name: str, change: str, seed: int) -> tuple[float, float]:
    """LightGBM's AUC, and the mean ROC from hard labels of the quick models."""
    from triplea.bench.datasets import load_dataset
    from triplea.bench.evaluators import Material, lightgbm
    from triplea.engines import LocalEngine
    from triplea.evaluate.fitting import fit_classifier
    from triplea.evaluate.label_scores import confusion_matrix
    from triplea.evaluate.models import TWELVE
    from triplea.registry import create_method
    from triplea.releases.request import prepare
    from triplea.releases.run import run
    from triplea.tables import open_table

    dataset = load_dataset(name)
    request = prepare(
        schema=dataset.schema, epsilon=1.0, delta=1e-5, neighbours="replace-one",
        method=create_method("dp-merf", params=CHANGES[change]), rows=dataset.train.num_rows,
    )  # fmt: skip
    table = open_table(dataset.train, schema=request.schema)
    made = run(request, table, seed=seed, engine=LocalEngine(threads=1)).rows
    material = Material(dataset=dataset, synthetic=made, seed=seed)
    task, found = material.task, []
    for model in (model for model in TWELVE if model.name in QUICK):
        part, classes = task.synthetic, len(task.classes)
        fitted = fit_classifier(model, part.features, part.target, classes, settings=material.settings)
        matrix = confusion_matrix(task.test.target, fitted.predict(task.test.features)[1], classes)
        found.append(np.mean(np.diag(matrix) / np.maximum(matrix.sum(axis=1), 1)))  # ROC of hard labels
    return lightgbm(material)["roc_auc"], float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--changes", nargs="+", default=list(CHANGES), choices=list(CHANGES), metavar="NAME")
    options = parser.parse_args()
    cells = [(name, change, seed) for change in options.changes for name in options.datasets
             for seed in range(options.seeds)]  # fmt: skip
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        found = dict(zip(cells, pool.map(scores, *zip(*cells, strict=True)), strict=True))
    print("| features | " + " | ".join(f"{name} AUC, ROC" for name in options.datasets) + " |")
    print("|---|" + "---|" * len(options.datasets))
    for change in options.changes:
        cells_of = [[found[name, change, seed] for seed in range(options.seeds)] for name in options.datasets]
        means = [np.mean(pairs, axis=0) for pairs in cells_of]
        print(f"| {change} | " + " | ".join(f"{auc:.3f}, {roc:.3f}" for auc, roc in means) + " |")


if __name__ == "__main__":
    main()
