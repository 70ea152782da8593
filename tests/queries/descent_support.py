"""Small tasks for private training, and the slow way to a clipped sum."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.losses import binary_cross_entropy, leaky
from triplea.approximate.networks.optimizers import sgd
from triplea.queries.descent import Descent, Draws, Net, Task, flatten


@dataclass(frozen=True)
class Autoencode(Task):
    """Two layers; the first is used by every record once."""

    def loss(self, net, record, public, shared, own):
        return jnp.sum(binary_cross_entropy(net("net.1", leaky(net("net.0", record))), record))


@dataclass(frozen=True)
class Contrast(Task):
    """A critic that meets the record, its mirror image (so layers are used twice) and generated rows."""

    def score(self, net, values):
        return net("net.1", leaky(net("net.0", values)))[0]

    def loss(self, net, record, public, shared, own):
        return 0.3 * self.score(net, 1.0 - record) - self.score(net, record + own)

    def shared_loss(self, net, public, shared):
        return jnp.mean(jax.vmap(lambda row: self.score(net, row))(shared))

    def turn(self, layers, public, shared, step):
        return public + step


@dataclass(frozen=True)
class Mean(Task):
    """The bias of a layer that sees zeros: its gradient is bias - record, so training finds the mean."""

    def loss(self, net, record, public, shared, own):
        return 0.5 * jnp.sum((net("net.0", jnp.zeros(1)) - record) ** 2)


def slow_sum(task, layers, records, public, draws, clip_norm):
    """One record at a time, by automatic differentiation of the whole loss."""
    total = np.zeros(flatten(layers).size)
    for index, record in enumerate(records):
        own = jax.tree.map(lambda part, i=index: part[i], draws.each)

        def loss(parameters, record=record, own=own):
            net = Net(parameters)
            value = task.loss(net, record, public, draws.shared, own)
            common = task.shared_loss(Net(parameters), public, draws.shared)
            return value if common is None else value + common

        gradient = np.asarray(flatten(jax.jit(jax.grad(loss))(layers)), dtype=np.float64)
        if np.isfinite(gradient).all():
            total += gradient * min(1.0, clip_norm / np.linalg.norm(gradient))
    return total


def as_jax(layers):
    return {name: (jnp.asarray(weights), jnp.asarray(biases)) for name, (weights, biases) in layers.items()}


def layers_for(widths=(5, 4, 5), seed=0):
    return dense_layers("net", widths, rng=np.random.default_rng(seed))


def descent(task=None, *, widths=(5, 4, 5), **options):
    settings = {
        "task": task or Autoencode(),
        "encode": lambda rows: np.stack([np.asarray(part, float) for part in rows.values()], axis=1),
        "layers": layers_for(widths),
        "optimizer": sgd(0.1),
        "clip_norm": 1.0,
        "n_public": 100.0,
    }
    return Descent(**{**settings, **options})


__all__ = ["Draws"]
