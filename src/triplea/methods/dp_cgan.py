"""DP-CGAN (Torkzadehmahani, Kairouz and Paten 2019, arXiv:2001.09700): a conditional GAN with DP-SGD.

Private: queries.bins and queries.marginals count; queries.critic trains the discriminator.
Door: two measurements and one descent.   Public: labels from the noisy counts, the generator's turns, rows.
Guarantee: (epsilon, delta) for the whole table.   Differs from the paper: one clip for a record's whole
gradient; generated rows get labels by the noisy counts, never those of the batch; noise is normal.

The published variant clips each array by itself, gives the accountant the noise times the clip norm, and
takes the batch's labels, as the public code does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.approximate.networks.dense import Layers
from triplea.methods._adversaries import GeneratorMethod, Recipe

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


class DpCgan(GeneratorMethod):
    """A generator from noise and class to column probabilities, and a discriminator of (row, class)."""

    name = "dp-cgan"
    title = "DP-CGAN"
    summary = "conditional GAN with a discriminator under DP-SGD; classes by noisy counts"
    conditional = True
    training, claimed = "training of the discriminator", "discriminator as published"
    reasons = (
        "Each of four arrays is clipped to C by itself and gets noise for C: one record moves all of them "
        "together by up to 2C.",
        "The accountant is given the standard deviation of the noise, as if C were 1.",
        "Generated rows take the labels of the batch without noise: a class of one record shows when it is "
        "drawn.",
        "Batches are not Poisson samples; row count and class shares are used as they are.",
    )

    def __init__(
        self,
        *,
        hidden: int = 128,
        noise: int = 100,
        steps: int = 600,
        sampling_rate: float = 1 / 32,
        learning_rate: float = 0.5,
        clip_norm: float = 1.1,
        most_bins: int = 16,
        correct_shares: bool = True,
    ) -> None:
        self.hidden = hidden
        self.noise = noise
        self.steps = steps
        self.sampling_rate = sampling_rate
        self.learning_rate = learning_rate
        self.clip_norm = clip_norm
        self.most_bins = most_bins
        self.correct_shares = correct_shares

    @property
    def recipe(self) -> Recipe:
        """Sizes and schedules."""
        return Recipe(
            noise=self.noise, generator=(self.hidden,), critic=(self.hidden,), opinion="cross-entropy",
            critic_learning_rate=self.learning_rate, weight_limit=0.0,
        )  # fmt: skip

    def train_as_published(
        self, run: Descent, rows: np.ndarray, *, budget: Budget, generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, Any]:  # fmt: skip
        """Clip array by array; what the accountant takes for the multiplier is the standard deviation."""
        from triplea.queries.batch_clipping import train_batch_clipped
        from triplea.queries.critic import Critic

        assert isinstance(run.task, Critic)
        return train_batch_clipped(
            run, rows, steps=self.steps, rate=self.sampling_rate, clipping="arrays",
            noise_multiplier=self.claimed_noise(budget) / self.clip_norm, generator=generator, rng=rng,
            labels=run.task.label,
        )  # fmt: skip
