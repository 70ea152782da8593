"""Losses and their derivatives against the formulas."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from triplea.approximate.networks.losses import binary_cross_entropy, cross_entropy, leaky, softplus

AT = jnp.asarray([-50.0, -1.0, 0.0, 2.0, 50.0])


def test_softplus_and_its_slope():
    assert np.asarray(softplus(AT)) == pytest.approx(np.logaddexp(0, np.asarray(AT)), rel=1e-6)
    slopes = jax.vmap(jax.grad(softplus))(AT)
    assert np.asarray(slopes) == pytest.approx(1 / (1 + np.exp(-np.asarray(AT))), rel=1e-5)


def test_cross_entropies():
    p = 1 / (1 + np.exp(-1.0))
    assert float(binary_cross_entropy(1.0, 0.25)) == pytest.approx(-0.25 * np.log(p) - 0.75 * np.log(1 - p))
    logits, shares = jnp.asarray([1.0, 2.0, 0.5]), jnp.asarray([0.0, 1.0, 0.0])
    assert float(cross_entropy(logits, shares)) == pytest.approx(
        -np.log(np.exp(2.0) / np.exp(np.asarray(logits)).sum()), rel=1e-5
    )
    assert float(leaky(-1.0)) == pytest.approx(-0.2)
