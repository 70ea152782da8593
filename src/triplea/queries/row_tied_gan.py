"""ADS-GAN's training: a Wasserstein GAN whose generator is given a real row with every noise vector.

For rows read in the clear. What it makes is a function of single rows, so no guarantee can follow.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.layouts import shares
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.losses import leaky
from triplea.approximate.networks.optimizers import adam

Array = Any
BATCH, CRITIC_STEPS, PENALTY = 128, 5, 10.0
CHUNK = 200  # generator steps in one compiled call


def generated(generator: Any, rows: Array, noise: Array, layout: Layout) -> Array:
    """One row of probabilities for every real row."""
    values = jnp.concatenate([noise, rows], axis=1)
    names = sorted(generator)
    for name in names[:-1]:
        values = jnp.tanh(values @ generator[name][0] + generator[name][1])
    return shares(jnp.clip(values @ generator[names[-1]][0] + generator[names[-1]][1], -30.0, 30.0), layout)


def score(critic: Any, rows: Array) -> Array:
    """The critic's opinion."""
    weights, biases = critic[min(critic)]
    return _opinion(critic, rows @ weights + biases)


def _opinion(critic: Any, entering: Array) -> Array:
    """The critic's opinion, from what its first layer says."""
    values = leaky(entering)
    *between, last = sorted(critic)[1:]
    for name in between:
        values = leaky(values @ critic[name][0] + critic[name][1])
    return (values @ critic[last][0] + critic[last][1])[..., 0]


def critic_loss(critic: Any, real: Array, fake: Array, mix: Array) -> Array:
    """Scores of generated rows minus those of real ones, and the penalty for slopes other than 1 between.

    The first layer W is affine, so between two rows it says what lies between; a slope s behind it is the
    slope Ws in the row, of length sqrt(s' W'W s). Neither needs a product as wide as a row.
    """
    weights, biases = critic[min(critic)]
    of_real, of_fake = real @ weights + biases, fake @ weights + biases
    slopes = jax.vmap(jax.grad(lambda entering: _opinion(critic, entering)))(
        mix * of_real + (1.0 - mix) * of_fake
    )
    lengths = jnp.sqrt(jnp.sum(slopes @ (weights.T @ weights) * slopes, axis=1) + 1e-12)
    gap = jnp.mean(_opinion(critic, of_fake)) - jnp.mean(_opinion(critic, of_real))
    return gap + PENALTY * jnp.mean((lengths - 1.0) ** 2)


def generator_loss(
    generator: Any, critic: Any, rows: Array, noise: Array, layout: Layout, closeness: float
) -> Array:
    """Minus the score, minus `closeness` times the distance from the row that was given."""
    fake = generated(generator, rows, noise, layout)
    apart = jnp.sqrt(jnp.sum((rows - fake) ** 2, axis=1) + 1e-12)
    return -jnp.mean(score(critic, fake)) - closeness * jnp.mean(apart)


@partial(jax.jit, static_argnames=("layout", "learning_rate"))
def _advance(
    state: Any, rows: Array, places: Array, noise: Array, mixes: Array, *, layout: Layout,
    learning_rate: float, closeness: float,
) -> Any:  # fmt: skip
    """Some generator steps, each after the critic's."""
    optimizer = adam(learning_rate, first=0.5, second=0.9)

    def moved(layers: Any, slopes: Any, moments: Any, count: Array) -> tuple[Any, Any]:
        parts, tree = jax.tree.flatten(layers)
        pairs = [
            optimizer.update(part, slope, moment, count)
            for part, slope, moment in zip(parts, jax.tree.leaves(slopes), moments, strict=True)
        ]
        return jax.tree.unflatten(tree, [part for part, _ in pairs]), [moment for _, moment in pairs]

    def one(state: Any, now: Any) -> tuple[Any, None]:
        generator, critic, own, others, count = state
        where, normals, mix = now
        for turn in range(CRITIC_STEPS):
            real = rows[where[turn]].astype(jnp.float32)
            fake = generated(generator, real, normals[turn], layout)
            slopes = jax.grad(critic_loss)(critic, real, fake, mix[turn])
            critic, others = moved(critic, slopes, others, CRITIC_STEPS * count + turn)
        slopes = jax.grad(generator_loss)(generator, critic, real, normals[-1], layout, closeness)
        generator, own = moved(generator, slopes, own, count)
        return (generator, critic, own, others, count + 1.0), None

    return jax.lax.scan(one, state, (places, noise, mixes))[0]


def train_row_tied(
    rows: np.ndarray, generator: Layers, critic: Layers, *, layout: Layout, noise: int, steps: int,
    learning_rate: float, closeness: float, rng: np.random.Generator,
) -> Layers:  # fmt: skip
    """Train, and return the generator. Rows of bits take a quarter of the memory of numbers."""
    optimizer = adam(learning_rate)
    moments = [[optimizer.start(part) for part in jax.tree.leaves(net)] for net in (generator, critic)]
    state: Any = (dict(generator), dict(critic), *moments, jnp.zeros((), jnp.float32))
    on_device = jnp.asarray(rows)  # once: as an array of NumPy it would be copied for every chunk
    for start in range(0, steps if len(rows) else 0, CHUNK):
        size = (min(CHUNK, steps - start), CRITIC_STEPS)
        state = _advance(
            state,
            on_device,
            rng.integers(len(rows), size=(*size, BATCH)),
            rng.standard_normal((*size, BATCH, noise), dtype=np.float32),
            rng.random((*size, BATCH, 1), dtype=np.float32),
            layout=layout, learning_rate=learning_rate, closeness=closeness,
        )  # fmt: skip
    return {name: (np.asarray(weights), np.asarray(biases)) for name, (weights, biases) in state[0].items()}
