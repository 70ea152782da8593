"""DP-WGAN (Frigerio, de Oliveira, Gomez and Duverger 2019, arXiv:1901.02477): a Wasserstein GAN on rows.

Private: queries.bins and queries.marginals count; queries.critic trains the critic.
Door: two measurements and one descent.   Public: the generator's turns; rows are drawn from softmax blocks.
Guarantee: (epsilon, delta) for the whole table.   Differs from the public code: every record is clipped on
its own, weights are limited instead of a gradient penalty, numeric columns are cut into cells instead of
dropped, classes are not balanced, and steps, noise and clip norm are fixed.

The published variant clips the batch's mean gradient row by row of a weight matrix, as the public code does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.approximate.networks.dense import Layers
from triplea.methods._adversaries import GeneratorMethod, Recipe

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


class DpWgan(GeneratorMethod):
    """A generator from noise to column probabilities, and a critic under DP-SGD."""

    name = "dp-wgan"
    title = "DP-WGAN"
    summary = "Wasserstein GAN with a critic under DP-SGD and one softmax per column"
    training, claimed = "training of the critic", "critic as published"
    reasons = (
        "The batch's mean gradient is clipped row by row of each weight matrix: no bound on a single record "
        "follows, and one record with a huge gradient turns the whole batch.",
        "Batches are drawn with replacement, and the row count is used as it is.",
    )

    def __init__(
        self,
        *,
        hidden: int = 64,
        noise: int = 32,
        steps: int = 600,
        sampling_rate: float = 1 / 32,
        clip_norm: float = 1.0,
        most_bins: int = 16,
    ) -> None:
        self.hidden = hidden
        self.noise = noise
        self.steps = steps
        self.sampling_rate = sampling_rate
        self.clip_norm = clip_norm
        self.most_bins = most_bins

    @property
    def recipe(self) -> Recipe:
        """Sizes and schedules."""
        return Recipe(noise=self.noise, generator=(self.hidden,) * 2, critic=(self.hidden, self.hidden // 2))

    def train_as_published(
        self, run: Descent, rows: np.ndarray, *, budget: Budget, generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, Any]:  # fmt: skip
        """Clip rows of weight matrices."""
        from triplea.queries.batch_clipping import train_batch_clipped

        return train_batch_clipped(
            run, rows, steps=self.steps, rate=self.sampling_rate, clipping="rows",
            noise_multiplier=self.claimed_noise(budget), generator=generator, rng=rng,
        )  # fmt: skip
