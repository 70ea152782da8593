"""A critic (or discriminator) on rows and on generated rows, and the generator's free turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.layouts import drawn, shares
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.losses import leaky, softplus
from triplea.approximate.networks.optimizers import Optimizer
from triplea.queries.descent import Draws, Net, Task, flatten, restore
from triplea.queries.reconstruction import decoded

Array = Any


@dataclass(frozen=True, kw_only=True)
class Critic(Task):
    """The record's loss is the mean score of generated rows minus the record's own score ("wasserstein").

    With "cross-entropy", scores are the logits of a discriminator: a record is real, generated rows are not.
    `public` holds the generator: its parameters as one vector, the optimizer's moments and a running mean. A
    generated row is the decoder's probabilities or, with `hard`, a draw from them whose gradient is that of
    the probabilities (straight through). With a `label`, the entries of a row from its start to its end are
    given to the generator beside the noise, and stand in the generated row as they are.
    """

    layout: Layout
    critic: tuple[str, ...]
    generator: tuple[str, ...]
    decoder: tuple[str, ...]
    shapes: tuple[tuple[str, int, int], ...]
    optimizer: Optimizer
    average: float = 0.99
    hard: bool = True
    opinion: Literal["wasserstein", "cross-entropy"] = "wasserstein"
    label: tuple[int, int] = (0, 0)
    weights: tuple[float, ...] = ()  # of the classes of the label, at most 1
    fixed: int = 0  # so many parameters at the start, those of a decoder that stays as it is

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """What one row loses: the lower its score, the more."""
        del public, shared, own
        return self._for_real(self.score(net, record))

    def weight(self, record: Array) -> Array | float:
        """The weight of the record's class."""
        if not self.weights:
            return 1.0
        entries = record[slice(*self.label)]
        weights = jnp.asarray(self.weights)
        return (
            weights[0] + entries[0] * (weights[1] - weights[0])
            if len(self.weights) == 2
            else entries @ weights
        )

    def shared_loss(self, net: Net, public: Any, shared: Any) -> Array:
        """What generated rows lose on average: the higher their score, the more."""
        scores = self.score(net, jax.lax.stop_gradient(self.generated(public["vector"], shared)))
        return jnp.mean(scores if self.opinion == "wasserstein" else softplus(scores))

    def turn(self, layers: Any, public: Any, shared: Any, step: Array) -> Any:
        """One step of the generator towards higher scores."""
        del step
        net = Net(layers)

        def wanted(vector: Array) -> Array:
            return jnp.mean(self._for_real(self.score(net, self.generated(vector, shared))))

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
        """Rows from latent noise, with the given labels where there are any."""
        net = Net(restore(vector, self.shapes))
        start, stop = self.label
        values = shared["noise"]
        if stop:
            values = jnp.concatenate([values, shared["labels"]], axis=-1)
        for name in self.generator:
            values = leaky(net(name, values))
        logits = decoded(net, self.decoder, values)
        soft = shares(logits, self.layout)
        if self.hard:
            soft = soft + jax.lax.stop_gradient(drawn(logits, shared["uniforms"], self.layout) - soft)
        return soft.at[..., start:stop].set(shared["labels"]) if stop else soft

    def _for_real(self, scores: Array) -> Array:
        """What a row loses that should pass for a real one."""
        return -scores if self.opinion == "wasserstein" else softplus(-scores)


def generator_state(layers: Any, optimizer: Optimizer) -> dict[str, Any]:
    """The public state of a run, at its start."""
    vector = flatten(layers)
    return {
        "vector": vector,
        "moments": optimizer.start(vector),
        "mean": vector,
        "turns": jnp.zeros((), jnp.float32),
    }


@partial(jax.jit, static_argnames="task")
def take_turns(task: Critic, layers: Any, public: Any, shared: Any) -> Any:
    """As many turns of the generator as there are draws, against a critic that stays as it is."""

    def one(state: Any, now: Any) -> tuple[Any, None]:
        return task.turn(layers, state, now, state["turns"]), None

    return jax.lax.scan(one, public, shared)[0]


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


def labelled_draws(
    *, rows: int, noise: int, width: int, classes: np.ndarray
) -> Callable[[np.random.Generator, int, int], Draws]:
    """The same, and labels drawn by released shares of classes: one entry for two classes, else one-hot."""
    plain = uniform_draws(rows=rows, noise=noise, width=width)
    ends = np.cumsum(classes) / np.sum(classes)

    def draws(generator: np.random.Generator, passes: int, slots: int) -> Draws:
        chosen = np.searchsorted(ends[:-1], generator.random((passes, rows)), side="right")
        return Draws(
            shared={**plain(generator, passes, slots).shared, "labels": coded_labels(chosen, len(ends))}
        )

    return draws


def coded_labels(labels: np.ndarray, classes: int) -> np.ndarray:
    """Labels as they stand in a coded row."""
    if classes == 2:
        return labels[..., None].astype(np.float32)
    return np.asarray(labels[..., None] == np.arange(classes), dtype=np.float32)
