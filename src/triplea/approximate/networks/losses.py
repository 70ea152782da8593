"""Losses of one record, with derivatives that are cheap to compile: training never needs the value."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

Array = Any


@jax.custom_jvp
def softplus(values: Array) -> Array:
    """log(1 + exp(values)); the derivative is one sigmoid, where automatic differentiation takes more."""
    return jnp.logaddexp(0.0, values)


@softplus.defjvp
def _softplus_slope(values: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    return softplus(values[0]), jax.nn.sigmoid(values[0]) * tangents[0]


def binary_cross_entropy(logits: Array, targets: Array) -> Array:
    """Entrywise -t log p - (1 - t) log(1 - p) with p = sigmoid(logits)."""
    return softplus(logits) - targets * logits


def cross_entropy(logits: Array, shares: Array) -> Array:
    """Minus sum of shares * log softmax(logits), along the last axis."""
    return -jnp.sum(shares * jax.nn.log_softmax(logits), axis=-1)


def leaky(values: Array) -> Array:
    """Leaky ReLU with slope .2."""
    return jax.nn.leaky_relu(values, 0.2)
