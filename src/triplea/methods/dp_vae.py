"""DP-VAE: a variational autoencoder under DP-SGD, as DP-auto-GAN's authors compare with.

Private: queries.bins and queries.marginals count; queries.elbo trains encoder and decoder.
Door: two measurements and one descent.   Public: rows are decoder(N(0, I)), drawn column by column.
Guarantee: (epsilon, delta) for the whole table.   Differs from the tutorial code: every record is clipped on
its own, steps are fixed, bounds are public, and rows come from latent draws through the decoder alone.

The published variant clips the gradient of a whole batch, as the tutorial does (one microbatch per batch).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.methods._networks import Counted, OneRunMethod, with_bias

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


class DpVae(OneRunMethod):
    """Encoder to means and variances, decoder to column probabilities, one ELBO gradient per record."""

    name = "dp-vae"
    title = "DP-VAE"
    summary = "variational autoencoder under DP-SGD; rows are decoder(N(0, I))"
    training = "training of the variational autoencoder"
    claimed = "variational autoencoder as published"
    reasons = (
        "The gradient of a whole batch is clipped as one vector: a single record can turn it, so it moves by "
        "up to twice the clip norm that the noise was made for.",
        "Batches are not Poisson samples, and the row count is used as it is.",
    )

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

    def run_of(self, counted: Counted, rng: np.random.Generator) -> Descent:
        """Encoder and decoder as one network, which starts at the released shares of the columns."""
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

    def model_of(self, counted: Counted, run: Descent, layers: Layers, public: Any) -> LatentRows:
        """The decoder is the model."""
        del run, public
        decoder = {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
        return LatentRows(layers=decoder, noise=self.latent, binnings=counted.code.binnings)

    def train_as_published(
        self, run: Descent, rows: np.ndarray, *, budget: Budget, generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, Any]:  # fmt: skip
        """Clip the gradient of a whole batch as one vector."""
        from triplea.queries.batch_clipping import train_batch_clipped

        return train_batch_clipped(
            run, rows, steps=self.steps, rate=self.sampling_rate, clipping="batch",
            noise_multiplier=self.claimed_noise(budget), generator=generator, rng=rng,
        )  # fmt: skip
