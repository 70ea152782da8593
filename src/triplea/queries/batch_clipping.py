"""Training that clips a whole batch's gradient instead of every record's: what two public codes do.

For published variants only. A batch whose clipped gradient turns moves by up to twice the clip norm, whatever
one record's share in it; clipping rows of weight matrices bounds no record at all.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from triplea.queries.descent import Descent, Draws, Net, Task, flatten, restore, shapes_of

Array = Any
Clipping = Literal["batch", "rows"]


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

    gradient = flatten(clipped(jax.grad(mean_loss)(restore(vector, shapes)), clip_norm, clipping))
    vector, moments = optimizer.update(vector, gradient + clip_norm * noise, moments, count)
    if weight_limit:
        vector = jnp.clip(vector, -weight_limit, weight_limit)
    if turns:
        public = task.turn(restore(vector, shapes), public, draws.shared, count)
    return vector, moments, public, count + 1.0


def clipped(layers: Any, clip_norm: float, clipping: Clipping) -> Any:
    """The gradient as a whole, or every row of every matrix, clipped to the norm."""

    def shortened(part: Array, length: Array) -> Array:
        return part * jnp.minimum(1.0, clip_norm / jnp.maximum(length, 1e-12))

    if clipping == "batch":
        length = jnp.linalg.norm(flatten(layers))
        return jax.tree.map(lambda part: shortened(part, length), layers)
    return jax.tree.map(lambda part: shortened(part, jnp.linalg.norm(part, axis=-1, keepdims=True)), layers)


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
) -> tuple[Any, Any]:
    """Train on batches drawn with replacement; return the layers and the public state."""
    shapes, batch = shapes_of(descent.layers), max(1, round(rate * len(rows)))
    vector = flatten(descent.layers)
    state = (vector, descent.optimizer.start(vector), descent.public, jnp.zeros((), jnp.float32))
    spread = noise_multiplier / batch if clipping == "batch" else noise_multiplier
    for index in range(steps if len(rows) else 0):
        draws = Draws() if descent.draws is None else descent.draws(rng, 1, batch)
        state = _step(
            state,
            rows[generator.integers(len(rows), size=batch)],
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
