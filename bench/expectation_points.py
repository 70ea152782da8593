"""Measure the points from which `triplea plan` says what quality to expect, and write them into the package.

Adult in parts of several sizes, and other public tables as they are, at several epsilons: which share of the
real rows' gain over a coin does a classifier keep, if it is trained on the release?

    python bench/expectation_points.py --seeds 3 --jobs 8
"""

from __future__ import annotations

import dataclasses
import json
import shlex
import sys
from pathlib import Path

import numpy as np
from trials import each, keep, options, released, scored

from triplea.bench.datasets import load_dataset

FILE = Path(__file__).parents[1] / "src" / "triplea" / "releases" / "reference_points.json"
PAGE = Path(__file__).parents[1] / "docs" / "results" / "expectation.md"
POINTS = [
    *(("adult", rows, 1.0) for rows in (500, 1500, 5000, 15_000, None)),
    *(("adult", None, epsilon) for epsilon in (0.1, 0.3, 3.0, 10.0)),
    ("phishing", None, 1.0),
    ("phishing", None, 0.1),
    ("diabetes", None, 1.0),
    ("diabetes", None, 10.0),
    ("census", None, 1.0),
    ("credit", None, 1.0),
    ("isolet", None, 1.0),
    ("epileptic", None, 1.0),
]


def trial(data: str, rows: int | None, epsilon: float, seed: int) -> dict:
    dataset = load_dataset(data)
    if rows is not None:
        chosen = np.random.default_rng(seed).permutation(dataset.train.num_rows)[:rows]
        dataset = dataclasses.replace(dataset, train=dataset.train.take(np.sort(chosen)))
    ours = scored(dataset, released(dataset, method="mosaic", epsilon=epsilon, seed=seed), seed=seed)["auc"]
    real = scored(dataset, dataset.train, seed=seed)["auc"]
    return {
        "table": data,
        "rows": dataset.train.num_rows,
        "columns": len(dataset.train.column_names),
        "epsilon": epsilon,
        "seed": seed,
        "auc": ours,
        "real": real,
    }


def summary(results: list[dict]) -> list[dict]:
    """One point for each table, size and epsilon: mean over seeds."""
    points = []
    for key in dict.fromkeys((r["table"], r["rows"], r["columns"], r["epsilon"]) for r in results):
        same = [r for r in results if (r["table"], r["rows"], r["columns"], r["epsilon"]) == key]
        auc, real = (float(np.mean([r[name] for r in same])) for name in ("auc", "real"))
        point = dict(zip(("table", "rows", "columns", "epsilon"), key, strict=True))
        kept = max(0.0, (auc - 0.5) / (real - 0.5))
        points.append(
            {
                **point,
                "seeds": len(same),
                "auc": round(auc, 4),
                "real": round(real, 4),
                "kept": round(kept, 3),
            }
        )
    return sorted(points, key=lambda point: (point["rows"] * point["epsilon"], point["table"]))


def page(points: list[dict], command: str) -> str:
    """The page of results, with the command that made it."""
    lines = [
        "# What quality to expect",
        "",
        "What `triplea plan` compares with: mosaic on public tables, LightGBM trained on the release and",
        "tested on real rows. Kept: the share of the real rows' gain over a coin (AUC .5) that is left; the",
        "real rows are the same part of the table. Delta is one over the rows. Adult was used while mosaic",
        "was made, so its lines may flatter.",
        "",
        "```console",
        f"$ {command}",
        "```",
        "",
        "| table | rows | columns | epsilon | rows x epsilon | seeds | real AUC | release AUC | kept |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for p in points:
        size = f"{p['rows']:,} | {p['columns']} | {p['epsilon']:g} | {p['rows'] * p['epsilon']:,.0f}"
        scores = f"{p['seeds']} | {p['real']:.4f} | {p['auc']:.4f} | {p['kept']:.3f}"
        lines.append(f"| {p['table']} | {size} | {scores} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--only", action="append", help="keep points of this table; may be repeated")
    given = parser.parse_args()
    points = [point for point in POINTS if not given.only or point[0] in given.only]
    results = each(
        trial, [(*point, seed) for point in points for seed in range(given.seeds)], jobs=given.jobs
    )
    keep(results, given.out)
    FILE.write_text(json.dumps(summary(results), indent=1) + "\n", encoding="utf-8")
    command = shlex.join(["python", "bench/expectation_points.py", *sys.argv[1:]])
    PAGE.write_text(page(summary(results), command), encoding="utf-8")


if __name__ == "__main__":
    main()
