"""Autoencoders that divide the rows: a record moves those of its own group only."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import as_jax, slow_sum
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.queries.descent import Draws, Net, clipped_sum, restore, shapes_of
from triplea.queries.grouped_reconstruction import GroupedReconstruction, in_ball

FAST_SUM = jax.jit(clipped_sum, static_argnums=0)
RNG = np.random.default_rng(0)
LAYERS = as_jax(
    {
        name: layer
        for g in (0, 1)
        for prefix, widths in ((f"encoder.{g}", (9, 5, 2)), (f"decoder.{g}", (2, 5, 9)))
        for name, layer in dense_layers(prefix, widths, rng=RNG).items()
    }
)
TASK = GroupedReconstruction(
    layout=Layout(singles=2, blocks=(3, 4)),
    encoders=tuple((f"encoder.{g}.0", f"encoder.{g}.1") for g in (0, 1)),
    decoders=tuple((f"decoder.{g}.0", f"decoder.{g}.1") for g in (0, 1)),
)
ROWS = jnp.asarray([[1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0], [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1]], jnp.float32)


def test_its_clipped_sum_equals_the_slow_way():
    found = FAST_SUM(TASK, LAYERS, ROWS, jnp.ones(2, bool), None, Draws(), 2.0)
    wanted = slow_sum(TASK, LAYERS, ROWS, None, Draws(), 2.0)
    assert np.asarray(found) == pytest.approx(wanted, abs=2e-3 * np.linalg.norm(wanted))


def test_a_record_leaves_the_networks_of_other_groups_alone():
    found = FAST_SUM(TASK, LAYERS, ROWS, jnp.array([True, False]), None, Draws(), 1.0)
    assert np.linalg.norm(found) <= 1.0 + 1e-6
    for name, (weights, biases) in restore(found, shapes_of(LAYERS)).items():
        touched = bool(np.any(weights) or np.any(biases))
        assert touched == (name.split(".")[1] == "0")


def test_codes_lie_in_the_unit_ball():
    wild = {name: (1e4 * weights, biases) for name, (weights, biases) in LAYERS.items()}
    code = in_ball(Net(wild), TASK.encoders[0], ROWS[0, :9])
    assert float(jnp.linalg.norm(code)) <= 1.0 + 1e-6
