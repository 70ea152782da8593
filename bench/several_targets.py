"""Adult with several targets: LightGBM's score for each, with and without a tutor for it.

python bench/several_targets.py --seeds 3 --jobs 6
"""

from __future__ import annotations

import dataclasses

import numpy as np
from trials import each, keep, options, released, scored

from triplea.bench.datasets import load_dataset

LISTS = (("income",), ("income", "sex"), ("income", "sex", "race"))
SCORED = ("income", "sex")


def trial(targets: tuple[str, ...], epsilon: float, seed: int) -> dict:
    dataset = load_dataset("adult")
    schema = {**dataset.schema, "target": list(targets)}
    rows = released(dataclasses.replace(dataset, schema=schema), method="mosaic", epsilon=epsilon, seed=seed)
    found = {
        name: scored(dataclasses.replace(dataset, target=name), rows, seed=seed)["auc"] for name in SCORED
    }
    return {"targets": ", ".join(targets), "epsilon": epsilon, "seed": seed, **found}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--epsilon", type=float, default=1.0)
    given = parser.parse_args()
    cases = [(targets, given.epsilon, seed) for targets in LISTS for seed in range(given.seeds)]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    print(f"\n| targets | {' | '.join(SCORED)} |\n|---|{'---|' * len(SCORED)}")
    for targets in LISTS:
        same = [result for result in results if result["targets"] == ", ".join(targets)]
        means = [f"{np.mean([result[name] for result in same]):.4f}" for name in SCORED]
        print(f"| {', '.join(targets)} | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
