"""DP-WGAN (Frigerio, de Oliveira, Gomez and Duverger 2019, arXiv:1901.02477): a Wasserstein GAN on rows.

Private: queries.bins and queries.marginals count; queries.critic trains the critic.
Door: two measurements and one descent.   Public: the generator's turns; rows are drawn from softmax blocks.
Guarantee: (epsilon, delta) for the whole table.   Differs from the public code: every record is clipped on
its own, weights are limited instead of a gradient penalty, numeric columns are cut into cells instead of
dropped, classes are not balanced, and steps, noise and clip norm are fixed.

The published variant clips the batch's mean gradient row by row of a weight matrix, as the public code does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.methods._adversaries import Recipe, critic_run
from triplea.methods._networks import Counted, NetworkMethod, claimed_noises, public_code, with_bias
from triplea.schema import Encoded, Schema

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

TRAINING, CLAIM = "training of the critic", "critic as published"
REASONS = (
    "The batch's mean gradient is clipped row by row of each weight matrix: no bound on a single record "
    "follows, and one record with a huge gradient turns the whole batch.",
    "Batches are drawn with replacement, and the row count is used as it is.",
)


class DpWgan(NetworkMethod):
    """A generator from noise to column probabilities, and a critic under DP-SGD."""

    name = "dp-wgan"
    title = "DP-WGAN"
    summary = "Wasserstein GAN with a critic under DP-SGD and one softmax per column"
    variants = ("provable", "published")

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

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Counts and one training run; or, as published, one claim."""
        plan = super().plan(schema, budget)
        return (
            plan
            if self.variant == "provable"
            else Plan(asks=(Ask(label=CLAIM, mechanism=Mechanism.CLAIMED),))
        )

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """One run."""
        del schema
        return (
            Ask(
                label=TRAINING, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=self.training_share,
                sampling_rate=self.sampling_rate, steps=self.steps,
            ),
        )  # fmt: skip

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count and train; the generator is the model."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        layers: Layers = {}
        if counted.code.layout.width:
            from triplea.queries.critic import generator_layers

            playing = self._run(counted, rng)
            layers = generator_layers(playing.task, door.descend(playing, label=TRAINING).public)
        self.model_ = LatentRows(layers=layers, noise=self.noise, binnings=counted.code.binnings)
        return self

    def _run(self, counted: Counted, rng: np.random.Generator) -> Descent:
        recipe = Recipe(
            hidden=(), latent=0, noise=self.noise, generator=(), critic=(self.hidden, self.hidden // 2)
        )
        width = counted.code.layout.width
        generator = dense_layers("decoder", (self.noise, self.hidden, self.hidden, width), rng=rng)
        start = with_bias(generator, "decoder.2", counted)
        return critic_run(recipe, counted, start, clip_norm=self.clip_norm, rng=rng)

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        from triplea.queries.batch_clipping import train_batch_clipped
        from triplea.queries.critic import generator_layers

        code = public_code(door.schema, self.most_bins)
        (noise,) = claimed_noises(self.trainings(door.schema), door.budget)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[int, Layers]:
            matrix = code.encode(rows)
            playing = self._run(Counted.blank(code, rows=len(matrix)), rng)
            _, public = train_batch_clipped(
                playing, matrix, steps=self.steps, rate=self.sampling_rate, noise_multiplier=noise,
                clipping="rows", generator=generator, rng=rng,
            )  # fmt: skip
            return len(matrix), generator_layers(playing.task, public)

        count, layers = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        self.rows_ = float(count)
        self.model_ = LatentRows(layers=layers, noise=self.noise, binnings=code.binnings)
        return self
