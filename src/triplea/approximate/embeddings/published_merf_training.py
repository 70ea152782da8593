"""Training of the published generator: batch normalisation, Adam, labels drawn from the noisy weights."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.embeddings.published_merf import Embedded, outputs
from triplea.approximate.embeddings.wave_means import circle
from triplea.approximate.networks.optimizers import adam

Array = Any
TINY = 1e-5


def train_published(
    embedded: Embedded,
    *,
    width: int,
    numeric: int,
    noise: int,
    steps: int,
    batch: int,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """Return the layers after `steps` updates, with the normalisation of a large batch folded in."""
    sizes = [noise + 1, 4 * width, 2 * width, width]
    start: dict[str, Array] = {}
    for index in range(3):
        reach = sizes[index] ** -0.5
        start[f"weights{index}"] = jnp.asarray(
            rng.uniform(-reach, reach, sizes[index : index + 2]), jnp.float32
        )
        start[f"biases{index}"] = jnp.zeros(sizes[index + 1])
        if index < 2:
            start[f"gain{index}"] = jnp.ones(sizes[index + 1])
    shares = jnp.asarray(embedded.weights / embedded.weights.sum(), jnp.float32)
    target = jnp.asarray(embedded.means / embedded.weights[:, None], jnp.float32)
    fixed = (shares, target, jnp.asarray(embedded.directions, jnp.float32))
    trained = _train(numeric, noise, batch, steps, start, fixed, jax.random.PRNGKey(int(rng.integers(2**31))))
    layers = {name: np.asarray(value) for name, value in trained.items()}
    labels = rng.choice(len(embedded.weights), size=(4096, 1), p=embedded.weights / embedded.weights.sum())
    folded: dict[str, np.ndarray] = _folded(
        layers, np.concatenate([rng.standard_normal((4096, noise)), labels], axis=1)
    )
    return folded


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _train(
    numeric: int, noise: int, batch: int, steps: int, start: Any, fixed: tuple[Array, ...], key: Array
) -> Any:
    optimizer = adam(0.01)
    shares, target, directions = fixed

    def loss(layers: Any, key: Array) -> Array:
        first, second = jax.random.split(key)
        labels = jax.random.choice(first, len(shares), (batch,), p=shares)
        # A Gaussian by its inverse distribution function: public chance, drawn from a public key.
        uniform = jax.random.uniform(second, (batch, noise), minval=1e-6, maxval=1.0 - 1e-6)
        inputs = jnp.concatenate([jax.scipy.special.ndtri(uniform), labels[:, None]], axis=1)
        made = outputs(jnp, _normalised(layers, inputs), inputs, numeric)
        cosines, sines = circle(made[:, :numeric] @ directions.T)
        scale = 1.0 / np.sqrt(max(directions.shape[0], 1))
        codes = made[:, numeric:] / np.sqrt(max(made.shape[1] - numeric, 1))
        vectors = jnp.concatenate([scale * cosines, scale * sines, codes], axis=1)
        means = jax.nn.one_hot(labels, len(shares)).T @ vectors / batch
        return jnp.sum((target - means / shares[:, None]) ** 2)

    def step(index: Array, state: Any) -> Any:
        layers, moments, key = state
        key, own = jax.random.split(key)
        gradient = jax.grad(loss)(layers, own)
        updated = {
            name: optimizer.update(layers[name], gradient[name], moments[name], index.astype(jnp.float32))
            for name in layers
        }
        return {n: new for n, (new, _) in updated.items()}, {n: kept for n, (_, kept) in updated.items()}, key

    state = (start, {name: optimizer.start(value) for name, value in start.items()}, key)
    return jax.lax.fori_loop(0, steps, step, state)[0]


def _normalised(layers: Any, inputs: Array) -> Any:
    """The same layers with this batch's normalisation folded in."""
    return _folded(layers, inputs, xp=jnp)


def _folded(layers: Any, inputs: Any, xp: Any = np) -> Any:
    folded, values = dict(layers), inputs
    for index in (0, 1):
        raw = values @ layers[f"weights{index}"]
        gain = layers[f"gain{index}"] / xp.sqrt(raw.var(axis=0) + TINY)
        folded[f"weights{index}"] = layers[f"weights{index}"] * gain
        folded[f"biases{index}"] = layers[f"biases{index}"] - raw.mean(axis=0) * gain
        values = xp.maximum(values @ folded[f"weights{index}"] + folded[f"biases{index}"], 0.0)
    return {name: value for name, value in folded.items() if not name.startswith("gain")}
