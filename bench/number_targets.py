"""A number as the target: R2 of LightGBM on real rows, and the two-way distance, for releases and real rows.

`made-up:cost` is a table without any privacy: what stays in a hospital cost, with a long tail.

python bench/number_targets.py --case adult:hours_per_week --case census:age --seeds 5 --jobs 2
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
from trials import each, keep, options, released

from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.evaluators import Material, measure

CASES = (
    "adult:hours_per_week", "adult:age", "adult:capital_gain", "census:age", "covtype:elevation",
    "made-up:cost",
)  # fmt: skip
METHODS = ("real", "mosaic", "naive-bayes")


def made_up(rows: int, seed: int) -> pa.Table:
    """Ages, wards, days and smoking, and costs that go by the days and by what else is there."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.gamma(9, 6, rows), 0, 105).round().astype(int)
    ward = rng.choice(["north", "south", "east", "west"], rows, p=[0.4, 0.3, 0.2, 0.1])
    smoker = rng.random(rows) < 0.15 + 0.2 * (ward == "east")
    days = np.maximum(rng.exponential(1 + age / 15 + 4 * (ward == "west")), 0.1).round(1)
    cost = (900 * days + 2500 * smoker + rng.lognormal(5, 1, rows)).round(2)
    return pa.table({"age": age, "ward": ward, "smoker": smoker, "days": days, "cost": cost})


MADE_UP = {
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 105},
        {"name": "ward", "kind": "categorical", "categories": ["north", "south", "east", "west"]},
        {"name": "smoker", "kind": "boolean"},
        {"name": "days", "kind": "numeric", "lower": 0, "upper": 100, "decimals": 1},
        {"name": "cost", "kind": "numeric", "lower": 0, "upper": 100_000, "decimals": 2},
    ]
}


def about(case: str, rows: int) -> Dataset:
    """The data set with this column as its target, and at most so many training rows."""
    name, target = case.split(":")
    if name == "made-up":
        train, test = made_up(min(rows, 30_000), 1), made_up(10_000, 2)
        return Dataset(
            name=name,
            schema={**MADE_UP, "target": target},
            target=target,
            train=train,
            test=test,
            note="",
            scoring={},
        )
    dataset = load_dataset(name)
    kept = np.random.default_rng(0).permutation(dataset.train.num_rows)[:rows]
    schema = {**dataset.schema, "target": target}
    return dataclasses.replace(dataset, schema=schema, target=target, train=dataset.train.take(np.sort(kept)))


def trial(case: str, method: str, epsilon: float, seed: int, rows: int) -> dict:
    dataset = about(case, rows)
    made = dataset.train if method == "real" else released(dataset, method=method, epsilon=epsilon, seed=seed)
    material = Material(dataset=dataset, synthetic=made, seed=seed)
    found = {"r2": measure("lightgbm", material)["r2"], "tv2": measure("fidelity", material)["tv2"]}
    return {"case": case, "method": method, "epsilon": epsilon, "seed": seed, **found}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--case", action="append", help=f"DATA:COLUMN, may be repeated (default: {CASES})")
    parser.add_argument("--epsilon", type=float, action="append", help="may be repeated (default: 1)")
    parser.add_argument("--method", action="append", choices=METHODS)
    parser.add_argument("--rows", type=int, default=100_000, help="training rows at most")
    given = parser.parse_args()
    cases = [
        (case, method, epsilon, seed, given.rows)
        for case in given.case or CASES
        for method in given.method or METHODS
        for epsilon in (given.epsilon or [1.0] if method != "real" else [0.0])
        for seed in (range(given.seeds) if method != "real" else [0])
    ]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    print("\n| target | method | epsilon | R2 | two-way distance |\n|---|---|---|---|---|")
    for case, method, epsilon in dict.fromkeys(key[:3] for key in cases):
        same = [r for r in results if (r["case"], r["method"], r["epsilon"]) == (case, method, epsilon)]
        r2, tv2 = ([result[name] for result in same] for name in ("r2", "tv2"))
        spread = f" ± {np.std(r2, ddof=1):.3f}" if len(r2) > 1 else ""
        shown = epsilon if method != "real" else "-"
        print(f"| {case} | {method} | {shown} | {np.mean(r2):.3f}{spread} | {np.mean(tv2):.3f} |")


if __name__ == "__main__":
    main()
