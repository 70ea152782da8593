"""The critic sees rows under noise and generated rows for free; the generator follows its opinion."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import as_jax, slow_sum
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.optimizers import sgd
from triplea.queries.critic import (
    Critic,
    coded_labels,
    generator_layers,
    generator_state,
    labelled_draws,
    uniform_draws,
)
from triplea.queries.descent import Draws, Net, clipped_sum, shapes_of

FAST_SUM = jax.jit(clipped_sum, static_argnums=0)
LAYOUT = Layout(singles=1, blocks=(3,))
RNG = np.random.default_rng(0)
GENERATOR = {**dense_layers("generator", (2, 3), rng=RNG), **dense_layers("decoder", (3, 4), rng=RNG)}
CRITIC = as_jax(dense_layers("critic", (4, 5, 1), rng=RNG))
DRAWS = uniform_draws(rows=64, noise=2, width=4)(np.random.default_rng(1), 1, 8)
SHARED = jax.tree.map(lambda part: jnp.asarray(part[0]), DRAWS.shared)


def task(**options):
    return Critic(
        layout=LAYOUT, critic=tuple(CRITIC), generator=("generator.0",), decoder=("decoder.0",),
        shapes=shapes_of(GENERATOR), optimizer=sgd(0.5), **options,
    )  # fmt: skip


@pytest.mark.parametrize("opinion", ["wasserstein", "cross-entropy"])
@pytest.mark.parametrize("clip_norm", [0.1, 1e6])
def test_its_clipped_sum_equals_the_slow_way(clip_norm, opinion):
    rows = jnp.asarray(RNG.integers(0, 2, (5, 4)), jnp.float32)
    public = generator_state(GENERATOR, sgd(0.5))
    draws = Draws(shared=SHARED)
    player = task(opinion=opinion)
    found = FAST_SUM(player, CRITIC, rows, jnp.ones(5, bool), public, draws, clip_norm)
    wanted = slow_sum(player, CRITIC, rows, public, draws, clip_norm)
    assert np.asarray(found) == pytest.approx(wanted, abs=5e-3 * np.linalg.norm(wanted))


@pytest.mark.parametrize("hard", [True, False])
def test_a_turn_raises_the_score_of_generated_rows(hard):
    player = task(hard=hard)
    public = generator_state(GENERATOR, sgd(0.5))

    def score(state):
        soft = task(hard=False).generated(state["vector"], SHARED)
        return float(jnp.mean(player.score(Net(CRITIC), soft)))

    after = public
    turn = jax.jit(player.turn)
    for step in range(20):
        after = turn(CRITIC, after, SHARED, jnp.float32(step))
    assert score(after) > score(public)
    assert float(after["turns"]) == 20
    assert set(generator_layers(player, after)) == set(GENERATOR)


def test_a_fixed_decoder_stays_as_it_is():
    player = task(fixed=16)
    public = generator_state(GENERATOR, sgd(0.5))
    after = player.turn(CRITIC, public, SHARED, jnp.float32(0))
    assert np.array_equal(after["vector"][:16], public["vector"][:16])
    assert not np.array_equal(after["vector"][16:], public["vector"][16:])


def test_uniform_draws_are_strictly_inside_the_unit_interval():
    assert 0.0 < DRAWS.shared["uniforms"].min() and DRAWS.shared["uniforms"].max() < 1.0


TOLD = {**dense_layers("generator", (2 + 3, 3), rng=RNG), **dense_layers("decoder", (3, 4), rng=RNG)}
CLASSES = np.array([0.7, 0.2, 0.1])
LABELLED = labelled_draws(rows=64, noise=2, width=4, classes=CLASSES)


def told(**options):
    return Critic(
        layout=LAYOUT, critic=tuple(CRITIC), generator=("generator.0",), decoder=("decoder.0",),
        shapes=shapes_of(TOLD), optimizer=sgd(0.5), label=(1, 4), **options,
    )  # fmt: skip


def test_generated_rows_hold_the_labels_that_were_given():
    shared = jax.tree.map(lambda part: jnp.asarray(part[0]), LABELLED(np.random.default_rng(2), 1, 8).shared)
    made = told().generated(generator_state(TOLD, sgd(0.5))["vector"], shared)
    assert np.array_equal(made[:, 1:4], shared["labels"])


def test_labels_are_drawn_by_the_shares_of_classes():
    labels = LABELLED(np.random.default_rng(3), 200, 8).shared["labels"]
    assert labels.mean(axis=(0, 1)) == pytest.approx(CLASSES, abs=0.02)
    assert np.array_equal(coded_labels(np.array([0, 1]), 2), [[0.0], [1.0]])


@pytest.mark.parametrize("clip_norm", [0.1, 1e6])
def test_a_weighted_class_counts_less_and_stays_within_the_clip_norm(clip_norm):
    rows = jnp.asarray([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    shared = jax.tree.map(lambda part: jnp.asarray(part[0]), LABELLED(np.random.default_rng(4), 1, 8).shared)
    draws, public = Draws(shared=shared), generator_state(TOLD, sgd(0.5))
    for row, weight in zip(rows, (0.25, 1.0), strict=True):
        sums = [
            np.asarray(FAST_SUM(player, CRITIC, row[None], jnp.ones(1, bool), public, draws, clip_norm))
            for player in (told(), told(weights=(0.25, 0.5, 1.0)))
        ]
        assert np.linalg.norm(sums[1]) <= clip_norm
        if clip_norm > 1.0:
            assert sums[1] == pytest.approx(weight * sums[0], rel=1e-4, abs=1e-6)


def test_two_classes_share_one_entry_and_have_two_weights():
    player = task(label=(0, 1), weights=(0.5, 1.0))
    assert [float(player.weight(jnp.asarray([label, 0.0, 1.0, 0.0]))) for label in (0.0, 1.0)] == [0.5, 1.0]
