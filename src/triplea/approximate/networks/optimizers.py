"""Optimizers on one flat parameter vector: SGD with momentum, RMSProp, Adam; the rate may fall linearly.

Written here because a private run needs nothing more, and so that the state is plainly a function of the
noised gradients that went in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import jax.numpy as jnp

Array = Any
OptimizerState = tuple[Array, Array]


@dataclass(frozen=True, kw_only=True)
class Optimizer:
    """One update rule; hashable, because it is compiled into the training loop.

    `kind` "sgd": x -= rate * m with m = first * m + g. "rmsprop": x -= rate * g / (sqrt(v) + tiny) with
    v = second * v + (1 - second) * g^2. "adam": both moments, corrected for their start at zero. With
    `decay_steps` the rate falls linearly to `last` times its value.
    """

    kind: Literal["sgd", "rmsprop", "adam"]
    learning_rate: float
    first: float = 0.0
    second: float = 0.99
    tiny: float = 1e-8
    decay_steps: int = 0
    last: float = 0.0

    def start(self, parameters: Array) -> OptimizerState:
        """Both moments at zero."""
        return jnp.zeros_like(parameters), jnp.zeros_like(parameters)

    def update(
        self, parameters: Array, gradient: Array, state: OptimizerState, step: Array
    ) -> tuple[Array, OptimizerState]:
        """One step against the gradient; `step` counts from zero."""
        mean, square = state
        rate = self._rate(step)
        if self.kind == "sgd":
            mean = self.first * mean + gradient
            return parameters - rate * mean, (mean, square)
        square = self.second * square + (1.0 - self.second) * gradient**2
        if self.kind == "rmsprop":
            return parameters - rate * gradient / (jnp.sqrt(square) + self.tiny), (mean, square)
        mean = self.first * mean + (1.0 - self.first) * gradient
        count = step + 1.0
        direction = (mean / (1.0 - self.first**count)) / (
            jnp.sqrt(square / (1.0 - self.second**count)) + self.tiny
        )
        return parameters - rate * direction, (mean, square)

    def _rate(self, step: Array) -> Array:
        if not self.decay_steps:
            return self.learning_rate
        done = jnp.minimum(step / self.decay_steps, 1.0)
        return self.learning_rate * (1.0 - (1.0 - self.last) * done)


def adam(learning_rate: float, **options: Any) -> Optimizer:
    """Adam with the usual moments."""
    return Optimizer(kind="adam", learning_rate=learning_rate, **{"first": 0.9, "second": 0.999, **options})


def rmsprop(learning_rate: float, **options: Any) -> Optimizer:
    """RMSProp with a decay of .99, as PyTorch has it."""
    return Optimizer(kind="rmsprop", learning_rate=learning_rate, **options)


def sgd(learning_rate: float, **options: Any) -> Optimizer:
    """Plain gradient steps, with momentum where `first` is given."""
    return Optimizer(kind="sgd", learning_rate=learning_rate, **options)
