"""DP-MERF's goals, and its paper's Table 2 beside ours, as tables in Markdown.

The goal is the paper's number minus 0.02: the mean over twelve classifiers of ROC (weighted F1 for several
classes) from hard labels. Beside it stands LightGBM's AUC by scores on rows that are not undersampled.

    triplea bench run dp-merf-tabular --out merf.jsonl
    python bench/dp_merf_tables.py census/dp-merf --method dp-cgan --subset 5000 > part.jsonl
    python bench/merf_goals.py merf.jsonl part.jsonl

Then Table 2 by the areas under precision and recall, which the paper takes from hard labels as well.
Lines of `dp_merf_tables.py` with a subset fill in where the grid has no run; they are marked with a star.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

# table: (real, DP-CGAN, DP-MERF) as the paper's Table 2 prints them
PAPER = {
    "adult": (0.730, 0.509, 0.650), "census": (0.747, 0.655, 0.686), "cervical": (0.786, 0.519, 0.545),
    "credit": (0.923, 0.664, 0.772), "epileptic": (0.797, 0.578, 0.611), "isolet": (0.893, 0.511, 0.547),
    "covtype": (0.643, 0.285, 0.467), "intrusion": (0.959, 0.302, 0.850),
}  # fmt: skip
PAPER_PRC = {
    "adult": (0.639, 0.444, 0.564), "census": (0.415, 0.216, 0.358), "cervical": (0.493, 0.200, 0.184),
    "credit": (0.874, 0.356, 0.637), "epileptic": (0.617, 0.241, 0.340), "isolet": (0.728, 0.198, 0.404),
}  # fmt: skip
SLACK = 0.02
F1 = ("covtype", "intrusion")
OURS = (("real", "provable"), ("dp-cgan", "provable"), ("dp-cgan", "published"), ("dp-merf", "provable"),
        ("dp-merf", "published"))  # fmt: skip
Runs = dict[tuple[str, str, str, str], list[float]]


def collected(lines: list[dict[str, Any]]) -> Runs:
    """Scores over seeds, by method, variant, data set and metric; a star marks subsets."""
    found: Runs = defaultdict(list)
    for record in lines:
        if "cell" not in record:
            key = (record["method"], record["variant"], record["data"])
            for metric in ("roc_hard", "prc_hard", "f1_weighted"):
                if f"mean {metric}" in record:
                    found[*key, f"*{metric}"].append(record[f"mean {metric}"])
        elif record["status"] == "ok":
            cell = record["cell"]
            key = (cell["method"], cell["variant"], cell["dataset"])
            for metric, value in record["scores"].items():
                found[*key, f"{cell['evaluator']}:{metric}"].append(value)
    return found


def metric_of(name: str) -> str:
    """What the paper prints for a table."""
    return "f1_weighted" if name in F1 else "roc_hard"


def goals(found: Runs) -> str:
    """The provable variant beside its goals."""
    lines = [
        "| table | metric | paper | goal | measured | runs | reached | LightGBM AUC, all rows | real |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, (_, _, paper) in PAPER.items():
        own = ("dp-merf", "provable")
        runs = found.get((*own, f"{name}/dp-merf", f"twelve:mean.{metric_of(name)}"), [])
        whole = found.get((*own, name, "lightgbm:roc_auc"), [])
        ours = f"{np.mean(runs):.3f} ± {np.std(runs):.3f}" if runs else "-"
        reached = "-" if not runs else "yes" if np.mean(runs) >= paper - SLACK else "**no**"
        real = found.get(("real", "provable", name, "lightgbm:roc_auc"), [])
        auc = " | ".join(f"{np.mean(scores):.3f}" if scores else "-" for scores in (whole, real))
        goal = f"{paper:.3f} | {paper - SLACK:.3f}"
        label = "F1" if name in F1 else "ROC"
        lines.append(f"| {name} | {label} | {goal} | {ours} | {len(runs)} | {reached} | {auc} |")
    return "\n".join(lines)


def table_2(found: Runs, paper: dict[str, tuple[float, float, float]], metrics: dict[str, str]) -> str:
    """Every method that we have, beside what the paper prints; in brackets the number of runs."""
    lines = [
        "| table | real: paper | ours | DP-CGAN: paper | provable | published | DP-MERF: paper | provable | "
        "published |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, (real, cgan, merf) in paper.items():
        ours = []
        for method, variant in OURS:
            key, metric = (method, variant, f"{name}/dp-merf"), metrics[name]
            whole = found.get((*key, f"twelve:mean.{metric}"), [])
            runs = whole or found.get((*key, f"*{metric}"), [])
            star = "" if whole else "\\*"
            ours.append(f"{np.mean(runs):.3f}{star} ({len(runs)})" if runs else "-")
        lines.append(
            f"| {name} | {real:.3f} | {ours[0]} | {cgan:.3f} | {ours[1]} | {ours[2]} | {merf:.3f} | "
            f"{ours[3]} | {ours[4]} |"
        )
    return "\n".join(lines)


def main() -> None:
    texts = [Path(name).read_text() for name in sys.argv[1:]]
    found = collected([json.loads(line) for text in texts for line in text.splitlines() if line.strip()])
    print(goals(found))
    print()
    print(table_2(found, PAPER, {name: metric_of(name) for name in PAPER}))
    print()
    print(table_2(found, PAPER_PRC, dict.fromkeys(PAPER_PRC, "prc_hard")))


if __name__ == "__main__":
    main()
