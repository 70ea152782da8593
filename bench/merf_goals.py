"""DP-MERF's goals beside what was measured, as a table in Markdown, from the results of two grids.

The goal is the paper's number minus 0.02: the mean over twelve classifiers of ROC (weighted F1 for several
classes) from hard labels. Beside it stands LightGBM's AUC by scores on rows that are not undersampled.

    triplea bench run dp-merf-tabular --only method=dp-merf --only variant=provable --out merf.jsonl
    python bench/merf_goals.py merf.jsonl
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

PAPER = {
    "adult": 0.650, "census": 0.686, "cervical": 0.545, "credit": 0.772, "epileptic": 0.611, "isolet": 0.547,
    "covtype": 0.467, "intrusion": 0.850,
}  # fmt: skip
SLACK = 0.02
F1 = ("covtype", "intrusion")


def collected(path: Path) -> dict[tuple[str, str], list[float]]:
    """Scores by data set and metric, over seeds; only the provable variant."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for line in path.read_text().splitlines():
        record = json.loads(line)
        cell = record["cell"]
        if record["status"] == "ok" and cell["method"] == "dp-merf" and cell.get("variant") == "provable":
            for metric, value in record["scores"].items():
                found[cell["dataset"], f"{cell['evaluator']}:{metric}"].append(value)
    return found


def main() -> None:
    found = collected(Path(sys.argv[1]))
    print("| table | metric | paper | goal | ours | spread | runs | reached | LightGBM AUC, all rows |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, paper in PAPER.items():
        metric = "f1_weighted" if name in F1 else "roc_hard"
        runs = found.get((f"{name}/dp-merf", f"twelve:mean.{metric}"), [])
        whole = found.get((name, "lightgbm:roc_auc"), [])
        label = "F1" if name in F1 else "ROC"
        ours = f"{np.mean(runs):.3f} | {np.std(runs):.3f}" if runs else "- | -"
        reached = "-" if not runs else "yes" if np.mean(runs) >= paper - SLACK else "**no**"
        auc = f"{np.mean(whole):.3f} ({len(whole)} runs)" if whole else "-"
        goal = f"{paper:.3f} | {paper - SLACK:.3f}"
        print(f"| {name} | {label} | {goal} | {ours} | {len(runs)} | {reached} | {auc} |")


if __name__ == "__main__":
    main()
