"""DP-auto-GAN's autoencoder as its Appendix A has it: noise on the decoder, none on the encoder.

For the published variant and for the counter-example in the tests. The guarantee that the paper claims for it
does not hold: the encoder is state that saw rows without noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.layouts import surprise
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.losses import leaky
from triplea.approximate.networks.optimizers import Optimizer
from triplea.queries.descent import Draws, Net, Task, clipped_sum, flatten, restore, shapes_of
from triplea.queries.reconstruction import decoded

Array = Any


@dataclass(frozen=True, kw_only=True)
class DecoderOnly(Task):
    """The decoder's loss; a record is a row with its code behind it."""

    layout: Layout
    decoder: tuple[str, ...]

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """Minus the log-probability of the row given its code."""
        del public, shared, own
        row, code = record[: self.layout.width], record[self.layout.width :]
        return surprise(decoded(net, self.decoder, code), row, self.layout)


def encoded(encoder: Any, rows: Array) -> Array:
    """The codes of rows."""
    net = Net(encoder)
    for name in encoder:
        rows = leaky(net(name, rows))
    return rows


def mean_loss(encoder: Any, decoder: Any, rows: Array, layout: Layout) -> Array:
    """The loss that the encoder descends, over the rows of a batch."""
    logits = decoded(Net(decoder), tuple(decoder), encoded(encoder, rows))
    return jnp.mean(jax.vmap(lambda logit, row: surprise(logit, row, layout))(logits, rows))


@partial(jax.jit, static_argnames=("layout", "optimizer", "shapes"))
def step(
    state: Any,
    rows: Array,
    noise: Array,
    *,
    layout: Layout,
    optimizer: Optimizer,
    shapes: Any,
    clip_norm: float,
) -> tuple[Any, Array]:
    """One step of Algorithm 3; also returns the decoder's clipped sum before noise."""
    vector, moments, count = state
    layers = restore(vector, shapes)
    encoder = {name: layer for name, layer in layers.items() if name.startswith("encoder.")}
    decoder = {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
    plain = flatten(jax.grad(mean_loss)(encoder, decoder, rows, layout))
    records = jnp.concatenate([rows, encoded(encoder, rows)], axis=1)
    task = DecoderOnly(layout=layout, decoder=tuple(decoder))
    present = jnp.ones(len(rows), bool)
    total = clipped_sum(task, decoder, records, present, None, Draws(), clip_norm)
    gradient = jnp.concatenate([(total + noise) / len(rows), plain])  # "decoder" sorts before "encoder"
    vector, moments = optimizer.update(vector, gradient, moments, count)
    return (vector, moments, count + 1.0), total


def train_hidden_encoder(
    rows: np.ndarray,
    layers: Layers,
    *,
    layout: Layout,
    optimizer: Optimizer,
    steps: int,
    batch: int,
    clip_norm: float,
    noise_multiplier: float,
    generator: np.random.Generator,
) -> Layers:
    """Run Algorithm 3 on batches drawn with replacement, as the paper's code does."""
    vector = flatten(layers)
    noised = sum(w.size + b.size for name, (w, b) in layers.items() if name.startswith("decoder."))
    state = (vector, optimizer.start(vector), jnp.zeros((), jnp.float32))
    for _ in range(steps if len(rows) else 0):
        drawn = rows[generator.integers(len(rows), size=batch)]
        noise = clip_norm * noise_multiplier * generator.standard_normal(noised, dtype=np.float32)
        state, _ = step(
            state, drawn, noise, layout=layout, optimizer=optimizer, shapes=shapes_of(layers),
            clip_norm=clip_norm,
        )  # fmt: skip
    return {
        name: (np.asarray(w), np.asarray(b)) for name, (w, b) in restore(state[0], shapes_of(layers)).items()
    }
