"""Total-variation distance of 1-, 2- and 3-way marginals over the public cells, and the NIST score."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from triplea.evaluate.binning import BINS, Cells, cells_of
from triplea.evaluate.divergences import total_variation
from triplea.evaluate.rows import Rows
from triplea.results import MarginalDistance, MarginalFidelity

_DENSE_CELLS = 1 << 18


def distribution(cells: Cells, column: str) -> np.ndarray:
    """Return the share of rows in every cell of one column."""
    return np.bincount(cells.codes[column], minlength=cells.sizes[column]) / max(cells.rows, 1)


def marginal_distance(real: Cells, synthetic: Cells, columns: Sequence[str]) -> float:
    """Return the total-variation distance of one joint marginal."""
    total = math.prod(real.sizes[name] for name in columns)
    a, b = _joint(real, columns), _joint(synthetic, columns)
    if total > _DENSE_CELLS:
        _, inverse = np.unique(np.concatenate([a, b]), return_inverse=True)
        a, b, total = inverse[: real.rows], inverse[real.rows :], int(inverse.max()) + 1
    p = np.bincount(a, minlength=total) / max(real.rows, 1)
    q = np.bincount(b, minlength=total) / max(synthetic.rows, 1)
    return total_variation(p, q)


def mean_distance(real: Rows, synthetic: Rows, *, ways: int = 2, bins: int = BINS) -> float:
    """Return the mean total-variation distance over all `ways`-way marginals."""
    a, b = cells_of(real, bins=bins), cells_of(synthetic, bins=bins)
    chosen = itertools.combinations(real.names, ways)
    return float(np.mean([marginal_distance(a, b, columns) for columns in chosen]))


def choose_marginals(
    names: Sequence[str], ways: int, limit: int, rng: np.random.Generator
) -> tuple[tuple[str, ...], ...]:
    """Return all column sets of size `ways`, or `limit` different ones at random if there are more."""
    if math.comb(len(names), ways) <= limit:
        return tuple(itertools.combinations(names, ways))
    chosen: set[tuple[int, ...]] = set()
    while len(chosen) < limit:
        drawn = rng.choice(len(names), ways, replace=False)
        chosen.add(tuple(sorted(int(index) for index in drawn)))
    return tuple(tuple(names[index] for index in columns) for columns in sorted(chosen))


def marginal_fidelity(
    real: Cells,
    synthetic: Cells,
    marginals: Sequence[tuple[str, ...]],
    *,
    target: str | None,
    bins: int = BINS,
    floors: tuple[Cells, Cells] | None = None,
    worst: int = 10,
) -> MarginalFidelity:
    """Measure the given marginals; `floors` are the cells of a real bootstrap and of uniform rows."""
    found = [
        MarginalDistance(columns=columns, value=marginal_distance(real, synthetic, columns))
        for columns in marginals
    ]
    values = [entry.value for entry in found]
    tied = [entry.value for entry in found if target in entry.columns]
    beside = [
        float(np.mean([marginal_distance(real, other, columns) for columns in marginals]))
        for other in floors or ()
    ]
    ways = len(marginals[0])
    return MarginalFidelity(
        ways=ways,
        bins=bins,
        mean=float(np.mean(values)),
        maximum=float(np.max(values)),
        with_target=float(np.mean(tied)) if tied else None,
        floor=beside[0] if beside else None,
        uniform=beside[1] if beside else None,
        computed=len(values),
        total=math.comb(len(real.codes), ways),
        worst=tuple(sorted(found, key=lambda entry: -entry.value)[:worst]),
    )


def nist_score(mean_distance_of_triples: float) -> float:
    """Return the score of NIST's 2018 challenge: a million for equal 3-way marginals, 0 for disjoint ones.

    NIST writes (2 - d)/2 with d the L1 distance, which is twice the total variation.
    """
    return 1e6 * (1.0 - mean_distance_of_triples)


def _joint(cells: Cells, columns: Sequence[str]) -> np.ndarray:
    joint = cells.codes[columns[0]]
    for name in columns[1:]:
        joint = joint * cells.sizes[name] + cells.codes[name]
    return joint
