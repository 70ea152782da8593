"""The counter-example to DP-auto-GAN's Appendix A: without noise the encoder carries one record to all."""

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.optimizers import sgd
from triplea.queries.descent import Draws, clipped_sum, flatten, shapes_of
from triplea.queries.hidden_encoder import step, train_hidden_encoder
from triplea.queries.reconstruction import Reconstruction

FAST_SUM = jax.jit(clipped_sum, static_argnums=0)
LAYOUT = Layout(singles=2, blocks=())
CLIP = 0.1
LAYERS = {
    "encoder.0": (np.array([[1.0], [1.0]], np.float32), np.array([0.0], np.float32)),
    "decoder.0": (np.array([[20.0, -20.0]], np.float32), np.array([0.0, 0.0], np.float32)),
}
USUAL = np.tile(np.array([[1.0, 0.0]], np.float32), (64, 1))  # the networks know these rows well
ODD = np.array([[0.0, 1.0]], np.float32)  # and are badly wrong about this one


def second_sum(rows):
    """The decoder's clipped sum over the 64 usual rows, after one noiseless step on `rows`."""
    vector = flatten(LAYERS)
    state = (vector, sgd(10.0).start(vector), jnp.zeros(()))
    options = {"layout": LAYOUT, "optimizer": sgd(10.0), "shapes": shapes_of(LAYERS), "clip_norm": CLIP}
    decoder_size = 4
    state, _ = step(state, rows, jnp.zeros(decoder_size), **options)
    _, total = step(state, USUAL, jnp.zeros(decoder_size), **options)
    return np.asarray(total)


def test_one_record_moves_the_next_clipped_sum_by_many_times_the_clip_norm():
    moved = np.linalg.norm(second_sum(np.concatenate([USUAL, ODD])) - second_sum(USUAL))
    assert moved > 30 * CLIP


def test_with_noise_on_both_networks_a_step_moves_by_at_most_the_clip_norm():
    task = Reconstruction(layout=LAYOUT, encoder=("encoder.0",), decoder=("decoder.0",))

    def total(rows):
        present = jnp.ones(len(rows), bool)
        return np.asarray(FAST_SUM(task, LAYERS, jnp.asarray(rows), present, None, Draws(), CLIP))

    assert np.linalg.norm(total(np.concatenate([USUAL, ODD])) - total(USUAL)) <= CLIP


def test_training_as_published_learns_to_reconstruct():
    rng = np.random.default_rng(0)
    start = {name: (0.1 * rng.normal(size=w.shape).astype(np.float32), b) for name, (w, b) in LAYERS.items()}
    rows = np.concatenate([USUAL, np.tile(ODD, (64, 1))])
    options = {"layout": LAYOUT, "optimizer": sgd(0.5), "batch": 32, "clip_norm": 1.0, "generator": rng}
    made = train_hidden_encoder(rows, start, steps=300, noise_multiplier=0.01, **options)
    assert set(made) == set(LAYERS)
    assert not np.array_equal(made["encoder.0"][0], start["encoder.0"][0])
    untouched = train_hidden_encoder(rows[:0], start, steps=3, noise_multiplier=1.0, **options)
    assert np.array_equal(untouched["encoder.0"][0], start["encoder.0"][0])
