"""DP-VAE: a variational autoencoder under DP-SGD, as DP-auto-GAN's authors compare with.

Private: queries.bins and queries.marginals count; queries.elbo trains encoder and decoder.
Door: two measurements and one descent.   Public: rows are decoder(N(0, I)), drawn column by column.
Guarantee: (epsilon, delta) for the whole table.   Differs from the tutorial code: every record is clipped on
its own, steps are fixed, bounds are public, and rows come from latent draws through the decoder alone.

The published variant clips the gradient of a whole batch, as the tutorial does (one microbatch per batch).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.methods._networks import Counted, NetworkMethod, claimed_noises, public_code, with_bias
from triplea.schema import Encoded, Schema

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

TRAINING, CLAIM = "training of the variational autoencoder", "variational autoencoder as published"
REASONS = (
    "The gradient of a whole batch is clipped as one vector: a single record can turn it, so it moves by up "
    "to twice the clip norm that the noise was made for.",
    "Batches are not Poisson samples, and the row count is used as it is.",
)


class DpVae(NetworkMethod):
    """Encoder to means and variances, decoder to column probabilities, one ELBO gradient per record."""

    name = "dp-vae"
    title = "DP-VAE"
    summary = "variational autoencoder under DP-SGD; rows are decoder(N(0, I))"
    variants = ("provable", "published")

    def __init__(
        self,
        *,
        hidden: int = 60,
        latent: int = 15,
        steps: int = 600,
        sampling_rate: float = 1 / 32,
        learning_rate: float = 0.01,
        clip_norm: float = 1.0,
        most_bins: int = 16,
    ) -> None:
        self.hidden = hidden
        self.latent = latent
        self.steps = steps
        self.sampling_rate = sampling_rate
        self.learning_rate = learning_rate
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
        """Count and train; the decoder is the model."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        layers: Layers = {}
        if counted.code.layout.width:
            layers = dict(door.descend(self._run(counted, rng), label=TRAINING).layers)
        return self._keep(counted, layers)

    def _keep(self, counted: Counted, layers: Layers) -> Self:
        decoder = {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
        self.model_ = LatentRows(layers=decoder, noise=self.latent, binnings=counted.code.binnings)
        return self

    def _run(self, counted: Counted, rng: np.random.Generator) -> Descent:
        from triplea.approximate.networks.optimizers import adam
        from triplea.queries.descent import Descent, Draws
        from triplea.queries.elbo import Elbo

        width, latent = counted.code.layout.width, self.latent
        encoder = dense_layers("encoder", (width, self.hidden, 2 * latent), rng=rng)
        decoder = dense_layers("decoder", (latent, self.hidden, width), rng=rng)
        task = Elbo(layout=counted.code.layout, encoder=tuple(encoder), decoder=tuple(decoder), latent=latent)
        return Descent(
            task=task,
            encode=counted.code.encode,
            layers={**encoder, **with_bias(decoder, task.decoder[-1], counted)},
            optimizer=adam(self.learning_rate, decay_steps=self.steps, last=0.1),
            clip_norm=self.clip_norm,
            n_public=counted.rows,
            draws=lambda generator, passes, slots: Draws(
                each=generator.standard_normal((passes, slots, latent), dtype=np.float32)
            ),
            average=0.9,
        )

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        from triplea.queries.batch_clipping import train_batch_clipped

        code = public_code(door.schema, self.most_bins)
        (noise,) = claimed_noises(self.trainings(door.schema), door.budget)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[Counted, Layers]:
            matrix = code.encode(rows)
            counted = Counted.blank(code, rows=len(matrix))
            layers, _ = train_batch_clipped(
                self._run(counted, rng), matrix, steps=self.steps, rate=self.sampling_rate,
                noise_multiplier=noise, clipping="batch", generator=generator, rng=rng,
            )  # fmt: skip
            return counted, layers

        counted, layers = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        self.rows_ = counted.rows
        return self._keep(counted, layers)
