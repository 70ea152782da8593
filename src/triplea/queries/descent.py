"""A training run as a question: the sum of clipped per-record gradients, asked again at every step.

A `Task` says what one record's loss is. It never sees a second record: the loss of a single record is
vectorised here, so nothing in a network can couple two records. Layers are dense, and then the gradient of
one record is a sum of outer products of a layer's input a and its back-propagated error d. Its norm follows
from |a| and |d|, and the clipped sum over a batch is one matrix product; no single gradient is written down.
A task whose parameters are no dense layers says so, and pays for gradients that are written down.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.optimizers import Optimizer
from triplea.schema import Encoded

Array = Any
# Added to the squared norm, relative to its summands: covers the rounding of float32 in norms and sums.
ROUNDING = 2.0**-12


class Draws(NamedTuple):
    """Public random numbers of a run: `shared` by all records of a step, or for `each` slot of its batch.

    Every array has the step as its first axis; those in `each` have the slot as their second.
    """

    shared: Any = None
    each: Any = None


class Net:
    """A network during one evaluation; calling it applies a layer and remembers what went in.

    A tap is added to the output of each call: the gradient in a tap is the back-propagated error there.
    """

    def __init__(self, layers: Mapping[str, tuple[Array, Array]], taps: list[Array] | None = None) -> None:
        self.layers = layers
        self.taps = taps
        self.calls: list[str] = []
        self.inputs: list[Array] = []

    def __call__(self, name: str, values: Array) -> Array:
        """Apply one dense layer."""
        weights, biases = self.layers[name]
        outputs = values @ weights + biases
        if self.taps is not None:
            outputs = outputs + self.taps[len(self.calls)]
        self.calls.append(name)
        self.inputs.append(values)
        return outputs


class Task(ABC):
    """What is trained. Subclasses are frozen dataclasses: equal tasks share one compiled loop.

    `public` is state without rows behind it (a generator, say); `shared` and `own` are public random numbers.
    """

    dense = True  # parameters are reached by calling `net`; otherwise through `net.layers`, in any way

    @abstractmethod
    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """The loss of one record, a scalar. All parameters are reached through `net`."""

    def shared_loss(self, net: Net, public: Any, shared: Any) -> Array | None:
        """A public term that is part of every record's loss, such as a critic's opinion of generated rows."""
        del net, public, shared
        return None

    def weight(self, record: Array) -> Array | float:
        """What the record's loss is multiplied by, shared term included; the clip norm holds after it."""
        del record
        return 1.0

    def turn(self, layers: Any, public: Any, shared: Any, step: Array) -> Any:
        """A free step of the public networks, given the released parameters; returns the new `public`."""
        del layers, shared, step
        return public


@dataclass(frozen=True, kw_only=True)
class Descent:
    """A whole private training run. Everything here is fixed before a row is read, or was released.

    Sensitivity (L2) of every step: clip_norm for add-or-remove, twice that for replace-one. The sum is
    divided by `sampling rate * n_public`, never by the number of records drawn. Non-finite gradients count
    as zero. Proof: docs/proofs/descend.md.
    """

    task: Task
    encode: Callable[[Encoded], np.ndarray]
    layers: Layers
    optimizer: Optimizer
    clip_norm: float
    n_public: float
    public: Any = None
    turn_every: int = 0
    draws: Callable[[np.random.Generator, int, int], Draws] | None = None  # generator, steps, slots
    average: float = 0.0  # decay of the running mean of the parameters; 0 keeps the last ones
    weight_limit: float = 0.0  # weights are held inside +- this; 0 means no limit
    proof: str = "docs/proofs/descend.md"

    @property
    def size(self) -> int:
        """How many numbers are released at every step."""
        return sum(weights.size + biases.size for weights, biases in self.layers.values())


def flatten(layers: Mapping[str, tuple[Array, Array]]) -> Array:
    """All parameters as one vector, layers in the order of their names.

    JAX hands dictionaries back in that order, so it is the only one that never changes on the way.
    """
    return jnp.concatenate([jnp.ravel(part) for name in sorted(layers) for part in layers[name]])


def restore(vector: Array, shapes: tuple[tuple[str, int, int], ...]) -> dict[str, tuple[Array, Array]]:
    """The layers behind a vector."""
    layers, start = {}, 0
    for name, inputs, outputs in shapes:
        middle, stop = start + inputs * outputs, start + (inputs + 1) * outputs
        layers[name] = (vector[start:middle].reshape(inputs, outputs), vector[middle:stop])
        start = stop
    return layers


def shapes_of(layers: Layers) -> tuple[tuple[str, int, int], ...]:
    """Name, inputs and outputs of every layer, in the order of `flatten`; hashable."""
    return tuple((name, *layers[name][0].shape) for name in sorted(layers))


def clipped_sum(
    task: Task,
    layers: Mapping[str, tuple[Array, Array]],
    records: Array,
    present: Array,
    public: Any,
    draws: Draws,
    clip_norm: float,
) -> Array:
    """The sum over present records of (gradient of the record's loss, shared term included), clipped.

    Returns one flat vector. Each summand has L2 norm at most `clip_norm`; a record with a non-finite gradient
    adds zero.
    """
    if not task.dense:
        return _written_out(task, layers, records, present, public, draws, clip_norm)
    calls, errors, inputs = outer_products(task, layers, records, public, draws)
    common = _shared_gradient(task, layers, public, draws)
    squared = _squared_norms(calls, errors, inputs, common)
    counted = present & jnp.isfinite(squared)
    scale = _scales(squared, counted, clip_norm, jax.vmap(task.weight)(records))

    parts = {
        name: (jnp.zeros_like(weights), jnp.zeros_like(biases)) for name, (weights, biases) in layers.items()
    }
    if common is not None:
        total = jnp.sum(scale)
        parts = {name: (total * weights, total * biases) for name, (weights, biases) in common.items()}
    exact = jax.lax.Precision.HIGHEST  # on a GPU the default would round products to ten bits
    for name, error, entering in zip(calls, errors, inputs, strict=True):
        scaled = jnp.where(counted[:, None], error * scale[:, None], 0.0)
        clean = jnp.where(counted[:, None], entering, 0.0)
        weights, biases = parts[name]
        parts[name] = (
            weights + jnp.matmul(clean.T, scaled, precision=exact),
            biases + jnp.sum(scaled, axis=0),
        )
    return flatten(parts)


def outer_products(
    task: Task, layers: Any, records: Array, public: Any, draws: Draws
) -> tuple[list[str], list[Array], list[Array]]:
    """For every call of a layer: its name, the error behind it and the input before it, for each record."""
    own = jax.tree.map(lambda part: part[0], draws.each)
    probe = Net(layers)
    jax.eval_shape(lambda record: task.loss(probe, record, public, draws.shared, own), records[0])
    widths = [layers[name][1].shape[0] for name in probe.calls]

    def one(record: Array, own: Any) -> tuple[list[Array], list[Array]]:
        def tapped(taps: list[Array]) -> tuple[Array, list[Array]]:
            net = Net(layers, taps)
            return task.loss(net, record, public, draws.shared, own), net.inputs

        found: tuple[list[Array], list[Array]] = jax.grad(tapped, has_aux=True)(
            [jnp.zeros(width, records.dtype) for width in widths]
        )
        return found

    errors, inputs = jax.vmap(one)(records, draws.each)
    return probe.calls, errors, inputs


def _written_out(
    task: Task, layers: Any, records: Array, present: Array, public: Any, draws: Draws, clip_norm: float
) -> Array:
    """The same sum by the gradient of every record, as one vector each."""

    def one(record: Array, own: Any) -> Array:
        def loss(parameters: Any) -> Array:
            net = Net(parameters)
            common = task.shared_loss(net, public, draws.shared)
            value = task.loss(net, record, public, draws.shared, own)
            return value if common is None else value + common

        return flatten(jax.grad(loss)(layers))

    gradients = jax.vmap(one)(records, draws.each)
    squared = (1.0 + ROUNDING) * jnp.sum(gradients**2, axis=1)
    counted = present & jnp.isfinite(squared)
    clean = jnp.where(counted[:, None], gradients, 0.0)
    scale = _scales(squared, counted, clip_norm, jax.vmap(task.weight)(records))
    return jnp.matmul(scale, clean, precision=jax.lax.Precision.HIGHEST)


def _scales(squared: Array, counted: Array, clip_norm: float, weights: Array) -> Array:
    """What each gradient is multiplied by: at most its record's weight, and 0 for those that do not count.

    A weight that is negative or no finite number counts as zero: it would pass the clip.
    """
    norms = jnp.sqrt(jnp.where(counted, squared, 1.0))
    usual = jnp.where((weights > 0.0) & jnp.isfinite(weights), weights, 0.0)
    return jnp.where(counted, jnp.minimum(usual, clip_norm / norms), 0.0)


def _shared_gradient(task: Task, layers: Any, public: Any, draws: Draws) -> Any:
    def term(parameters: Any) -> Array | None:
        return task.shared_loss(Net(parameters), public, draws.shared)

    return None if jax.eval_shape(term, layers) is None else jax.grad(term)(layers)


def _squared_norms(calls: list[str], errors: list[Array], inputs: list[Array], common: Any) -> Array:
    """Squared norm of every record's gradient, rounded up.

    A layer called as (a_i, d_i) has the gradient sum_i a_i d_i' with squared norm
    sum_ij (a_i.a_j + 1)(d_i.d_j); the 1 is the bias.
    """
    total = jnp.zeros(errors[0].shape[0], errors[0].dtype)
    size = total
    for i, name in enumerate(calls):
        for j in range(i + 1):
            if calls[j] == name:
                inner = (_dot(inputs[i], inputs[j]) + 1.0) * _dot(errors[i], errors[j])
                total = total + (inner if i == j else 2.0 * inner)
                size = size + jnp.abs(inner)
    if common is not None:
        for name, error, entering in zip(calls, errors, inputs, strict=True):
            weights, biases = common[name]
            bent = jnp.matmul(entering, weights, precision=jax.lax.Precision.HIGHEST)
            total = total + 2.0 * (_dot(bent, error) + error @ biases)
        length = sum(jnp.sum(part**2) for layer in common.values() for part in layer)
        total, size = total + length, size + length
    return jnp.maximum(total, 0.0) + ROUNDING * size


def _dot(first: Array, second: Array) -> Array:
    return jnp.sum(first * second, axis=-1)
