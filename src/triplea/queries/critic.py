"""A Wasserstein critic on rows and on generated rows, and the generator's free turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.layouts import drawn, shares
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.losses import leaky
from triplea.approximate.networks.optimizers import Optimizer
from triplea.queries.descent import Draws, Net, Task, flatten, restore
from triplea.queries.reconstruction import decoded

Array = Any


@dataclass(frozen=True, kw_only=True)
class Critic(Task):
    """The record's loss is the mean score of generated rows minus the record's own score.

    `public` holds the generator: its parameters as one vector, the optimizer's moments and a running mean. A
    generated row is the decoder's probabilities or, with `hard`, a draw from them whose gradient is that of
    the probabilities (straight through).
    """

    layout: Layout
    critic: tuple[str, ...]
    generator: tuple[str, ...]
    decoder: tuple[str, ...]
    shapes: tuple[tuple[str, int, int], ...]
    optimizer: Optimizer
    average: float = 0.99
    hard: bool = True
    fixed: int = 0  # so many parameters at the start, those of a decoder that stays as it is

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """Minus the critic's score of one row."""
        del public, shared, own
        return -self.score(net, record)

    def shared_loss(self, net: Net, public: Any, shared: Any) -> Array:
        """The mean score of generated rows."""
        rows = jax.lax.stop_gradient(self.generated(public["vector"], shared))
        return jnp.mean(self.score(net, rows))

    def turn(self, layers: Any, public: Any, shared: Any, step: Array) -> Any:
        """One step of the generator towards higher scores."""
        del step
        net = Net(layers)

        def wanted(vector: Array) -> Array:
            return -jnp.mean(self.score(net, self.generated(vector, shared)))

        gradient = jax.grad(wanted)(public["vector"])
        if self.fixed:
            gradient = gradient.at[: self.fixed].set(0.0)
        vector, moments = self.optimizer.update(
            public["vector"], gradient, public["moments"], public["turns"]
        )
        turns = public["turns"] + 1.0
        decay = jnp.minimum(self.average, turns / (9.0 + turns))
        mean = decay * public["mean"] + (1.0 - decay) * vector
        return {"vector": vector, "moments": moments, "mean": mean, "turns": turns}

    def score(self, net: Any, rows: Array) -> Array:
        """The critic's opinion of one row, or of many."""
        for name in self.critic[:-1]:
            rows = leaky(net(name, rows))
        return net(self.critic[-1], rows)[..., 0]

    def generated(self, vector: Array, shared: Any) -> Array:
        """Rows from latent noise."""
        net = Net(restore(vector, self.shapes))
        values = shared["noise"]
        for name in self.generator:
            values = leaky(net(name, values))
        logits = decoded(net, self.decoder, values)
        soft = shares(logits, self.layout)
        if not self.hard:
            return soft
        return soft + jax.lax.stop_gradient(drawn(logits, shared["uniforms"], self.layout) - soft)


def generator_state(layers: Any, optimizer: Optimizer) -> dict[str, Any]:
    """The public state of a run, at its start."""
    vector = flatten(layers)
    return {
        "vector": vector,
        "moments": optimizer.start(vector),
        "mean": vector,
        "turns": jnp.zeros((), jnp.float32),
    }


def generator_layers(task: Task, public: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The averaged generator with its decoder, from noise to logits."""
    assert isinstance(task, Critic)
    layers = restore(np.asarray(public["mean"]), task.shapes)
    path = (*task.generator, *task.decoder)
    return {name: (np.asarray(layers[name][0]), np.asarray(layers[name][1])) for name in path}


def uniform_draws(*, rows: int, noise: int, width: int) -> Callable[[np.random.Generator, int, int], Draws]:
    """Normal noise for the generator, and uniform numbers strictly between 0 and 1 for its draws."""

    def draws(generator: np.random.Generator, passes: int, slots: int) -> Draws:
        del slots
        uniforms = generator.random((passes, rows, width), dtype=np.float32)
        np.clip(uniforms, 1e-7, 1.0 - 1e-7, out=uniforms)
        normals = generator.standard_normal((passes, rows, noise), dtype=np.float32)
        return Draws(shared={"noise": normals, "uniforms": uniforms})

    return draws
