"""What each part of DP-MERF's features is worth: the same release with one thing changed at a time.

Models are trained on synthetic rows and tested on real ones; epsilon = 1, delta = 1e-5, replace-one
neighbours. AUC is LightGBM's, by scores; ROC is the mean over four quick models (logistic regression, naive
Bayes twice, a tree) from hard labels, as DP-MERF's paper has it. With --held-out the real rows are a quarter
of the training rows that the release has not seen: the test rows stay unread, so a default may be chosen.

    python bench/merf_ablation.py adult/dp-merf credit/dp-merf --seeds 3 --jobs 16 --out ablation.jsonl
    python bench/merf_ablation.py adult/dp-merf --held-out --changes "as it is" "one harmonic"
    python bench/merf_ablation.py --show ablation.jsonl

Appends a line of JSON for every release to --out, and prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

CHANGES: dict[str, dict[str, Any]] = {
    "as it is": {},
    "one bandwidth (1)": {"bandwidths": [1.0]},
    "narrow bandwidth (0.3)": {"bandwidths": [0.3]},
    "no harmonics, joint waves only": {"harmonics": 0, "joint_share": 0.6},
    "harmonics only, no joint waves": {"features": 0},
    "few joint waves' weight (0.1)": {"joint_share": 0.1},
    "one harmonic": {"harmonics": 1},
    "categories turn the joint waves": {"turn": 1.0},
    "100 features": {"features": 100},
    "2,000 features": {"features": 2000},
    "public ranges, no quantiles": {"scale": "bounds"},
    "class sizes asked for apart": {"sizes_share": 0.1},
}
QUICK = ("logistic_regression", "gaussian_naive_bayes", "bernoulli_naive_bayes", "decision_tree")
Line = dict[str, Any]


def measured(name: str, change: str, seed: int, unseen: bool) -> Line:
    """LightGBM's AUC, and the mean ROC from hard labels of the quick models."""
    from merf_held_out import held_out

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
    dataset = held_out(dataset, seed) if unseen else dataset
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
    what = {"data": name, "change": change, "seed": seed, "held out": unseen}
    return {**what, "auc": lightgbm(material)["roc_auc"], "roc": float(np.mean(found))}


def table(lines: list[Line]) -> str:
    """Means over seeds: AUC and ROC for every data set, a row for each change."""
    names = list(dict.fromkeys(line["data"] for line in lines))
    rows = ["| features | " + " | ".join(f"{name}: AUC, ROC" for name in names) + " |"]
    rows.append("|---|" + "---|" * len(names))
    for change in dict.fromkeys(line["change"] for line in lines):
        cells = []
        for name in names:
            own = [line for line in lines if (line["data"], line["change"]) == (name, change)]
            means = [np.mean([line[score] for line in own]) for score in ("auc", "roc")] if own else []
            cells.append(f"{means[0]:.3f}, {means[1]:.3f} ({len(own)})" if own else "-")
        rows.append(f"| {change} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("datasets", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--changes", nargs="+", default=list(CHANGES), choices=list(CHANGES), metavar="NAME")
    parser.add_argument("--held-out", action="store_true", help="test on training rows that were left out")
    parser.add_argument("--out", type=Path, default=Path("merf-ablation.jsonl"))
    parser.add_argument("--show", type=Path, nargs="+", help="print the table of these files, run nothing")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    cells = [(name, change, seed, options.held_out) for seed in seeds for name in options.datasets
             for change in options.changes]  # fmt: skip
    if not options.show:
        with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
            for line in pool.map(measured, *zip(*cells, strict=True)):
                with options.out.open("a") as lines:
                    lines.write(json.dumps(line) + "\n")
    texts = [path.read_text() for path in options.show or [options.out]]
    print(table([json.loads(line) for text in texts for line in text.splitlines()]))


if __name__ == "__main__":
    main()
