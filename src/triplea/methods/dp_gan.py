"""DP-GAN (Xie, Lin, Wang, Wang and Zhou 2018, arXiv:1802.06739): a Wasserstein GAN with noise on its critic.

Private: queries.bins and queries.marginals count; queries.critic trains the critic.
Door: two measurements and one descent.   Public: labels from the noisy counts, the generator's turns, rows.
Guarantee: (epsilon, delta) for the whole table, all critic steps composed.   Differs from the paper: every
record is clipped on its own; one generator is told the class, where the paper trains one for each class.

The published variant takes the paper's formula for the noise, which composes the critic steps of a single
generator step, and clips nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.approximate.networks.dense import Layers
from triplea.methods._adversaries import GeneratorMethod, Recipe

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


class DpGan(GeneratorMethod):
    """A generator from noise and class to column probabilities, and a Wasserstein critic under DP-SGD."""

    name = "dp-gan"
    title = "DP-GAN"
    summary = (
        "Wasserstein GAN, several critic steps under DP-SGD for one of the generator; classes by noisy counts"
    )
    conditional = True
    training, claimed = "training of the critic", "critic as published"
    reasons = (
        "The noise is made for the critic steps of one generator step; the generator's steps are many, and "
        "are not composed.",
        "The bound on a gradient is a constant that is never computed, and nothing is clipped to it: one "
        "record can move a step by more.",
        "Batches are drawn with replacement; row count and class shares are used as they are.",
    )

    def __init__(
        self,
        *,
        hidden: int = 64,
        noise: int = 32,
        steps: int = 1000,
        critic_steps: int = 5,
        sampling_rate: float = 1 / 32,
        learning_rate: float = 0.005,
        weight_limit: float = 0.1,
        clip_norm: float = 1.0,
        most_bins: int = 16,
        correct_shares: bool = True,
    ) -> None:
        self.hidden = hidden
        self.noise = noise
        self.steps = steps
        self.critic_steps = critic_steps
        self.sampling_rate = sampling_rate
        self.learning_rate = learning_rate
        self.weight_limit = weight_limit
        self.clip_norm = clip_norm
        self.most_bins = most_bins
        self.correct_shares = correct_shares

    @property
    def recipe(self) -> Recipe:
        """Sizes and schedules."""
        return Recipe(
            noise=self.noise, generator=(self.hidden,) * 2, critic=(self.hidden, self.hidden // 2),
            critic_optimizer="rmsprop", critic_learning_rate=self.learning_rate, turn_every=self.critic_steps,
            generator_learning_rate=self.learning_rate, weight_limit=self.weight_limit,
        )  # fmt: skip

    def claimed_noise(self, budget: Budget) -> float:
        """The paper's sigma: 2 q sqrt(critic steps * log(1 / delta)) / epsilon, for one generator step."""
        steps = self.critic_steps * math.log(1.0 / budget.delta)
        return 2.0 * self.sampling_rate * math.sqrt(steps) / budget.epsilon

    def train_as_published(
        self, run: Descent, rows: np.ndarray, *, budget: Budget, generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, Any]:  # fmt: skip
        """Clip nothing; the clip norm stands for the constant that the paper assumes."""
        from triplea.queries.batch_clipping import train_batch_clipped

        return train_batch_clipped(
            run, rows, steps=self.steps, rate=self.sampling_rate, clipping="none",
            noise_multiplier=self.claimed_noise(budget), generator=generator, rng=rng,
        )  # fmt: skip
