"""A student learns from votes: a dense network that predicts how many teachers say yes. Public."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from triplea.approximate.networks.losses import leaky, softplus
from triplea.approximate.networks.optimizers import Optimizer

Array = Any


@partial(jax.jit, static_argnames=("optimizer", "steps"))
def study(
    layers: Any, rows: Array, shares: Array, *, optimizer: Optimizer, steps: int, decay: float = 1e-3
) -> Any:
    """Take gradient steps towards the shares of teachers that say yes; weights are drawn to zero by `decay`.

    The loss of a row is log(1 + e^score) - share * score. It is linear in the share, so that noise in the
    shares averages out, even where it takes them outside 0 to 1.
    """
    names = sorted(layers)

    def loss(layers: Any) -> Array:
        values = rows
        for name in names[:-1]:
            values = leaky(values @ layers[name][0] + layers[name][1])
        scores = (values @ layers[names[-1]][0] + layers[names[-1]][1])[:, 0]
        size = sum(jnp.sum(weights**2) for weights, _ in layers.values())
        return jnp.mean(softplus(scores) - shares * scores) + decay * size

    def step(index: Array, state: Any) -> Any:
        layers, moments = state
        parts, tree = jax.tree.flatten(layers)
        slopes = jax.tree.leaves(jax.grad(loss)(layers))
        moved = [optimizer.update(p, g, m, index) for p, g, m in zip(parts, slopes, moments, strict=True)]
        return jax.tree.unflatten(tree, [part for part, _ in moved]), [state for _, state in moved]

    start = [optimizer.start(part) for part in jax.tree.leaves(layers)]
    return jax.lax.fori_loop(0, steps, step, (layers, start))[0]
