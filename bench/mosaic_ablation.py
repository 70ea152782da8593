"""Mosaic with each of its ideas switched off in turn: for mixed tables, for numbers, or for many numbers.

An idea that has a parameter is switched off by it; the others by replacing a part of the package within this
script's own processes, so the method itself carries no switches that nobody should use. With `--held-out`
every seed holds out another quarter of the training rows and scores on it.

    python bench/mosaic_ablation.py --data adult phishing --seeds 3 --jobs 16 --out ablation.jsonl
    python bench/mosaic_ablation.py --data isolet/stratified --seeds 5
    python bench/mosaic_ablation.py --data isolet/stratified --epsilon 10 --ideas "everything on" "no parts"
    python bench/mosaic_ablation.py --data credit/stratified --seeds 32 --held-out
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from time import process_time

import numpy as np
from trials import each, held_out, keep, options, released, scored

from triplea.approximate.codes import leaf_choice
from triplea.approximate.codes.bounded_shapes import bounded_code
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.gaussians import clean_spectrum, gaussian_classes
from triplea.approximate.mixtures import mixture_fit, taught_mixture
from triplea.bench.datasets import Dataset, load_dataset
from triplea.methods import _mosaic_lessons as lessons
from triplea.methods import _mosaic_narrow as narrow
from triplea.methods import _mosaic_parts as parts
from triplea.methods import _mosaic_shares as shares
from triplea.methods import _mosaic_tables as tables
from triplea.methods import _mosaic_wide as wide
from triplea.methods._mosaic_numbers import NumberMosaic, suits
from triplea.schema import Column, load_schema


def no_atoms() -> None:
    leaf_choice._find_atoms = lambda counts, *_: np.zeros(len(counts), dtype=bool)  # noqa: SLF001


def no_correction() -> None:
    shares.SHARES = {label: share for label, share in shares.UNLABELLED.items()}


def one_look() -> None:
    shares.LOOKS = (1, 1)


def no_crossed_weights() -> None:
    rest = {label: share for label, share in shares.SHARES.items() if label != shares.CROSSED}
    shares.SHARES = {**rest, shares.MISSES: rest[shares.MISSES] + shares.SHARES[shares.CROSSED]}


def always_300_steps() -> None:
    mixture_fit.FIRST_ROUND, mixture_fit.MET = 300, 0.0
    tables.fit_mixture = lambda *given, **options: mixture_fit.fit_mixture(
        *given, **{**options, "steps": 300}
    )


def no_trading() -> None:
    taught_mixture.balance_labels = lambda labels, *_: labels


def labels_as_taught() -> None:
    lessons.sharpen = lambda teacher, *_, **__: teacher


def noisy_categories() -> None:
    leaf_choice._likely = lambda counts, spread: np.where(counts > spread, counts, 1e-3)  # noqa: SLF001


def finest_pairs() -> None:
    tables.LEAST_PAIR_CELLS = 1_000


def independent_labels() -> None:
    def drawn(chances: np.ndarray, order: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return (rng.random(len(chances))[:, None] > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)

    no_trading()
    taught_mixture.draw_labels = drawn


def one_spread() -> None:
    wide.shares_spread = lambda _: True


def rough_patterns() -> None:
    clean_spectrum.ENOUGH = np.inf


def one_spread_of_rough_patterns() -> None:
    one_spread()
    rough_patterns()


def gaussian_columns() -> None:
    def straight(columns: Sequence[Column], means: np.ndarray, variances: np.ndarray) -> NumberCode:
        return dataclasses.replace(bounded_code(columns, means, variances), knots=None)

    wide.bounded_code = straight


def no_parts() -> None:
    parts.QUIET = np.inf


def unbent_columns() -> None:
    narrow.ALONE = np.inf


def draws_by_chance() -> None:
    gaussian_classes.MOST_EVEN = 0


def one_set_of_correlations() -> None:
    narrow.shares_correlations = lambda _: True


ALL_ON = "everything on"
NARROW = {
    ALL_ON: ({}, None),
    "columns not bent to their shapes": ({}, unbent_columns),
    "classes share their correlations": ({}, one_set_of_correlations),
    "small classes drawn by chance": ({}, draws_by_chance),
}
WIDE = {
    ALL_ON: ({}, None),
    "classes share the covariance of the telling directions": ({}, one_spread),
    "eigenvectors sought among all patterns, not among smooth ones": ({}, rough_patterns),
    "columns not bent to their ranges": ({}, gaussian_columns),
    "no parts": ({}, no_parts),
    "all patterns, and the shared covariance": ({}, one_spread_of_rough_patterns),
}
MIXED = {
    ALL_ON: ({}, None),
    "no teacher: the label is a column of the mixture": ({}, None),
    "no correction of the teacher on real rows": ({}, no_correction),
    "no weights for pairs of features": ({}, no_crossed_weights),
    "one look by feature instead of two": ({}, one_look),
    "no atoms": ({}, no_atoms),
    "labels not sharpened": ({}, labels_as_taught),
    "rare categories by their noisy counts": ({}, noisy_categories),
    "pairs on the finest cells or not at all": ({}, finest_pairs),
    "labels not traded between neighbours": ({}, no_trading),
    "labels drawn row by row": ({}, independent_labels),
    "one component: columns independent": ({"components": 1}, None),
    "20 components": ({"components": 20}, None),
    "200 components": ({"components": 200}, None),
    "mixture fitted for 300 steps": ({}, always_300_steps),
    "one pair counted": ({"most_pairs": 1}, None),
    "half as many cells": ({"most_cells": 8}, None),
    "half as many cells of pairs": ({"pair_cells": 5}, None),
}
PARTS = {
    leaf_choice: ("_find_atoms", "_likely"),
    lessons: ("sharpen",),
    shares: ("SHARES", "LOOKS"),
    tables: ("fit_mixture", "LEAST_PAIR_CELLS"),
    mixture_fit: ("FIRST_ROUND", "MET"),
    taught_mixture: ("balance_labels", "draw_labels"),
    narrow: ("ALONE", "shares_correlations"),
    parts: ("QUIET",),
    wide: ("shares_spread", "bounded_code"),
    clean_spectrum: ("ENOUGH",),
    gaussian_classes: ("MOST_EVEN",),
}


def ideas_of(dataset: Dataset) -> dict:
    """The ideas of the part of mosaic that the schema chooses."""
    schema = load_schema(dataset.schema)
    if not suits(schema):
        return MIXED
    return WIDE if len(schema.features) > NumberMosaic().wide_from else NARROW


def without_target(dataset: Dataset) -> Dataset:
    schema = {key: value for key, value in dataset.schema.items() if key != "target"}
    return dataclasses.replace(dataset, schema=schema)


def trial(data: str, idea: str, epsilon: float, seed: int, apart: bool) -> dict:
    dataset = held_out(load_dataset(data), seed) if apart else load_dataset(data)
    params, switch_off = ideas_of(dataset)[idea]
    saved = {(module, name): getattr(module, name) for module, names in PARTS.items() for name in names}
    started = process_time()
    try:
        if switch_off is not None:
            switch_off()
        given = without_target(dataset) if idea.startswith("no teacher") else dataset
        rows = released(given, method="mosaic", epsilon=epsilon, seed=seed, params=params)
    finally:
        for (module, name), value in saved.items():
            setattr(module, name, value)
    seconds = round(process_time() - started, 1)
    found = scored(dataset, rows, seed=seed, pairs=True)
    return {
        "data": data,
        "idea": idea,
        "epsilon": epsilon,
        "seed": seed,
        "held_out": apart,
        "cpu_seconds": seconds,
    } | found


def shown(results: list[dict]) -> None:
    """Print the table for the method page."""
    for data in dict.fromkeys(result["data"] for result in results):
        print(f"\n| {data} | AUC | minus {ALL_ON} | 2-way TV | CPU s |\n|---|---|---|---|---|")
        on = np.array([r["auc"] for r in results if (r["data"], r["idea"]) == (data, ALL_ON)])
        for idea in dict.fromkeys(result["idea"] for result in results if result["data"] == data):
            same = [r for r in results if (r["data"], r["idea"]) == (data, idea)]
            values = [[r[key] for r in same] for key in ("auc", "tv2")]
            cells = [f"{np.mean(value):.4f} ± {np.std(value):.4f}" for value in values]
            gap = np.array([r["auc"] for r in same]) - on
            cells.insert(1, f"{gap.mean():+.4f} ± {gap.std() / np.sqrt(max(len(gap) - 1, 1)):.4f}")
            print(f"| {idea} | {' | '.join(cells)} | {np.mean([r['cpu_seconds'] for r in same]):.1f} |")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", nargs="+", default=["adult", "phishing"])
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--held-out", action="store_true", help="score on held-out training rows")
    parser.add_argument("--ideas", nargs="+", help="these only, by their names in the table")
    given = parser.parse_args()
    cases = [
        (data, idea, given.epsilon, seed, given.held_out)
        for data in given.data
        for idea in ideas_of(load_dataset(data))
        if given.ideas is None or idea in given.ideas
        for seed in range(given.seeds)
    ]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    shown(results)


if __name__ == "__main__":
    main()
