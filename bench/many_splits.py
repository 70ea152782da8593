"""How much does the split weigh? LightGBM's AUC over many stratified splits, each with fresh noise.

One split of Credit has 123 frauds to test on: a single one that moves from the end of the ranking to its top
is .008 of AUC. Split number s is scikit-learn's train_test_split(test_size=0.25, stratify=target,
random_state=s), and s seeds the noise too. Printed: means, standard errors, and the gap to real rows.

    python bench/many_splits.py --data credit/stratified --splits 40 --out splits.jsonl
"""

from __future__ import annotations

import numpy as np
from trials import keep, options, released

from triplea.bench.datasets import load_dataset
from triplea.bench.evaluators import Material, measure


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="credit/stratified")
    parser.add_argument("--methods", nargs="+", default=["mosaic", "naive-bayes"])
    parser.add_argument("--splits", type=int, default=40)
    given = parser.parse_args()
    found = []
    for number in range(given.splits):
        dataset = load_dataset(given.data, split=number)
        tables = {"real": dataset.train} | {
            method: released(dataset, method=method, epsilon=1.0, seed=number) for method in given.methods
        }
        scores = {
            name: measure("lightgbm", Material(dataset=dataset, synthetic=rows, seed=number))["roc_auc"]
            for name, rows in tables.items()
        }
        found.append(scores)
        keep([{"data": given.data, "split": number, **scores}], given.out)
        print(number, *(f"{name} {value:.4f}" for name, value in scores.items()), flush=True)
    for name in found[0]:
        values = np.array([scores[name] for scores in found])
        gaps = values - np.array([scores["real"] for scores in found])
        root = np.sqrt(len(values))
        print(
            f"{name}: {values.mean():.4f} ± {values.std(ddof=1) / root:.4f}, "
            f"minus real rows {gaps.mean():+.4f} ± {gaps.std(ddof=1) / root:.4f}"
        )


if __name__ == "__main__":
    main()
