"""Kernel ridge regression on a few points, and the compiled steps that move those points.

Arrays are padded to a few sizes, so that calls of similar shape share one program. A padded point has a row
of the identity in the kernel matrix and zero labels: it predicts nothing and never moves.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from triplea.adapt.ntk import ntk
from triplea.approximate.networks.optimizers import adam

Array = Any


class Support(NamedTuple):
    """The points of a regression; `present` marks those that are no padding."""

    points: Array
    labels: Array
    weights: Array
    present: Array


class Targets(NamedTuple):
    """What shall be predicted well; `weights` of padded targets are zero."""

    points: Array
    labels: Array
    weights: Array


class Strengths(NamedTuple):
    """Numbers of the objective; values, so that another choice needs no other program."""

    alpha: Array
    ridge: Array
    learning_rate: Array
    scale: Array  # of the regression loss: 1 for a mean over targets, their number for a sum


class State(NamedTuple):
    """What goes from step to step. Points and labels stand side by side in `values`."""

    values: Array
    moments: Any
    step: Array


def coefficients(support: Support, *, depth: int, ridge: Array) -> Array:
    """(K_ss + ridge * trace(K_ss) / n * diag(1 / weights))^-1 y_s; zero for padded points."""
    kernel = ntk(support.points, support.points, depth=depth)
    both = support.present[:, None] & support.present[None, :]
    level = jnp.sum(jnp.where(support.present, jnp.diagonal(kernel), 0.0)) / jnp.sum(support.present)
    diagonal = jnp.where(support.present, ridge * level / support.weights, 1.0)
    factor = jax.scipy.linalg.cho_factor(jnp.where(both, kernel, 0.0) + jnp.diag(diagonal))
    solved = jax.scipy.linalg.cho_solve(factor, jnp.where(support.present[:, None], support.labels, 0.0))
    return solved


def predict(support: Support, solved: Array, points: Array, *, depth: int) -> Array:
    """K_ts times the coefficients."""
    return jnp.matmul(ntk(points, support.points, depth=depth), solved, precision=jax.lax.Precision.HIGHEST)


def squared_errors(support: Support, targets: Targets, *, depth: int, ridge: Array) -> Array:
    """|y_i - K_is (K_ss + ridge)^-1 y_s|^2 for every target i."""
    solved = coefficients(support, depth=depth, ridge=ridge)
    return jnp.sum((targets.labels - predict(support, solved, targets.points, depth=depth)) ** 2, axis=-1)


def objective(support: Support, start: Array, targets: Targets, strengths: Strengths, *, depth: int) -> Array:
    """Equation 6 of 3A: alpha * relative distance from `start` + (1 - alpha) * regression loss."""
    errors = squared_errors(support, targets, depth=depth, ridge=strengths.ridge)
    fit = 0.5 * strengths.scale * jnp.sum(targets.weights * errors) / jnp.sum(targets.weights)
    share = jnp.where(support.present, support.weights, 0.0)[:, None]
    size = jnp.maximum(jnp.sum(share * start**2), np.finfo(start.dtype).tiny)
    distance = jnp.sum(share * (support.points - start) ** 2) / size
    return strengths.alpha * distance + (1.0 - strengths.alpha) * fit


def begin(support: Support) -> State:
    """The state before the first step."""
    values = jnp.concatenate([support.points, support.labels], axis=1)
    return State(values=values, moments=adam(0.0).start(values), step=jnp.zeros((), values.dtype))


@partial(jax.jit, static_argnames=("depth", "learn_labels"))
def advance(
    state: State,
    support: Support,
    targets: Targets,
    batches: Array,
    used: Array,
    strengths: Strengths,
    *,
    depth: int,
    learn_labels: bool,
) -> tuple[State, Array]:
    """Take the first `used` steps, one for each row of `batches`; also the objective before every step."""
    columns = support.points.shape[1]
    optimizer = adam(strengths.learning_rate)

    def value(values: Array, batch: Targets) -> Array:
        moved = support._replace(points=values[:, :columns], labels=values[:, columns:])
        return objective(moved, support.points, batch, strengths, depth=depth)

    def one(index: Array, carried: tuple[State, Array]) -> tuple[State, Array]:
        state, losses = carried
        batch = jax.tree.map(lambda part: part[batches[index]], targets)
        loss, gradient = jax.value_and_grad(value)(state.values, batch)
        if not learn_labels:
            gradient = gradient.at[:, columns:].set(0.0)
        values, moments = optimizer.update(state.values, gradient, state.moments, state.step)
        # A matrix too close to singular has no factor: then everything stays, and the caller sees the loss.
        sound = jnp.isfinite(loss) & jnp.isfinite(gradient).all()
        following = State(values=values, moments=moments, step=state.step + 1.0)
        kept = jax.tree.map(lambda new, old: jnp.where(sound, new, old), following, state)
        return kept, losses.at[index].set(loss)

    empty = jnp.full(batches.shape[0], jnp.nan, state.values.dtype)
    done: tuple[State, Array] = jax.lax.fori_loop(0, used, one, (state, empty))
    return done
