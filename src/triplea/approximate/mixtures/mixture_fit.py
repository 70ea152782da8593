"""Fitting a mixture of products to noisy one-way and two-way tables.

A mixture of products has no junction tree to blow up: all pairs can be fitted at once. Its two-way
tables are one matrix product, Q' diag(w) Q, so a step of the fit is a few matrix products whatever the
number of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BETAS = (0.9, 0.99)
START_NOISE = 0.2  # spread of the components' logits at the start: enough to tell them apart
LEARNING_RATE = 0.05


@dataclass(frozen=True, kw_only=True)
class Targets:
    """What the mixture shall reproduce, as probabilities.

    `margins` has one distribution per column; `groups` maps each column's cells to the coarser cells in
    which pairs were counted; `pairs` holds tables over two columns' groups, all with the same weight.
    """

    margins: Sequence[np.ndarray]
    groups: Sequence[np.ndarray]
    pairs: Mapping[tuple[int, int], np.ndarray]
    margin_weight: float
    pair_weight: float


def fit_mixture(
    targets: Targets, *, components: int, steps: int, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the components' weights and, per column, their distributions over its cells.

    Least squares on probabilities by Adam with a cosine schedule, on the logits.
    """
    problem = _Problem(targets)
    start = np.log(np.maximum(problem.margins, 1e-6))
    logits = start + START_NOISE * rng.standard_normal((components, problem.size)).astype(np.float32)
    weights = np.zeros(components, np.float32)
    moments = [np.zeros_like(logits), np.zeros_like(weights), np.zeros_like(logits), np.zeros_like(weights)]
    for step in range(steps):
        slopes = problem.slopes(logits, weights)
        rate = LEARNING_RATE * 0.5 * (1.0 + np.cos(np.pi * step / steps))
        for i, slope in enumerate(slopes):
            moments[i] = BETAS[0] * moments[i] + (1 - BETAS[0]) * slope
            moments[i + 2] = BETAS[1] * moments[i + 2] + (1 - BETAS[1]) * slope * slope
            size = np.sqrt(moments[i + 2] / (1 - BETAS[1] ** (step + 1))) + 1e-12
            move = (rate * moments[i] / (1 - BETAS[0] ** (step + 1)) / size).astype(np.float32)
            np.subtract((logits, weights)[i], move, out=(logits, weights)[i])
    chances, shares = problem.probabilities(logits, weights)
    return shares.astype(float), np.split(chances.astype(float), problem.offsets[1:-1], axis=1)


class _Problem:
    """The targets as stacked arrays, and the slopes of the loss."""

    def __init__(self, targets: Targets) -> None:
        sizes = [len(margin) for margin in targets.margins]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.size = int(self.offsets[-1])
        self.block = np.repeat(np.arange(len(sizes)), sizes)
        self.margins: Floats = np.concatenate(targets.margins).astype(np.float32)
        self.margin_weight = targets.margin_weight
        self.pair_weight = targets.pair_weight
        used = sorted({column for pair in targets.pairs for column in pair})
        starts = np.cumsum([0] + [int(targets.groups[column].max()) + 1 for column in used])
        self.to_groups = np.zeros((self.size, int(starts[-1])), np.float32)
        place = dict(zip(used, starts[:-1], strict=True))
        for column in used:
            rows = np.arange(self.offsets[column], self.offsets[column + 1])
            self.to_groups[rows, targets.groups[column] + place[column]] = 1.0
        self.wanted = np.zeros((int(starts[-1]),) * 2, np.float32)
        self.counted = np.zeros_like(self.wanted)
        for (left, right), table in targets.pairs.items():
            a = slice(place[left], place[left] + table.shape[0])
            b = slice(place[right], place[right] + table.shape[1])
            self.wanted[a, b], self.wanted[b, a] = table, table.T
            self.counted[a, b], self.counted[b, a] = 1.0, 1.0

    def probabilities(self, logits: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Each component's cell probabilities, column by column, and the components' shares."""
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances = raised / np.add.reduceat(raised, self.offsets[:-1], axis=1)[:, self.block]
        shares = np.exp(weights - weights.max())
        return chances, shares / shares.sum()

    def slopes(self, logits: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Slopes of the loss with respect to the cells' logits and the components' logits."""
        chances, shares = self.probabilities(logits, weights)
        coarse = chances @ self.to_groups
        miss = (coarse.T @ (coarse * shares[:, None]) - self.wanted) * self.counted * self.pair_weight
        pulled = coarse @ miss
        margin_miss = (shares @ chances - self.margins) * self.margin_weight
        for_chances = (2.0 * (pulled @ self.to_groups.T) + margin_miss) * shares[:, None]
        for_shares = (pulled * coarse).sum(axis=1) + chances @ margin_miss
        within = np.add.reduceat(for_chances * chances, self.offsets[:-1], axis=1)[:, self.block]
        return chances * (for_chances - within), shares * (for_shares - shares @ for_shares)
