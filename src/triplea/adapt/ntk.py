"""The neural tangent kernel of an infinitely wide, fully connected ReLU network, in closed form.

The network, in the parametrisation of Jacot, Gabriel and Hongler (2018): every weight and bias is N(0, 1)
at the start, a layer maps h to W h sqrt(2 / inputs) + bias * b, and ReLU stands between layers. Weights thus
act as N(0, 2 / inputs), which keeps the length of a signal from layer to layer.

With S the covariance of a layer's outputs at two inputs and c their correlation, the next layer has

    S' = sqrt(S(x,x) S(y,y)) k1(c) + bias^2,    k1(c) = (sqrt(1 - c^2) + (pi - arccos c) c) / pi,
    T' = T k0(c) + S',                          k0(c) = (pi - arccos c) / pi,

starting from S = T = 2 x.y / inputs + bias^2 (arc-cosine kernels of Cho and Saul 2009).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Array = Any
BIAS = 0.1  # as in the public code of kernel inducing points


def double_precision() -> AbstractContextManager[Any]:
    """Float64 inside the block; the process-wide default stays as it is."""
    if hasattr(jax, "enable_x64"):
        block: AbstractContextManager[Any] = jax.enable_x64(True)
    else:  # JAX before 0.8
        block = import_module("jax.experimental").enable_x64()
    return block


def ntk(left: Array, right: Array, *, depth: int, bias: float = BIAS) -> Array:
    """The kernel between the rows of `left` (n x d) and of `right` (m x d), n x m, for `depth` hidden layers.

    In the precision of its inputs. Where two inputs are collinear the kernel has a kink; the gradient there
    is that of the smooth part, and finite.
    """
    inputs = left.shape[-1]
    product = jnp.matmul(left, right.T, precision=jax.lax.Precision.HIGHEST)
    covariance = 2.0 * product / inputs + bias**2
    left_variance = 2.0 * jnp.sum(left**2, axis=-1) / inputs + bias**2
    right_variance = 2.0 * jnp.sum(right**2, axis=-1) / inputs + bias**2
    tangent = covariance
    for _ in range(depth):
        # Only zero inputs to a network without biases have no variance; their kernel is zero, not 0 / 0.
        length = jnp.sqrt(_positive(left_variance))[:, None] * jnp.sqrt(_positive(right_variance))[None, :]
        correlation = covariance / length
        covariance = length * _order_one(correlation) + bias**2
        tangent = tangent * _order_zero(correlation) + covariance
        left_variance, right_variance = left_variance + bias**2, right_variance + bias**2
    return tangent


def _positive(values: Array) -> Array:
    return jnp.maximum(values, np.finfo(values.dtype).eps ** 2)


@jax.custom_jvp
def _order_zero(correlation: Array) -> Array:
    """The chance, doubled, that two units of a layer are both on."""
    return 1.0 - jnp.arccos(jnp.clip(correlation, -1.0, 1.0)) / jnp.pi


@_order_zero.defjvp
def _order_zero_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    # 1 / sqrt(1 - c^2) without its pole. The correlation itself is stationary where inputs are collinear, up
    # to rounding: with 1 - c^2 held above the machine epsilon, rounding grows to its square root at most.
    (correlation,), (tangent,) = primals, tangents
    gap = jnp.maximum(1.0 - correlation**2, np.finfo(correlation.dtype).eps)
    return _order_zero(correlation), tangent / (jnp.pi * jnp.sqrt(gap))


@jax.custom_jvp
def _order_one(correlation: Array) -> Array:
    """Twice the mean product of two units after ReLU, for unit variances."""
    inside = jnp.clip(correlation, -1.0, 1.0)
    return jnp.sqrt(1.0 - inside**2) / jnp.pi + inside * _order_zero(inside)


@_order_one.defjvp
def _order_one_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (correlation,), (tangent,) = primals, tangents
    return _order_one(correlation), tangent * _order_zero(correlation)
