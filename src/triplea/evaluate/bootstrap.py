"""Bootstrap intervals for all models at once: the same resampled test rows, as counts, for every score.

Scores of hard labels need only the confusion matrix, whose bootstrap is one multinomial draw. Ranking scores
are computed from row counts, vectorised over draws. Above `MAX_ROWS` test rows the spread is measured on a
random part and shrunk by the square root of the part's share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

DRAWS = 200
MAX_ROWS = 20_000
_TAILS = (2.5, 97.5)


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """Row counts of resampled test sets, shape (draws, part), and the part of the test rows they count."""

    counts: np.ndarray
    part: np.ndarray
    shrink: float
    rows: int
    seed: int

    @classmethod
    def of(cls, rows: int, *, seed: int, draws: int = DRAWS) -> Bootstrap:
        """Draw resampled test sets for a table of `rows` rows."""
        rng = np.random.default_rng([seed, rows])
        size = min(rows, MAX_ROWS)
        part = np.arange(rows) if size == rows else np.sort(rng.choice(rows, size, replace=False))
        counts = np.empty((draws, size), dtype=np.float32)
        for draw in range(draws):
            counts[draw] = np.bincount(rng.integers(0, size, size), minlength=size)
        return cls(
            counts=counts,
            part=part,
            shrink=float(np.sqrt(size / rows)) if rows else 1.0,
            rows=rows,
            seed=seed,
        )

    def of_rows(
        self, point: float, score: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> tuple[float, float]:
        """Return the interval of `score(row positions, counts)`, which gives one value a draw."""
        if not self.rows:
            return point, point
        here = float(score(self.part, np.ones((1, len(self.part)), dtype=np.float32))[0])
        return _around(point, score(self.part, self.counts) - here, self.shrink)

    def of_confusion(
        self, confusion: np.ndarray, score: Callable[[np.ndarray], np.ndarray]
    ) -> tuple[float, float]:
        """Return the interval of `score(confusion matrices)`, which gives one value a matrix."""
        total = int(confusion.sum())
        point = float(score(confusion[None].astype(float))[0])
        if not total:
            return point, point
        rng = np.random.default_rng([self.seed, total])
        draws = rng.multinomial(total, confusion.ravel() / total, size=len(self.counts))
        return _around(point, score(draws.reshape(-1, *confusion.shape).astype(float)) - point, 1.0)


def _around(point: float, moves: np.ndarray, shrink: float) -> tuple[float, float]:
    moves = moves[np.isfinite(moves)]
    if not moves.size:
        return point, point
    low, high = np.percentile(moves, _TAILS) * shrink
    return float(min(point + low, point)), float(max(point + high, point))
