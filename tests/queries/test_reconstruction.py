"""The autoencoder's loss of one record."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import as_jax, slow_sum
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.queries.descent import Draws, clipped_sum
from triplea.queries.reconstruction import Reconstruction

FAST_SUM = jax.jit(clipped_sum, static_argnums=0)
LAYOUT = Layout(singles=2, blocks=(3, 4))
RNG = np.random.default_rng(0)
LAYERS = as_jax(
    {**dense_layers("encoder", (9, 5, 2), rng=RNG), **dense_layers("decoder", (2, 5, 9), rng=RNG)}
)
TASK = Reconstruction(layout=LAYOUT, encoder=("encoder.0", "encoder.1"), decoder=("decoder.0", "decoder.1"))
ROWS = jnp.asarray([[1, 0, 1, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 1, 0, 0, 0]], jnp.float32)


@pytest.mark.parametrize("clip_norm", [0.5, 1e6])
def test_its_clipped_sum_equals_the_slow_way(clip_norm):
    found = FAST_SUM(TASK, LAYERS, ROWS, jnp.ones(2, bool), None, Draws(), clip_norm)
    wanted = slow_sum(TASK, LAYERS, ROWS, None, Draws(), clip_norm)
    assert np.asarray(found) == pytest.approx(wanted, abs=2e-3 * np.linalg.norm(wanted))
