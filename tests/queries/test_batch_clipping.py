"""What the public codes of DP-VAE, DP-WGAN, DP-GAN and DP-CGAN clip, and why it does not bound a record."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import Autoencode, as_jax, descent, layers_for
from triplea.queries.batch_clipping import by_arrays, clipped, train_batch_clipped
from triplea.queries.descent import Draws, Net, flatten

LAYERS = {"a": (jnp.asarray([[3.0, 4.0], [0.3, 0.4]]), jnp.asarray([0.0, 1.0]))}


def test_a_batch_is_clipped_as_one_vector_or_row_by_row():
    whole = np.asarray(flatten(clipped(LAYERS, 1.0, "batch")))
    assert np.linalg.norm(whole) == pytest.approx(1.0)
    by_row = clipped(LAYERS, 1.0, "rows")["a"]
    assert np.linalg.norm(np.asarray(by_row[0]), axis=1) == pytest.approx([1.0, 0.5])
    assert np.linalg.norm(np.asarray(flatten({"a": by_row}))) > 1.4


def test_one_record_turns_a_batch_by_twice_the_clip_norm():
    """63 records pull gently one way, one pulls hard the other way: the clipped vector turns round."""
    gentle, hard = np.full(2, 0.1), np.full(2, -50.0)
    without = clipped({"a": (jnp.zeros((1, 2)), jnp.asarray(63 * gentle))}, 1.0, "batch")
    with_it = clipped({"a": (jnp.zeros((1, 2)), jnp.asarray(63 * gentle + hard))}, 1.0, "batch")
    moved = np.linalg.norm(np.asarray(flatten(with_it) - flatten(without)))
    assert moved == pytest.approx(2.0, rel=1e-4)


@pytest.mark.parametrize("clipping", ["batch", "rows", "arrays", "none"])
def test_training_runs_and_leaves_an_empty_table_alone(clipping):
    run, rng = descent(), np.random.default_rng(0)
    options = {"rate": 0.5, "noise_multiplier": 0.1, "clipping": clipping, "generator": rng, "rng": rng}
    layers, public = train_batch_clipped(run, rng.random((20, 5), dtype=np.float32), steps=5, **options)
    assert public is None
    assert not np.array_equal(layers["net.0"][0], run.layers["net.0"][0])
    same, _ = train_batch_clipped(run, np.zeros((0, 5), np.float32), steps=5, **options)
    assert np.array_equal(same["net.0"][0], run.layers["net.0"][0])


def test_arrays_that_are_clipped_by_themselves_move_by_twice_the_clip_norm():
    """Two layers are four arrays: DP-CGAN's noise is for one of them."""
    layers, row = as_jax(layers_for()), 50.0 * jnp.ones((1, 5))
    found = by_arrays(Autoencode(), layers, row, None, Draws(), 0.5)
    lengths = [float(jnp.linalg.norm(part)) for layer in found.values() for part in layer]
    assert lengths == pytest.approx([0.5] * 4, rel=1e-3)
    assert float(jnp.linalg.norm(flatten(found))) == pytest.approx(1.0, rel=1e-3)


def test_arrays_that_are_short_enough_stay_as_they_are():
    layers, rows = as_jax(layers_for()), jnp.asarray(np.random.default_rng(0).random((6, 5)), jnp.float32)

    def mean_loss(parameters):
        return jnp.mean(jax.vmap(lambda row: Autoencode().loss(Net(parameters), row, None, None, None))(rows))

    found = by_arrays(Autoencode(), layers, rows, None, Draws(), 1e6)
    assert np.asarray(flatten(found)) == pytest.approx(
        np.asarray(flatten(jax.grad(mean_loss)(layers))), rel=1e-3, abs=1e-5
    )
