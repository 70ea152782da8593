"""A teacher for labels: an additive softmax model over the cells of features, and of pairs of features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.mixtures.crossed_weights import CrossedWeights

Floats = NDArray[np.float64]

NEVER = -1e6  # a score beside which all others have the whole probability


@dataclass(frozen=True, kw_only=True)
class AdditiveTeacher:
    """Scores of a row, class by class: a constant, a weight per feature's cell and per crossed pair's."""

    weights: np.ndarray
    bias: np.ndarray
    offsets: np.ndarray
    crossed: CrossedWeights | None = None

    def probabilities(self, cells: np.ndarray) -> np.ndarray:
        """Return the classes' probabilities for rows given as one cell per feature."""
        scores = np.repeat(self.bias[None, :], len(cells), axis=0)
        for feature, offset in enumerate(self.offsets[:-1]):
            scores += self.weights[offset + cells[:, feature]]
        if self.crossed is not None:
            for place in self.crossed.places(cells, self.offsets):
                scores += self.crossed.weights[place]
        return softmax(scores)

    def without(self, classes: np.ndarray) -> AdditiveTeacher:
        """The same teacher, who never says one of these classes."""
        bias = self.bias.astype(float)
        bias[classes] = NEVER
        return replace(self, bias=bias)

    def sharper(self, times: float, constants: np.ndarray) -> AdditiveTeacher:
        """The same opinions, so many times as strong, with constants added to the classes' scores."""
        crossed = self.crossed
        return AdditiveTeacher(
            weights=times * self.weights,
            bias=times * self.bias + constants,
            offsets=self.offsets,
            crossed=None if crossed is None else replace(crossed, weights=times * crossed.weights),
        )

    def spreads(self, cells: np.ndarray) -> np.ndarray:
        """Return, per row and feature, what the feature says about the class it says most about."""
        centred = self.weights - self.weights.mean(axis=0)
        loudest = int(np.argmax(centred.var(axis=0)))
        return np.asarray(centred[:, loudest][self.offsets[:-1][None, :] + cells])

    def state(self) -> dict[str, np.ndarray]:
        """Everything as arrays."""
        arrays = {key: getattr(self, key) for key in ("weights", "bias", "offsets")}
        if self.crossed is not None:
            arrays |= {
                f"crossed_{key.name}": getattr(self.crossed, key.name) for key in fields(CrossedWeights)
            }
        return arrays

    @classmethod
    def from_state(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        crossed = None
        if "crossed_weights" in arrays:
            crossed = CrossedWeights(**{k.name: arrays[f"crossed_{k.name}"] for k in fields(CrossedWeights)})
        own = {key: arrays[key] for key in ("weights", "bias", "offsets")}
        return cls(**own, crossed=crossed)


def softmax(scores: Floats) -> Floats:
    """Probabilities of the classes, row by row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
