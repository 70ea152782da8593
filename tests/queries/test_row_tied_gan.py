"""ADS-GAN's losses, and a run that moves generated rows towards the real ones."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.queries.row_tied_gan import critic_loss, generated, generator_loss, score, train_row_tied

LAYOUT, RNG = Layout(singles=2, blocks=()), np.random.default_rng
GENERATOR = dense_layers("generator", (3 + 2, 8, 2), rng=RNG(0))
CRITIC = dense_layers("critic", (2, 8, 1), rng=RNG(1))
ROWS = np.tile(np.array([[1.0, 0.0]], np.float32), (50, 1))


def test_a_flat_critic_pays_the_whole_penalty():
    flat = {name: (0.0 * weights, 0.0 * biases) for name, (weights, biases) in CRITIC.items()}
    assert float(critic_loss(flat, ROWS, 1.0 - ROWS, jnp.full((50, 1), 0.5))) == pytest.approx(10.0, abs=1e-3)


def test_the_penalty_is_that_of_the_slope_in_the_row():
    critic = dense_layers("critic", (2, 8, 6, 1), rng=RNG(6))
    real, fake, mix = (
        RNG(seed).random((50, width)).astype(np.float32) for seed, width in ((7, 2), (8, 2), (9, 1))
    )
    slopes = jax.vmap(jax.grad(lambda row: score(critic, row)))(mix * real + (1 - mix) * fake)
    penalty = np.mean((np.linalg.norm(np.asarray(slopes), axis=1) - 1.0) ** 2)
    gap = float(score(critic, fake).mean() - score(critic, real).mean())
    assert float(critic_loss(critic, real, fake, mix)) == pytest.approx(gap + 10.0 * penalty, rel=1e-4)


def test_distance_from_the_given_row_lowers_the_loss():
    noise = RNG(2).standard_normal((50, 3)).astype(np.float32)
    near, far = (generator_loss(GENERATOR, CRITIC, ROWS, noise, LAYOUT, weight) for weight in (0.0, 1.0))
    assert far < near


def test_training_moves_rows_towards_the_real_ones():
    trained = train_row_tied(
        ROWS, GENERATOR, CRITIC, layout=LAYOUT, noise=3, steps=150, learning_rate=0.005, closeness=0.01,
        rng=RNG(3),
    )  # fmt: skip
    noise = RNG(4).standard_normal((50, 3)).astype(np.float32)
    before, after = (generated(layers, ROWS, noise, LAYOUT).mean(axis=0) for layers in (GENERATOR, trained))
    assert after[0] > before[0] and after[1] < before[1]


def test_an_empty_table_leaves_the_generator_as_it_is():
    same = train_row_tied(
        ROWS[:0],
        GENERATOR,
        CRITIC,
        layout=LAYOUT,
        noise=3,
        steps=5,
        learning_rate=0.1,
        closeness=0.1,
        rng=RNG(5),
    )
    assert np.array_equal(same["generator.0"][0], GENERATOR["generator.0"][0])
