"""Clipped sums of per-record gradients: equal to the slow way, and bounded whatever a record holds."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.queries.descent_support import Autoencode, Contrast, as_jax, descent, layers_for, slow_sum
from triplea.queries.descent import Draws, clipped_sum, flatten, restore, shapes_of

fast_sum = jax.jit(clipped_sum, static_argnums=0)
rng = np.random.default_rng(3)
RECORDS = jnp.asarray(rng.random((9, 5)), jnp.float32)
CRITIC_DRAWS = Draws(
    shared=jnp.asarray(rng.random((6, 5)), jnp.float32), each=jnp.asarray(rng.random((9, 5)), jnp.float32)
)


def summed(task, layers, records, draws=Draws(), clip_norm=1.0, present=None):  # noqa: B008
    there = jnp.ones(len(records), bool) if present is None else jnp.asarray(present)
    return np.asarray(fast_sum(task, layers, records, there, None, draws, clip_norm), np.float64)


@pytest.mark.parametrize("clip_norm", [0.1, 1.0, 3.0, 1e6])
def test_the_analytic_sum_equals_a_loop_over_records(clip_norm):
    layers = as_jax(layers_for())
    found = summed(Autoencode(), layers, RECORDS, clip_norm=clip_norm)
    wanted = slow_sum(Autoencode(), layers, RECORDS, None, Draws(), clip_norm)
    assert np.linalg.norm(found - wanted) <= 2e-4 * np.linalg.norm(wanted)


@pytest.mark.parametrize("clip_norm", [0.1, 1.0, 1e6])
def test_layers_used_twice_and_shared_terms_are_counted_in_the_norm(clip_norm):
    layers = as_jax(layers_for((5, 4, 1)))
    found = summed(Contrast(), layers, RECORDS, CRITIC_DRAWS, clip_norm)
    wanted = slow_sum(Contrast(), layers, RECORDS, None, CRITIC_DRAWS, clip_norm)
    # Norms are rounded up by more where terms cancel, so clipped records are a little shorter.
    assert np.linalg.norm(found - wanted) <= 3e-3 * np.linalg.norm(wanted)


def test_absent_slots_add_nothing():
    layers = as_jax(layers_for())
    present = np.arange(9) < 4
    assert summed(Autoencode(), layers, RECORDS, present=present) == pytest.approx(
        summed(Autoencode(), layers, RECORDS[:4]), abs=1e-6
    )
    assert not summed(Autoencode(), layers, RECORDS, present=np.zeros(9, bool)).any()


def test_a_record_without_a_finite_gradient_counts_as_zero_and_spoils_nothing():
    layers = as_jax(layers_for())
    for bad in (np.nan, np.inf, 3e38):
        spoiled = RECORDS.at[2].set(bad)
        rest = jnp.concatenate([RECORDS[:2], RECORDS[3:]])
        found = summed(Autoencode(), layers, spoiled)
        if bad == 3e38:
            assert np.linalg.norm(found - summed(Autoencode(), layers, rest)) <= 1.0
        else:
            assert found == pytest.approx(summed(Autoencode(), layers, rest), abs=1e-5)


@given(
    size=st.floats(1e-6, 1e12),
    clip_norm=st.sampled_from([1e-3, 1.0, 50.0]),
    seed=st.integers(0, 99),
    critic=st.booleans(),
)
def test_one_record_moves_the_sum_by_at_most_the_clip_norm(size, clip_norm, seed, critic):
    source = np.random.default_rng(seed)
    task, widths = (Contrast(), (5, 4, 1)) if critic else (Autoencode(), (5, 4, 5))
    layers = as_jax(layers_for(widths, seed))
    record = jnp.asarray(size * source.standard_normal((1, 5)), jnp.float32)
    draws = Draws(shared=CRITIC_DRAWS.shared * size, each=CRITIC_DRAWS.each[:1]) if critic else Draws()
    assert np.linalg.norm(summed(task, layers, record, draws, clip_norm)) <= clip_norm


class Weighed(Autoencode):
    """A record's last entry is its weight."""

    def loss(self, net, record, public, shared, own):
        return super().loss(net, record.at[4].set(0.5), public, shared, own)

    def weight(self, record):
        return record[4]


@pytest.mark.parametrize("weight", [-1e9, np.nan, np.inf, -np.inf, 0.0, 0.25, 1e30])
def test_no_weight_of_a_record_lifts_it_over_the_clip_norm(weight):
    layers = as_jax(layers_for())
    record = RECORDS[:1].at[0, 4].set(weight)
    assert np.linalg.norm(summed(Weighed(), layers, record, clip_norm=0.1)) <= 0.1


def test_parameters_survive_being_flattened():
    run = descent()
    again = restore(flatten(run.layers), shapes_of(run.layers))
    for name, (weights, biases) in run.layers.items():
        assert np.array_equal(again[name][0], weights) and np.array_equal(again[name][1], biases)
    assert run.size == flatten(run.layers).size == 5 * 4 + 4 + 4 * 5 + 5
