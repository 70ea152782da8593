"""The regression on points: against plain linear algebra, with and without padding."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from triplea.adapt.kernel_regression import (
    Strengths,
    Support,
    Targets,
    coefficients,
    objective,
    squared_errors,
)
from triplea.adapt.ntk import double_precision, ntk

RNG = np.random.default_rng(0)
POINTS, LABELS = RNG.standard_normal((5, 3)), RNG.standard_normal((5, 2))
START = POINTS + 0.1
WEIGHTS = np.array([1.0, 2.0, 0.5, 1.0, 0.5])
TARGETS = Targets(RNG.standard_normal((7, 3)), RNG.standard_normal((7, 2)), np.ones(7))
STRENGTHS = Strengths(alpha=0.3, ridge=1e-2, learning_rate=0.1, scale=1.0)


KERNEL = jax.jit(ntk, static_argnames="depth")
ERRORS = jax.jit(squared_errors, static_argnames="depth")


def support(padding=0):
    def pad(part):
        return np.concatenate([part, np.full((padding, *part.shape[1:]), 1.0)])

    present = np.arange(5 + padding) < 5
    return Support(pad(POINTS), pad(LABELS), pad(WEIGHTS), present)


def on_device(tree):
    return jax.tree.map(jnp.asarray, tree)


def plain_errors():
    kernel = np.asarray(KERNEL(jnp.asarray(POINTS), jnp.asarray(POINTS), depth=2))
    ridge = 1e-2 * np.trace(kernel) / 5 * np.diag(1.0 / WEIGHTS)
    solved = np.linalg.solve(kernel + ridge, LABELS)
    cross = np.asarray(KERNEL(jnp.asarray(TARGETS.points), jnp.asarray(POINTS), depth=2))
    return ((TARGETS.labels - cross @ solved) ** 2).sum(axis=1)


def test_errors_equal_plain_linear_algebra_in_spite_of_padding():
    with double_precision():
        found = ERRORS(on_device(support(3)), on_device(TARGETS), depth=2, ridge=1e-2)
        assert np.asarray(found) == pytest.approx(plain_errors(), rel=1e-6)


def test_padded_points_get_no_coefficient():
    with double_precision():
        found = np.asarray(
            jax.jit(coefficients, static_argnames="depth")(on_device(support(3)), depth=2, ridge=1e-2)
        )
    assert np.array_equal(found[5:], np.zeros((3, 2)))


def test_the_objective_is_equation_6():
    with double_precision():
        parts = on_device((support(), START, TARGETS, STRENGTHS))
        found = jax.jit(objective, static_argnames="depth")(*parts, depth=2)
        share = WEIGHTS[:, None]
        distance = np.sum(share * (POINTS - START) ** 2) / np.sum(share * START**2)
        wanted = 0.3 * distance + 0.7 * 0.5 * plain_errors().mean()
        assert float(found) == pytest.approx(wanted, rel=1e-6)


def test_single_precision_suffices_with_the_default_ridge():
    """Relative error of the squared errors in float32 at a ridge of 1e-3."""
    with double_precision():
        exact = np.asarray(ERRORS(on_device(support(3)), on_device(TARGETS), depth=2, ridge=1e-3))
        short = jax.tree.map(
            lambda part: part if part.dtype == bool else part.astype("float32"), (support(3), TARGETS)
        )
        rough = np.asarray(ERRORS(*on_device(short), depth=2, ridge=np.float32(1e-3)))
    assert rough.dtype == np.float32
    assert rough == pytest.approx(exact, rel=1e-2)
