"""Is mosaic above its floor? Mosaic and naive-bayes, same seeds, on test or on held-out training rows.

With `--held-out` every seed holds out another quarter of the training rows, class by class, and scores on it;
`--rows` learns from so many of the others only. Without, the test rows are scored. `--no-delta` asks for a
guarantee without a delta. Printed: both means, the mean of the differences with its standard error, and both
mean distances of two-way margins.

    python bench/mosaic_floor.py --data cervical --seeds 50
    python bench/mosaic_floor.py --data cervical --seeds 50 --held-out
    python bench/mosaic_floor.py --data adult --seeds 24 --held-out --rows 1000
    python bench/mosaic_floor.py --data adult --seeds 4 --held-out --no-delta --epsilon 3
"""

from __future__ import annotations

import numpy as np
from trials import each, held_out, keep, options, released, scored

from triplea.bench.datasets import load_dataset

METHODS = ("mosaic", "naive-bayes")


def trial(data: str, epsilon: float, seed: int, apart: bool, rows: int | None, pure: bool) -> dict:
    dataset = load_dataset(data)
    if apart:
        dataset = held_out(dataset, seed, rows)
    asked = {"epsilon": epsilon, "seed": seed, "delta": 0.0 if pure else None}
    found = {"data": data, "epsilon": epsilon, "seed": seed, "held_out": apart, "rows": rows, "pure": pure}
    for method in METHODS:
        made = released(dataset, method=method, **asked)
        scores = scored(dataset, made, seed=seed, pairs=True)
        found |= {method: scores["auc"], f"{method} tv2": scores["tv2"]}
    return found


def shown(results: list[dict]) -> None:
    ours, floor = (np.array([result[method] for result in results]) for method in METHODS)
    gap = ours - floor
    error = gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else float("nan")
    print(f"mosaic {ours.mean():.4f}, naive-bayes {floor.mean():.4f}, {gap.mean():+.4f} ± {error:.4f}")
    apart = [np.mean([result[f"{method} tv2"] for result in results]) for method in METHODS]
    print(f"two-way distance: mosaic {apart[0]:.4f}, naive-bayes {apart[1]:.4f}")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="cervical")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--held-out", action="store_true", help="score on held-out training rows")
    parser.add_argument("--rows", type=int, help="learn from so many rows only (with --held-out)")
    parser.add_argument("--no-delta", action="store_true", help="a guarantee by epsilon alone")
    given = parser.parse_args()
    cases = [
        (given.data, given.epsilon, seed, given.held_out, given.rows, given.no_delta)
        for seed in range(given.seeds)
    ]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    shown(results)


if __name__ == "__main__":
    main()
