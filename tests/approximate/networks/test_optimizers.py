"""Update rules against optax."""

import jax.numpy as jnp
import numpy as np
import pytest

from triplea.approximate.networks.optimizers import adam, rmsprop, sgd

optax = pytest.importorskip("optax")
PAIRS = {
    "sgd": (sgd(0.1), optax.sgd(0.1)),
    "momentum": (sgd(0.1, first=0.9), optax.sgd(0.1, momentum=0.9)),
    "adam": (adam(0.05), optax.adam(0.05)),
    "rmsprop": (rmsprop(0.05), optax.rmsprop(0.05, decay=0.99, eps=1e-8, eps_in_sqrt=False)),
    "decay": (
        adam(0.05, decay_steps=10, last=0.2),
        optax.adam(optax.linear_schedule(0.05, 0.01, 10)),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_ten_steps_equal_those_of_optax(name):
    ours, theirs = PAIRS[name]
    here = there = jnp.asarray([1.0, -2.0, 3.0])
    state, other = ours.start(here), theirs.init(there)
    source = np.random.default_rng(0)
    for step in range(10):
        gradient = jnp.asarray(source.standard_normal(3), jnp.float32)
        here, state = ours.update(here, gradient, state, jnp.float32(step))
        change, other = theirs.update(gradient, other, there)
        there = optax.apply_updates(there, change)
    assert np.asarray(here) == pytest.approx(np.asarray(there), rel=2e-4)
