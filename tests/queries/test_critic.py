"""The critic sees rows under noise and generated rows for free; the generator follows its opinion."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import as_jax, slow_sum
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.optimizers import sgd
from triplea.queries.critic import Critic, generator_layers, generator_state, uniform_draws
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


@pytest.mark.parametrize("clip_norm", [0.1, 1e6])
def test_its_clipped_sum_equals_the_slow_way(clip_norm):
    rows = jnp.asarray(RNG.integers(0, 2, (5, 4)), jnp.float32)
    public = generator_state(GENERATOR, sgd(0.5))
    draws = Draws(shared=SHARED)
    found = FAST_SUM(task(), CRITIC, rows, jnp.ones(5, bool), public, draws, clip_norm)
    wanted = slow_sum(task(), CRITIC, rows, public, draws, clip_norm)
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
