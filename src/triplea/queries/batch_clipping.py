"""Training that does not clip every record's gradient as one vector: what four public codes do.

For published variants only. A batch whose clipped gradient turns moves by up to twice the clip norm, whatever
one record's share in it; clipping rows of weight matrices bounds no record at all, and so does no clipping;
clipping every array of a record's gradient by itself bounds the whole by the root of their number.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from triplea.queries.descent import Descent, Draws, Net, Task, flatten, outer_products, restore, shapes_of

Array = Any
Clipping = Literal["batch", "rows", "arrays", "none"]


@partial(jax.jit, static_argnames=("task", "shapes", "optimizer", "clipping", "weight_limit", "turns"))
def _step(
    state: Any,
    rows: Array,
    noise: Array,
    draws: Draws,
    clip_norm: float,
    *,
    task: Task,
    shapes: Any,
    optimizer: Any,
    clipping: Clipping,
    weight_limit: float,
    turns: bool,
) -> Any:
    vector, moments, public, count = state

    def mean_loss(layers: Any) -> Array:
        def one(row: Array, own: Any) -> Array:
            return task.loss(Net(layers), row, public, draws.shared, own)

        common = task.shared_loss(Net(layers), public, draws.shared)
        return jnp.mean(jax.vmap(one)(rows, draws.each)) + (0.0 if common is None else common)

    layers = restore(vector, shapes)
    if clipping == "arrays":
        gradient = flatten(by_arrays(task, layers, rows, public, draws, clip_norm))
    else:
        gradient = flatten(clipped(jax.grad(mean_loss)(layers), clip_norm, clipping))
    vector, moments = optimizer.update(vector, gradient + clip_norm * noise, moments, count)
    if weight_limit:
        vector = jnp.clip(vector, -weight_limit, weight_limit)
    if turns:
        public = task.turn(restore(vector, shapes), public, draws.shared, count)
    return vector, moments, public, count + 1.0


def clipped(layers: Any, clip_norm: float, clipping: Clipping) -> Any:
    """The gradient as a whole, or every row of every matrix, clipped to the norm; or nothing."""

    def shortened(part: Array, length: Array) -> Array:
        return part * jnp.minimum(1.0, clip_norm / jnp.maximum(length, 1e-12))

    if clipping == "none":
        return layers
    if clipping == "batch":
        length = jnp.linalg.norm(flatten(layers))
        return jax.tree.map(lambda part: shortened(part, length), layers)
    return jax.tree.map(lambda part: shortened(part, jnp.linalg.norm(part, axis=-1, keepdims=True)), layers)


def by_arrays(task: Task, layers: Any, rows: Array, public: Any, draws: Draws, clip_norm: float) -> Any:
    """The mean over rows of gradients in which weights and biases of every layer are clipped by themselves.

    The public term of the loss is clipped in the same way and added. Every layer must be called once.
    """

    def scale(length: Array) -> Array:
        return jnp.minimum(1.0, clip_norm / jnp.maximum(length, 1e-12))[:, None]

    calls, errors, inputs = outer_products(task, layers, rows, public, draws)
    parts = {}
    for name, error, entering in zip(calls, errors, inputs, strict=True):
        length = jnp.linalg.norm(error, axis=1)
        weights = entering.T @ (error * scale(length * jnp.linalg.norm(entering, axis=1)))
        parts[name] = (weights / len(rows), jnp.mean(error * scale(length), axis=0))

    def common(parameters: Any) -> Array | None:
        return task.shared_loss(Net(parameters), public, draws.shared)

    if jax.eval_shape(common, layers) is None:
        return parts
    fixed = jax.tree.map(
        lambda part: part * scale(jnp.linalg.norm(part)[None])[0], dict(jax.grad(common)(layers))
    )
    return jax.tree.map(jnp.add, parts, fixed)


def train_batch_clipped(
    descent: Descent,
    rows: np.ndarray,
    *,
    steps: int,
    rate: float,
    noise_multiplier: float,
    clipping: Clipping,
    generator: np.random.Generator,
    rng: np.random.Generator,
    labels: tuple[int, int] = (0, 0),
) -> tuple[Any, Any]:
    """Train on batches drawn with replacement; return the layers and the public state.

    With `labels`, generated rows take over those entries from the rows of the batch, without noise.
    """
    shapes, batch = shapes_of(descent.layers), max(1, round(rate * len(rows)))
    vector = flatten(descent.layers)
    state = (vector, descent.optimizer.start(vector), descent.public, jnp.zeros((), jnp.float32))
    spread = noise_multiplier if clipping == "rows" else noise_multiplier / batch
    for index in range(steps if len(rows) else 0):
        draws = Draws() if descent.draws is None else descent.draws(rng, 1, batch)
        drawn = rows[generator.integers(len(rows), size=batch)]
        if labels[1]:
            wanted = draws.shared["labels"].shape[1]
            taken = drawn[np.arange(wanted) % batch, slice(*labels)]
            draws = draws._replace(shared={**draws.shared, "labels": taken[None]})
        state = _step(
            state,
            drawn,
            spread * generator.standard_normal(descent.size, dtype=np.float32),
            jax.tree.map(lambda part: part[0], draws),
            descent.clip_norm,
            task=descent.task,
            shapes=shapes,
            optimizer=descent.optimizer,
            clipping=clipping,
            weight_limit=descent.weight_limit,
            turns=bool(descent.turn_every) and (index + 1) % descent.turn_every == 0,
        )
    layers = {name: (np.asarray(w), np.asarray(b)) for name, (w, b) in restore(state[0], shapes).items()}
    return layers, jax.tree.map(np.asarray, state[2])
