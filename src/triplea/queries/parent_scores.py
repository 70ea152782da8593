"""Which columns depend on which? The scores of PrivBayes, in rows, for the exponential mechanism.

A candidate is a child column with a set of parents; its score says how far their joint counts are from
independence (R, I) or how close to full dependence (F). All are functions of exact joint counts. None of the
bounds needs the number of rows, so they hold for added and removed rows too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.queries.base import FloatArray, IntArray, Scores
from triplea.queries.marginals import Marginals


class ScoreKind(StrEnum):
    """The three scores of the PrivBayes paper."""

    R = "R"
    I = "I"  # noqa: E741 -- the paper's letter
    F = "F"


class ParentScores(Scores):
    """One score per candidate; a candidate is a tuple of columns, the child last.

    R: half the L1 distance between the counts and those of independence; moves by at most 2 when a row is
    added, 3 when one is replaced. I: rows times mutual information, over 1 + log(1 + rows); 1.25 and 2.
    F: minus half the L1 distance, in rows, to full dependence, for children of two cells; 1 and 1.
    Proof: docs/proofs/parent_scores.md.
    """

    proof = "docs/proofs/parent_scores.md"

    def __init__(
        self, *, kind: ScoreKind, candidates: Sequence[tuple[str, ...]], binnings: Mapping[str, Binning]
    ) -> None:
        self.kind = kind
        self.tables = Marginals(groups=candidates, binnings=binnings)
        self.sums = self.tables
        self.size = len(self.tables.groups)
        self.row_bound = _SCORES[kind].row_bound
        self.swap_bound = _SCORES[kind].swap_bound

    def scores(self, units: IntArray) -> FloatArray:
        """Score every candidate's (parents, child) table of exact counts."""
        measure = _SCORES[self.kind].of
        counts = np.split(units, np.cumsum(self.tables.sizes)[:-1])
        parts = zip(self.tables.groups, counts, strict=True)
        return np.array(
            [measure(part.reshape(-1, self.tables.table_shape(group)[-1])) for group, part in parts]
        )


def distance_to_independence(counts: IntArray) -> float:
    """R: half the L1 distance between counts and the product of their margins over the total.

    >>> distance_to_independence(np.array([[5, 0], [0, 5]]))
    5.0
    """
    rows = counts.sum()
    if rows == 0:
        return 0.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / rows
    return 0.5 * float(np.abs(counts - expected).sum())


def scaled_mutual_information(counts: IntArray) -> float:
    """I: n times the mutual information (in nats), divided by 1 + log(1 + n)."""
    rows = float(counts.sum())
    if rows == 0:
        return 0.0
    parts = [_sum_x_log_x(part) for part in (counts, counts.sum(axis=0), counts.sum(axis=1))]
    information = max(0.0, rows * np.log(rows) + parts[0] - parts[1] - parts[2])
    return float(information / (1.0 + np.log1p(rows)))


def distance_to_dependence(counts: IntArray) -> float:
    """F: minus half the L1 distance, in rows, to the nearest table in which the parents decide a fair child.

    Every parent cell goes to child value 0 or 1. With A rows of value 0 in cells that went to 0, and B rows
    of value 1 in the others, the distance is (n/2 - A)+ + (n/2 - B)+; its minimum over all assignments is
    found by listing, for every A up to n/2, the largest B.
    """
    zeros, ones = counts[:, 0], counts[:, 1]
    rows = int(counts.sum())
    half = rows / 2.0
    cap = (rows + 1) // 2  # more than n/2 rows are as good as n/2
    best = np.full(cap + 1, -1, dtype=np.int64)
    best[0] = 0
    for zero, one in zip(zeros.tolist(), ones.tolist(), strict=True):
        kept = np.where(best >= 0, best + one, -1)
        step = min(zero, cap)
        moved = np.full_like(best, -1)
        moved[step:] = best[: cap + 1 - step]
        moved[cap] = max(moved[cap], best[cap - step :].max())
        best = np.maximum(kept, moved)
    reached = np.flatnonzero(best >= 0)
    gaps = np.maximum(half - reached, 0.0) + np.maximum(half - best[reached], 0.0)
    return -float(gaps.min())


def _sum_x_log_x(counts: IntArray) -> float:
    held = counts[counts > 0].astype(np.float64)
    return float(np.sum(held * np.log(held)))


@dataclass(frozen=True, kw_only=True)
class _Score:
    of: Callable[[IntArray], float]
    row_bound: float
    swap_bound: float


_SCORES = {
    ScoreKind.R: _Score(of=distance_to_independence, row_bound=2.0, swap_bound=3.0),
    ScoreKind.I: _Score(of=scaled_mutual_information, row_bound=1.25, swap_bound=2.0),
    ScoreKind.F: _Score(of=distance_to_dependence, row_bound=1.0, swap_bound=1.0),
}
