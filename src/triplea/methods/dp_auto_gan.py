"""DP-auto-GAN (Tantipongpipat, Waites, Boob, Siva and Cummings 2019, arXiv:1912.03250).

Private: queries.bins and queries.marginals count; queries.reconstruction trains encoder and decoder together;
queries.critic trains a critic on rows and on decoded generator output, told the class where there is a label.
Door: two measurements and two descents, calibrated together.   Public: the generator's turns, and a shift to
the released shares of single columns within classes.
Guarantee: (epsilon, delta) for the whole table.   Differs from the paper: docs/methods/dp-auto-gan.md.

The published variant trains the encoder without noise, as the paper's Appendix A and its code for Adult do;
its guarantee is claimed and does not hold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np

from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.errors import MethodError
from triplea.methods._adversaries import (
    PRESETS,
    Recipe,
    autoencoder_run,
    automatic,
    corrected,
    critic_run,
    generator_model,
    label_entries,
)
from triplea.methods._networks import Counted, NetworkMethod, bins_for, claimed_noises, public_code
from triplea.schema import Encoded, Schema

AUTOENCODER, CRITIC = "training of the autoencoder", "training of the critic"
CLAIM = "autoencoder and critic as published"
AUTOENCODER_PART = 0.12  # of what the counts leave; the critic needs the rest more
REASONS = (
    "The encoder takes gradient steps without noise (Appendix A, Algorithm 3, line 9). It is hidden state: "
    "one record can move it anywhere, and with it every other record's clipped gradient in the next step.",
    "Batches are drawn with replacement, and the row count is used as it is.",
)


class DpAutoGan(NetworkMethod):
    """An autoencoder, and a Wasserstein GAN in its latent space whose critic sees decoded rows."""

    name = "dp-auto-gan"
    title = "DP-auto-GAN"
    summary = "autoencoder and Wasserstein GAN in its latent space, both under DP-SGD; mixed types"
    variants = ("provable", "published")
    claimed = CLAIM

    def __init__(
        self,
        *,
        preset: str = "auto",
        autoencoder_steps: int | None = None,
        critic_steps: int | None = None,
        sampling_rate: float | None = None,
        clip_norm: float = 1.0,
        most_bins: int = 16,
        correct_shares: bool = True,
    ) -> None:
        self.preset = preset
        self.autoencoder_steps = autoencoder_steps
        self.critic_steps = critic_steps
        self.sampling_rate = sampling_rate
        self.clip_norm = clip_norm
        self.most_bins = most_bins
        self.correct_shares = correct_shares

    def recipe(self, width: int, *, labelled: bool = False) -> Recipe:
        """The preset, with what the parameters change."""
        if self.preset not in ("auto", *PRESETS):
            raise MethodError(
                f"parameter 'preset' must be one of auto, {', '.join(PRESETS)}, got {self.preset!r}."
            )
        chosen = automatic(width, labelled=labelled) if self.preset == "auto" else PRESETS[self.preset]
        rate = self.sampling_rate
        return replace(
            chosen,
            autoencoder_steps=self.autoencoder_steps or chosen.autoencoder_steps,
            critic_steps=self.critic_steps or chosen.critic_steps,
            autoencoder_rate=rate or chosen.autoencoder_rate,
            critic_rate=rate or chosen.critic_rate,
        )

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """Encoder and decoder as one run, the critic as another."""
        recipe = self.recipe(self.width(schema))
        left = self.training_share
        return (
            Ask(
                label=AUTOENCODER, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=AUTOENCODER_PART * left,
                sampling_rate=recipe.autoencoder_rate, steps=recipe.autoencoder_steps,
            ),
            Ask(
                label=CRITIC, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=(1.0 - AUTOENCODER_PART) * left,
                sampling_rate=recipe.critic_rate, steps=recipe.critic_steps,
            ),
        )  # fmt: skip

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count, train the autoencoder, train the critic with the generator's turns, bend the result."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        if not counted.code.layout.width:  # every column has one value: there is nothing to learn
            self.model_ = LatentRows(layers={}, noise=1, binnings=counted.code.binnings)
            return self
        recipe = self.recipe(self.width(door.schema), labelled=label_entries(counted) is not None)
        coding = autoencoder_run(recipe, counted, clip_norm=self.clip_norm, rng=rng)
        decoder = decoder_of(door.descend(coding, label=AUTOENCODER).layers)
        playing = critic_run(recipe, counted, decoder, clip_norm=self.clip_norm, rng=rng, conditional=True)
        played = door.descend(playing, label=CRITIC)
        model = generator_model(recipe, counted, playing, played.public)
        self.model_ = corrected(model, counted, rng) if self.correct_shares else model
        return self

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Algorithm 2 with Algorithm 3 as printed; public bins, no counts, and the likeliest values."""
        code = public_code(door.schema, bins_for(door.schema, self.most_bins))
        recipe = self.recipe(self.width(door.schema))
        first, second = claimed_noises(self.trainings(door.schema), door.budget)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[Layers, int]:
            return self._published(
                recipe, code, code.encode(rows), (first, second), generator=generator, rng=rng
            )

        layers, rows = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        self.rows_ = float(rows)
        self.model_ = LatentRows(layers=layers, noise=recipe.noise, binnings=code.binnings, drawn=False)
        return self

    def _published(
        self,
        recipe: Recipe,
        code: RowCode,
        rows: np.ndarray,
        noises: tuple[float, float],
        *,
        generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, int]:
        from triplea.anonymize.descending import train
        from triplea.queries.critic import generator_layers
        from triplea.queries.hidden_encoder import train_hidden_encoder

        counted = Counted.blank(code, rows=len(rows))
        coding = autoencoder_run(recipe, counted, clip_norm=self.clip_norm, rng=rng)
        trained = train_hidden_encoder(
            rows, coding.layers, layout=code.layout, optimizer=coding.optimizer,
            steps=recipe.autoencoder_steps, batch=max(1, round(recipe.autoencoder_rate * len(rows))),
            clip_norm=self.clip_norm, noise_multiplier=noises[0], generator=generator,
        )  # fmt: skip
        playing = critic_run(
            recipe, counted, decoder_of(trained), clip_norm=self.clip_norm, rng=rng, as_published=True
        )
        played = train(
            playing, rows, rate=recipe.critic_rate, steps=recipe.critic_steps,
            stddev=noises[1] * self.clip_norm, generator=generator, public_generator=rng, label=CLAIM,
        )  # fmt: skip
        return generator_layers(playing.task, played.public), len(rows)


def decoder_of(layers: Layers) -> Layers:
    """The decoder's layers alone."""
    return {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
