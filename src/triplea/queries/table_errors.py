"""Which tables does a public model get wrong? The scores of MST and AIM, for the exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from triplea.approximate.codes.binning import CellMap
from triplea.queries.base import FloatArray, IntArray, Scores
from triplea.queries.marginals import Marginals

STEP = 2.0**-20


class TableErrors(Scores):
    """For each group: the L1 distance between its exact counts and a model's, minus a public handicap.

    A row changes one count by one, so a score moves by at most 1 when a row is added or removed, and by at
    most 2 when one is replaced; guesses and handicaps are public, and in steps of 2^-20 that sums of floats
    keep exactly. Proof: docs/proofs/table_errors.md.
    """

    proof = "docs/proofs/table_errors.md"
    row_bound = 1.0
    swap_bound = 2.0

    def __init__(
        self,
        *,
        guesses: Mapping[tuple[str, ...], np.ndarray],
        binnings: Mapping[str, CellMap],
        handicaps: Sequence[float] | None = None,
    ) -> None:
        self.tables = Marginals(groups=list(guesses), binnings=binnings)
        self.sums = self.tables
        self.size = len(self.tables.groups)
        self.guesses = [_in_steps(guess).ravel() for guess in guesses.values()]
        self.handicaps: FloatArray = _in_steps(np.zeros(self.size) if handicaps is None else handicaps)

    def scores(self, units: IntArray) -> FloatArray:
        """Score every group's table of exact counts."""
        counts = np.split(units, np.cumsum(self.tables.sizes)[:-1])
        parts = zip(counts, self.guesses, strict=True)
        errors: FloatArray = np.array([float(np.abs(part - guess).sum()) for part, guess in parts])
        return errors - self.handicaps


def _in_steps(values: Sequence[float] | np.ndarray) -> FloatArray:
    return np.asarray(np.round(np.asarray(values, dtype=np.float64) / STEP) * STEP)
