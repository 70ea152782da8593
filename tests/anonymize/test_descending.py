"""The loop is plain gradient descent plus exactly the noise that was priced."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.queries.descent_support import Autoencode, Contrast, Mean, descent
from triplea.anonymize import batches
from triplea.anonymize.descending import as_vector, refilled, train, watched_steps
from triplea.approximate.networks.optimizers import adam, sgd
from triplea.errors import MethodError
from triplea.queries.descent import Draws, Net, Task, flatten

ROWS = np.random.default_rng(7).random((30, 5)).astype(np.float32)


def trained(run, records=ROWS, *, rate=1.0, steps=20, stddev=0.0, seed=0):
    source = [np.random.default_rng(seed), np.random.default_rng(seed + 1)]
    return train(
        run, records, rate=rate, steps=steps, stddev=stddev, generator=source[0], public_generator=source[1],
        label="test",
    )  # fmt: skip


def one_bias(**options):
    """A run whose only useful parameter is a bias of width 5, starting at zero."""
    layers = {"net.0": (np.zeros((1, 5), np.float32), np.zeros(5, np.float32))}
    return descent(Mean(), layers=layers, n_public=30.0, **options)


@pytest.mark.parametrize("optimizer", [sgd(0.05), adam(0.01)])
def test_without_noise_and_clipping_it_is_plain_gradient_descent(optimizer):
    run = descent(clip_norm=1e9, n_public=30.0, optimizer=optimizer)
    found = flatten(trained(run).layers)

    def loss(layers):
        return jnp.mean(jax.vmap(lambda row: Autoencode().loss(Net(layers), row, None, None, None))(ROWS))

    layers = {name: (jnp.asarray(w), jnp.asarray(b)) for name, (w, b) in run.layers.items()}
    vector, state = flatten(layers), optimizer.start(flatten(layers))
    from triplea.queries.descent import restore, shapes_of

    for step in range(20):
        gradient = flatten(jax.grad(loss)(restore(vector, shapes_of(run.layers))))
        vector, state = optimizer.update(vector, gradient, state, step)
    assert np.asarray(found) == pytest.approx(np.asarray(vector), abs=2e-5)


def test_many_passes_per_step_give_the_same_result():
    one = trained(descent(n_public=30.0)).vector
    several = trained(descent(n_public=4.0, optimizer=sgd(0.1 * 4 / 30))).vector
    assert one == pytest.approx(several, abs=1e-5)


def test_noise_has_the_priced_size_and_is_fresh_at_every_step():
    empty = np.zeros((0, 5), np.float32)
    steps, stddev = 1000, 3.0
    run = one_bias(optimizer=sgd(1.0), clip_norm=1e-9)
    ends = np.stack(
        [trained(run, empty, steps=steps, stddev=stddev, seed=s).layers["net.0"][1] for s in range(16)]
    )
    # A sum of independent draws grows as the root of the steps; reused noise would grow as the steps.
    wanted = stddev / 30.0 * np.sqrt(steps)
    assert ends.std() == pytest.approx(wanted, rel=0.3)
    assert abs(ends.mean()) < 5 * wanted / np.sqrt(ends.size)


def test_the_denominator_is_public_and_not_the_size_of_the_batch():
    """Were the sum divided by the rows at hand, twice the rows would give the same step: the count leaks."""
    run = one_bias(optimizer=sgd(1.0), clip_norm=1e9)
    once = trained(run, ROWS, steps=1).layers["net.0"][1]
    twice = trained(run, np.concatenate([ROWS, ROWS]), steps=1).layers["net.0"][1]
    assert twice == pytest.approx(2 * once, rel=1e-5)


def test_one_row_moves_one_noiseless_step_by_at_most_the_clip_norm_over_the_public_count():
    run = descent(clip_norm=0.7, n_public=30.0, optimizer=sgd(1.0))
    for extra in (np.ones((1, 5)), 1e30 * np.ones((1, 5)), np.zeros((1, 5))):
        more = np.concatenate([ROWS, extra.astype(np.float32)])
        moved = trained(run, more, steps=1).vector - trained(run, ROWS, steps=1).vector
        assert np.linalg.norm(moved) <= 0.7 / 30.0 * (1 + 1e-4)


@dataclass(frozen=True)
class Told(Task):
    """Every record's gradient is the shared number: what a sum is depends on the rows only by their count."""

    def loss(self, net, record, public, shared, own):
        return jnp.sum(net("net.0", jnp.zeros(1)) * shared)


@pytest.mark.parametrize("numbers_at_a_time", [1 << 20, 20])
def test_all_records_of_a_step_share_its_public_numbers_in_however_many_passes(
    numbers_at_a_time, monkeypatch
):
    """Were they drawn for each pass, one row more would push another into the next pass, to other numbers."""
    monkeypatch.setattr(batches, "CHUNK_NUMBERS", numbers_at_a_time)

    def draws(generator, passes, width):
        del width
        return Draws(shared=generator.choice([-1.0, 1.0], (passes, 1)).astype(np.float32))

    layers = {"net.0": (np.zeros((1, 1), np.float32), np.zeros(1, np.float32))}
    run = descent(Told(), layers=layers, clip_norm=1.0, n_public=4.0, optimizer=sgd(4.0), draws=draws)
    ends = [float(trained(run, steps=1, seed=seed).layers["net.0"][1][0]) for seed in range(10)]
    assert {round(end) for end in ends} == {-30, 30}
    # Over many steps the sums are those of whole steps too: 30 times an odd number of signs.
    walks = [round(float(trained(run, steps=7, seed=seed).layers["net.0"][1][0])) for seed in range(10)]
    assert all(walk % 60 == 30 for walk in walks)
    assert len(set(walks)) > 2


def test_networks_take_turns_and_parameters_are_averaged_inside_the_loop():
    def draws(generator, passes, width):
        return Draws(
            shared=generator.random((passes, 6, 5), dtype=np.float32),
            each=generator.random((passes, width, 5), dtype=np.float32),
        )

    options = {"public": np.float32(0.0), "draws": draws, "widths": (5, 4, 1), "turn_every": 3}
    made = trained(descent(Contrast(), **options), steps=11, rate=0.5)
    assert float(made.public) == 3 + 6 + 9
    averaged = trained(descent(Contrast(), **options, average=0.99), steps=11, rate=0.5)
    assert not np.array_equal(made.layers["net.0"][0], averaged.layers["net.0"][0])


def test_weights_stay_inside_their_limit():
    made = trained(descent(weight_limit=0.01))
    assert max(np.abs(part).max() for layer in made.layers.values() for part in layer) <= np.float32(0.01)


def test_a_diverging_run_ends_with_an_error_that_names_the_cure():
    with pytest.raises(MethodError, match="diverged.*smaller learning rate"):
        trained(one_bias(optimizer=sgd(1e38), clip_norm=1e9), stddev=1e9)


def test_a_tree_of_arrays_can_be_refilled_number_by_number():
    tree = ({"a": (np.ones((2, 1), np.float32), np.zeros(1, np.int32))}, {"g": np.ones(2, np.float32)}, None)
    other = refilled(tree, np.arange(5.0))
    assert as_vector(other).tolist() == [0, 1, 2, 3, 4]
    assert other[0]["a"][0].shape == (2, 1) and other[0]["a"][1].dtype == np.int32


def test_a_long_run_is_watched_a_few_times_and_at_its_end():
    assert watched_steps(1) == {1}
    assert watched_steps(20) == {1, 2, 4, 8, 16, 20}
    assert len(watched_steps(100_000)) == 18
