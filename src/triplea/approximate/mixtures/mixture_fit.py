"""Fitting a mixture of products to noisy one-way and two-way tables.

A mixture of products has no junction tree to blow up: all pairs can be fitted at once. Its two-way
tables are one matrix product, Q' diag(w) Q, so a step of the fit is a few matrix products whatever the
number of pairs. It can follow noise as well as data, so the fit ends where the tables are met as nearly as
their noise allows: early when that is loud, late when there is hardly any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BETAS = (0.9, 0.95)
START_NOISE = 0.2  # spread of the components' logits at the start: enough to tell them apart
LEARNING_RATE = 0.05
FIRST_ROUND = 100  # steps; every further round is twice as long, and starts with fresh moments
MET = 0.9  # of the noise's variance: pairs that are missed by no more are met


@dataclass(frozen=True, kw_only=True)
class Targets:
    """What the mixture shall reproduce, as probabilities.

    `margins` has one distribution per column; `groups` maps each column's cells to the coarser cells in
    which pairs were counted; `pairs` holds tables over two columns' groups, all with the same weight and
    the same noise in every cell (`pair_noise`, its standard deviation).
    """

    margins: Sequence[np.ndarray]
    groups: Sequence[np.ndarray]
    pairs: Mapping[tuple[int, int], np.ndarray]
    margin_weight: float
    pair_weight: float
    pair_noise: float


class Slopes(NamedTuple):
    """Slopes of the loss, and the mean square by which pairs are missed."""

    logits: Floats
    weights: Floats
    missed: float


def fit_mixture(
    targets: Targets, *, components: int, steps: int, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the components' weights and, per column, their distributions over its cells.

    Least squares on probabilities by Adam on the logits, in rounds with a cosine schedule each, until the
    pairs are met or `steps` have been taken.
    """
    problem = _Problem(targets)
    start = np.log(np.maximum(problem.margins, 1e-6))
    logits = start + START_NOISE * rng.standard_normal((components, problem.size)).astype(np.float32)
    weights = np.zeros(components, np.float32)
    enough = MET * targets.pair_noise**2
    length = FIRST_ROUND
    while steps > 0 and not _descend(problem, logits, weights, steps=min(length, steps), enough=enough):
        steps -= length
        length *= 2
    chances, shares = problem.probabilities(logits, weights)
    return shares.astype(float), np.split(chances.astype(float), problem.offsets[1:-1], axis=1)


def _descend(problem: _Problem, logits: Floats, weights: Floats, *, steps: int, enough: float) -> bool:
    """Move logits and weights in place for one round; tell whether the pairs were met within it."""
    moved = (logits, weights)
    first, second = ([np.zeros_like(part) for part in moved] for _ in range(2))
    for step in range(steps):
        slopes = problem.slopes(logits, weights)
        if slopes.missed < enough:
            return True
        rate = LEARNING_RATE * 0.5 * (1.0 + np.cos(np.pi * step / steps))
        for i, slope in enumerate((slopes.logits, slopes.weights)):
            first[i] = BETAS[0] * first[i] + (1 - BETAS[0]) * slope
            second[i] = BETAS[1] * second[i] + (1 - BETAS[1]) * slope * slope
            size = np.sqrt(second[i] / (1 - BETAS[1] ** (step + 1))) + 1e-12
            move = (rate * first[i] / (1 - BETAS[0] ** (step + 1)) / size).astype(np.float32)
            np.subtract(moved[i], move, out=moved[i])
    return False


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

    def slopes(self, logits: Floats, weights: Floats) -> Slopes:
        """Slopes of the loss with respect to the cells' logits and the components' logits."""
        chances, shares = self.probabilities(logits, weights)
        coarse = chances @ self.to_groups
        miss = (coarse.T @ (coarse * shares[:, None]) - self.wanted) * self.counted
        pulled = coarse @ (self.pair_weight * miss)
        margin_miss = (shares @ chances - self.margins) * self.margin_weight
        for_chances = (2.0 * (pulled @ self.to_groups.T) + margin_miss) * shares[:, None]
        for_shares = (pulled * coarse).sum(axis=1) + chances @ margin_miss
        within = np.add.reduceat(for_chances * chances, self.offsets[:-1], axis=1)[:, self.block]
        return Slopes(
            chances * (for_chances - within),
            shares * (for_shares - shares @ for_shares),
            float((miss**2).sum()) / max(float(self.counted.sum()), 1.0),
        )
