"""What real rows say a teacher misses: weighted residuals of the label, summed by cell.

Cells are those of every feature, or those of every pair of features that the teacher has weights for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

import numpy as np

from triplea.approximate.codes.binning import CellMap
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.outcomes import Outcomes
from triplea.queries.base import IntArray, SumQuery
from triplea.queries.cell_sums import BITS, clipped_units
from triplea.schema import Encoded


class TeacherResiduals(SumQuery):
    """For every cell of every feature, the sum over its rows of w(x) (e_y - p(x)), the first class left out.

    p is the teacher and w(x) = 1 / (the longest residual any label could give x), so a row's vector u has
    length at most 1. `outcomes` may put the classes on a scale instead; then u has one entry. The row adds
    u to one cell of each of m features; with `crossed`, to one of each of the teacher's m pairs of them.
    Sensitivity (L2): sqrt(m) for add-or-remove, 2 sqrt(m) for replace-one; L1, of k entries: m sqrt(k), and
    twice that. Proof: docs/proofs/teacher_residuals.md.
    """

    proof = "docs/proofs/teacher_residuals.md"

    def __init__(
        self,
        *,
        teacher: AdditiveTeacher,
        features: Sequence[str],
        label: str,
        binnings: Mapping[str, CellMap],
        crossed: bool = False,
        outcomes: Outcomes | None = None,
    ) -> None:
        self.teacher = teacher
        self.outcomes = Outcomes(classes=len(teacher.bias)) if outcomes is None else outcomes
        self.crossed = teacher.crossed if crossed else None
        self.features = tuple(features)
        self.label = label
        self.binnings = dict(binnings)
        self.columns = tuple(dict.fromkeys((*self.features, label)))
        starts = teacher.offsets if self.crossed is None else self.crossed.starts
        views = len(starts) - 1
        self.shape = (int(starts[-1]), self.outcomes.count)
        self.grid = 2.0**-BITS
        self.row_l2 = float(np.sqrt(views))
        self.row_l1 = float(views * np.sqrt(self.outcomes.count))
        self.swap_l2 = 2.0 * self.row_l2
        self.swap_l1 = 2.0 * self.row_l1

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Weigh, clip and round the residuals of one batch, and add them up view by view."""
        cells = np.stack([self.binnings[name].assign(rows[name]) for name in self.features], axis=1)
        units = clipped_units(self._residuals(cells, rows), clip_norm=1.0, bits=BITS)
        total = np.zeros(self.shape, dtype=np.int64)
        for place in self._places(cells):
            for c in range(self.shape[1]):
                # Whole numbers below 2^53: float64 adds them without rounding.
                total[:, c] += np.bincount(place, weights=units[:, c], minlength=len(total)).astype(np.int64)
        return total

    def _places(self, cells: np.ndarray) -> Iterator[np.ndarray]:
        """View by view (a feature, or a pair of them), the cell that each row adds to."""
        if self.crossed is not None:
            return self.crossed.places(cells, self.teacher.offsets)
        return (start + cells[:, feature] for feature, start in enumerate(self.teacher.offsets[:-1]))

    def _residuals(self, cells: np.ndarray, rows: Encoded) -> np.ndarray:
        chances = self.teacher.probabilities(cells)
        labels = np.asarray(self.binnings[self.label].assign(rows[self.label]))
        missed = self.outcomes.seen(labels) - self.outcomes.foretold(chances)
        return np.asarray(missed * self.outcomes.leverage(chances)[:, None])
