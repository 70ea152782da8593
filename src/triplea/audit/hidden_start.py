"""DP-auto-GAN's Appendix A with a public start that shows what its un-noised encoder does.

A guarantee of private training must hold for every public start of the networks. Here they know the usual row
by heart and are badly wrong about an odd one. A single odd row then moves the encoder's bias, which has no
noise, past zero; from there on the decoder's clipped gradients of all usual rows point the other way at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.dense import Layers
from triplea.audit.pairs import REPLACE, Pair
from triplea.methods._adversaries import Recipe, autoencoder_run
from triplea.methods._networks import Counted
from triplea.methods.dp_auto_gan import DpAutoGan, decoder_of
from triplea.schema import load_schema

USUAL_ROWS = 800
STEPS = 6
CODE = 0.003  # of the usual row: less than one update of the encoder's bias
STEEP = 11_000.0  # of the decoder: the usual row's logits lie beyond their limit, the odd one's just below
COLUMNS = 40


class StartedAutoGan(DpAutoGan):
    """The published training of encoder and decoder from a chosen start; the decoder is what it releases."""

    def recipe(self, width: int, *, labelled: bool = False) -> Recipe:
        """The usual one, with a latent space of one number."""
        return replace(super().recipe(width, labelled=labelled), noise=1)

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
        from triplea.queries.hidden_encoder import train_hidden_encoder

        optimizer = autoencoder_run(
            recipe, Counted.blank(code, rows=len(rows)), clip_norm=self.clip_norm, rng=rng
        ).optimizer
        trained = train_hidden_encoder(
            rows, start(code.layout.width), layout=code.layout, optimizer=optimizer,
            steps=recipe.autoencoder_steps, batch=max(1, round(recipe.autoencoder_rate * len(rows))),
            clip_norm=self.clip_norm, noise_multiplier=noises[0], generator=generator,
        )  # fmt: skip
        return decoder_of(trained), len(rows)


def start(width: int) -> Layers:
    """One latent number: `CODE`, a tenth less for the odd row; the decoder takes its sign for "all false"."""
    return {
        "decoder.0": (np.full((1, width), -STEEP, np.float32), np.zeros(width, np.float32)),
        "encoder.0": (np.full((width, 1), -0.1 * CODE / width, np.float32), np.full(1, CODE, np.float32)),
    }


def hidden_encoder() -> Pair:
    """Usual rows, and one that is odd in the second table."""
    names = [f"q{number}" for number in range(COLUMNS)]
    columns: list[dict[str, Any]] = [{"name": name, "kind": "boolean"} for name in names]
    usual = {name: [False] * USUAL_ROWS for name in names}
    tables = [
        pa.table({name: pa.array([*cells, odd], pa.bool_()) for name, cells in usual.items()})
        for odd in (False, True)
    ]
    return Pair(
        name="hidden encoder", why="one odd row turns an encoder without noise, and with it every other row",
        schema=load_schema({"columns": columns}), relation=REPLACE, table=tables[0], neighbour=tables[1],
        params={"autoencoder_steps": STEPS, "critic_steps": 1, "sampling_rate": 1.0}, kind=StartedAutoGan,
    )  # fmt: skip
