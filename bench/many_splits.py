"""How much does the split weigh? LightGBM's AUC over many stratified splits, each with fresh noise.

One split of Credit has 123 frauds to test on: a single one that moves from the end of the ranking to its top
is .008 of AUC. Split number s is scikit-learn's train_test_split(test_size=0.25, stratify=target,
random_state=s), and s seeds the noise too. Printed: means, standard errors, and the gap to real rows.

    python bench/many_splits.py --data credit/stratified --seeds 40 --jobs 2 --out splits.jsonl
"""

from __future__ import annotations

from typing import Any

import numpy as np
from trials import each, keep, options, released, scored

from triplea.bench.datasets import load_dataset


def trial(data: str, split: int, methods: list[str]) -> dict[str, Any]:
    """AUC of the real rows of a split, and of each method's release of them."""
    dataset = load_dataset(data, split=split)
    tables = {"real": dataset.train} | {
        method: released(dataset, method=method, epsilon=1.0, seed=split) for method in methods
    }
    aucs = {name: scored(dataset, rows, seed=split)["auc"] for name, rows in tables.items()}
    return {"data": data, "split": split, **aucs}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="credit/stratified")
    parser.add_argument("--methods", nargs="+", default=["mosaic", "naive-bayes"])
    given = parser.parse_args()
    cases = [(given.data, split, given.methods) for split in range(given.seeds)]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    for name in ("real", *given.methods):
        values = np.array([result[name] for result in results])
        gaps = values - np.array([result["real"] for result in results])
        error = 1.0 / np.sqrt(len(values))
        print(
            f"{name}: {values.mean():.4f} ± {values.std(ddof=1) * error:.4f}, "
            f"minus real rows {gaps.mean():+.4f} ± {gaps.std(ddof=1) * error:.4f}"
        )


if __name__ == "__main__":
    main()
