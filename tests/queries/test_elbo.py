"""The variational autoencoder's loss of one record."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import as_jax, slow_sum
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.queries.descent import Draws, Net, clipped_sum
from triplea.queries.elbo import Elbo
from triplea.queries.reconstruction import Reconstruction

RNG = np.random.default_rng(0)
LAYOUT = Layout(singles=1, blocks=(3,))
LAYERS = as_jax({**dense_layers("encoder", (4, 5, 4), rng=RNG), **dense_layers("decoder", (2, 4), rng=RNG)})
TASK = Elbo(layout=LAYOUT, encoder=("encoder.0", "encoder.1"), decoder=("decoder.0",), latent=2)
ROWS = jnp.asarray([[1, 0, 1, 0], [0, 0, 0, 1]], jnp.float32)


def test_its_clipped_sum_equals_the_slow_way():
    draws = Draws(each=jnp.asarray(RNG.standard_normal((2, 2)), jnp.float32))
    fast = jax.jit(clipped_sum, static_argnums=0)
    found = fast(TASK, LAYERS, ROWS, jnp.ones(2, bool), None, draws, 0.5)
    wanted = slow_sum(TASK, LAYERS, ROWS, None, draws, 0.5)
    assert np.asarray(found) == pytest.approx(wanted, abs=2e-3 * np.linalg.norm(wanted))


def test_a_standard_normal_code_costs_nothing_beside_the_reconstruction():
    silent = {**LAYERS, "encoder.1": (jnp.zeros((5, 4)), jnp.zeros(4))}
    own = jnp.asarray([0.3, -0.7])
    plain = Reconstruction(layout=LAYOUT, encoder=(), decoder=("decoder.0",))
    from triplea.approximate.codes.layouts import surprise
    from triplea.queries.reconstruction import decoded

    wanted = surprise(decoded(Net(silent), plain.decoder, own), ROWS[0], LAYOUT)
    assert float(TASK.loss(Net(silent), ROWS[0], None, None, own)) == pytest.approx(float(wanted), rel=1e-5)
