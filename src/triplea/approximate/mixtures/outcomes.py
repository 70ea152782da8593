"""What a label counts as beside a teacher's chances: each class by itself, or a place on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST_REACH = 1e-9  # of a scale, below which it says nothing


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """The numbers of a label: whether it is each class but the first; or its class's place on a `scale`.

    Everything is found row by row, so that no number depends on the rows beside it.
    """

    classes: int
    scale: Floats | None = None

    @classmethod
    def on_scale(cls, shares: Floats, *, missing: bool = False) -> Self:
        """Stretches of a number stand at their rows' mean rank, in standard units; a missing one at 0."""
        weights = np.append(shares[:-1], 0.0) if missing else shares
        weights = weights / max(float(weights.sum()), LEAST_REACH)
        ranks = np.cumsum(weights) - 0.5 * weights
        places = ranks - weights @ ranks
        places /= max(float(np.sqrt(weights @ places**2)), LEAST_REACH)
        if missing:
            places[-1] = 0.0
        return cls(classes=len(shares), scale=places)

    @property
    def count(self) -> int:
        """How many numbers a label counts as."""
        return self.classes - 1 if self.scale is None else 1

    def seen(self, labels: NDArray[np.integer]) -> Floats:
        """The numbers of labels, a row each; of a label outside all classes, zeros."""
        own = labels[:, None] == np.arange(self.classes)[None, :]
        return own[:, 1:].astype(float) if self.scale is None else _along(own, self.scale)

    def foretold(self, chances: Floats) -> Floats:
        """What is expected of the numbers at these chances."""
        return chances[:, 1:] if self.scale is None else _along(chances, self.scale)

    def variances(self, chances: Floats) -> Floats:
        """How far the numbers vary at these chances."""
        mean = self.foretold(chances)
        return mean * (1.0 - mean) if self.scale is None else _along(chances, self.scale**2) - mean**2

    def leverage(self, chances: Floats) -> Floats:
        """What to multiply a row's residual by (seen less foretold) for length 1.

        One over the longest residual that any label could give the row: a weight that depends on features
        alone, so weighted residuals still vanish on average at the true chances, and an undecided row counts
        twice.

        >>> Outcomes(classes=2).leverage(np.array([[0.5, 0.5], [1.0, 0.0]]))
        array([2., 1.])
        """
        mean = self.foretold(chances)
        if self.scale is not None:
            reach = np.maximum(self.scale.max() - mean, mean - self.scale.min())[:, 0]
            return np.asarray(1.0 / np.maximum(reach, LEAST_REACH))
        squares = np.square(mean).sum(axis=1)
        return np.asarray(1.0 / np.sqrt(squares + np.maximum(1.0 - 2.0 * mean.min(axis=1), 0.0)))

    def by_class(self, weights: Floats) -> Floats:
        """Weights of the numbers (the last axis) as weights of classes."""
        if self.scale is not None:
            return weights * self.scale
        return np.concatenate([np.zeros((*weights.shape[:-1], 1)), weights], axis=-1)


def _along(rows: NDArray[np.floating] | NDArray[np.bool_], scale: Floats) -> Floats:
    return np.asarray((rows * scale).sum(axis=1, keepdims=True))
