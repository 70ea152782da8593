"""Is mosaic above its floor? Mosaic beside naive-bayes or others, the same seeds, test or held-out rows.

With `--held-out` every seed holds out another quarter of the training rows, class by class, and scores on it;
`--rows` learns from so many of the others only. Without, the test rows are scored. `--no-delta` asks for a
guarantee without a delta. Printed: the mean AUC and two-way distance of every method, and the mean of
mosaic's gains in AUC with its standard error. `--beside` names other methods than naive-bayes.

    python bench/mosaic_floor.py --data cervical --seeds 50
    python bench/mosaic_floor.py --data cervical --seeds 50 --held-out
    python bench/mosaic_floor.py --data adult --seeds 24 --held-out --rows 1000
    python bench/mosaic_floor.py --data adult --seeds 4 --held-out --no-delta --epsilon 3
    python bench/mosaic_floor.py --data census --seeds 4 --held-out --rows 2000 --beside naive-bayes mst
"""

from __future__ import annotations

import numpy as np
from trials import each, held_out, keep, options, released, scored

from triplea.bench.datasets import load_dataset

OURS = "mosaic"


def trial(
    data: str, epsilon: float, seed: int, apart: bool, rows: int | None, pure: bool, beside: tuple[str, ...]
) -> dict:
    dataset = load_dataset(data)
    if apart:
        dataset = held_out(dataset, seed, rows)
    asked = {"epsilon": epsilon, "seed": seed, "delta": 0.0 if pure else None}
    found = {"data": data, "epsilon": epsilon, "seed": seed, "held_out": apart, "rows": rows, "pure": pure}
    for method in (OURS, *beside):
        made = released(dataset, method=method, **asked)
        scores = scored(dataset, made, seed=seed, pairs=True)
        found |= {method: scores["auc"], f"{method} tv2": scores["tv2"]}
    return found


def shown(results: list[dict], beside: tuple[str, ...]) -> None:
    ours = np.array([result[OURS] for result in results])
    print(f"{OURS} {ours.mean():.4f}, two-way distance {np.mean([r[f'{OURS} tv2'] for r in results]):.4f}")
    for method in beside:
        gap = ours - np.array([result[method] for result in results])
        error = gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else float("nan")
        apart = np.mean([result[f"{method} tv2"] for result in results])
        print(
            f"{method} {np.mean([result[method] for result in results]):.4f}, two-way distance {apart:.4f}; "
            f"{OURS} {gap.mean():+.4f} ± {error:.4f}"
        )


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="cervical")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--held-out", action="store_true", help="score on held-out training rows")
    parser.add_argument("--rows", type=int, help="learn from so many rows only (with --held-out)")
    parser.add_argument("--no-delta", action="store_true", help="a guarantee by epsilon alone")
    parser.add_argument("--beside", nargs="*", default=["naive-bayes"], help="methods to compare with")
    given = parser.parse_args()
    beside = tuple(given.beside)
    cases = [
        (given.data, given.epsilon, seed, given.held_out, given.rows, given.no_delta, beside)
        for seed in range(given.seeds)
    ]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    shown(results, beside)


if __name__ == "__main__":
    main()
