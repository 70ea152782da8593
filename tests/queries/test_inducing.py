"""DP-KIP: the clipped sum of records' gradients, and a run through the door."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.anonymize.door_support import door
from tests.queries.descent_support import as_jax
from triplea.adapt.kernel_regression import Support, Targets, squared_errors
from triplea.adapt.labels import centred_one_hot
from triplea.anonymize.descending import train
from triplea.anonymize.plan import Ask
from triplea.queries.descent import Draws, Net, clipped_sum, flatten
from triplea.queries.inducing import inducing_descent, inducing_points

FAST_SUM = jax.jit(clipped_sum, static_argnums=0)
RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(12, 2)).astype(np.float32)
RECORDS = np.concatenate([ROWS, centred_one_hot((ROWS[:, 0] > 0).astype(int), 2)], axis=1).astype(np.float32)
POINTS, LABELS = RNG.normal(size=(4, 2)), centred_one_hot(np.array([0, 1, 0, 1]), 2)


def descent(**options):
    given = {"points": POINTS, "labels": LABELS, "encode": lambda rows: rows["x"], "n_public": 12.0}
    return inducing_descent(**{**given, **options})


def summed(run, records, *, clip_norm, present=12):
    there = jnp.arange(len(records)) < present
    parts = (as_jax(run.layers), jnp.asarray(records), there, run.public, Draws(), clip_norm)
    return np.asarray(FAST_SUM(run.task, *parts), np.float64)


def plain_gradient(points, labels, records):
    """Of the sum of squared errors, by differentiation of the whole batch."""
    targets = Targets(records[:, :2], records[:, 2:], np.ones(len(records)))

    def total(points):
        support = Support(points, labels, np.ones(len(points)), np.ones(len(points), bool))
        return jnp.sum(squared_errors(support, targets, depth=1, ridge=1e-3))

    return np.asarray(jax.jit(jax.grad(total))(jnp.asarray(points, jnp.float32)))


def test_without_a_clip_the_sum_is_the_plain_gradient():
    found = summed(descent(), RECORDS, clip_norm=1e9)
    wanted = plain_gradient(POINTS, LABELS, RECORDS).ravel()
    assert np.linalg.norm(found[: POINTS.size] - wanted) <= 1e-3 * np.linalg.norm(wanted)
    assert not found[POINTS.size :].any()  # biases play no part


def test_the_clipped_sum_equals_a_loop_over_records():
    """With learned labels, and with the pull towards the start in every record's loss."""
    run = descent(alpha=0.3, learn_labels=True)
    layers = as_jax(run.layers)

    @jax.jit
    def gradient(record):
        def loss(parameters):
            net = Net(parameters)
            return run.task.loss(net, record, run.public, None, None) + run.task.shared_loss(
                net, run.public, None
            )

        return flatten(jax.grad(loss)(layers))

    each = np.stack([np.asarray(gradient(record), np.float64) for record in RECORDS])
    norms = np.linalg.norm(each, axis=1, keepdims=True)
    wanted = np.sum(each * np.minimum(1.0, 0.2 / norms), axis=0)
    found = summed(run, RECORDS, clip_norm=0.2)
    assert np.linalg.norm(found - wanted) <= 1e-3 * np.linalg.norm(wanted)


def test_one_record_moves_the_sum_by_at_most_the_clip_norm():
    run = descent()
    wild = np.array([[1e4, -3e3, 7.0, -7.0]], np.float32)
    before = summed(run, RECORDS, present=11, clip_norm=0.2)
    for extra in (RECORDS[11:], wild, np.zeros((1, 4), np.float32)):
        after = summed(run, np.concatenate([RECORDS[:11], extra]), clip_norm=0.2)
        assert np.linalg.norm(after - before) <= 0.2 * (1 + 1e-5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 3e38])
def test_a_record_without_a_finite_gradient_counts_as_zero(bad):
    spoiled = np.concatenate([RECORDS[:11], np.full((1, 4), bad, np.float32)])
    found = summed(descent(), spoiled, clip_norm=0.2)
    assert found == pytest.approx(summed(descent(), RECORDS, present=11, clip_norm=0.2), abs=1e-5)


def test_one_step_without_noise_and_clip_is_a_step_of_adam():
    run = descent(learning_rate=0.1, average=0.0, clip_norm=1e9)
    rng = np.random.default_rng(0)
    found = train(
        run, RECORDS, rate=1.0, steps=1, stddev=0.0, generator=rng, public_generator=rng, label="test"
    )
    moved, labels = inducing_points(found)
    slope = plain_gradient(POINTS, LABELS, RECORDS)
    assert moved == pytest.approx(POINTS - 0.1 * np.sign(slope), abs=2e-3)
    assert labels == pytest.approx(LABELS)


def encode_ages(rows):
    """Ages 0 to 9 in +-1.5; the classes are young, middle-aged and young again."""
    ages = np.asarray(rows["age"], float)
    middle = ((ages > 2) & (ages < 7)).astype(int)
    return np.concatenate([(ages[:, None] - 4.5) / 3.0, centred_one_hot(middle, 2)], axis=1)


def test_the_door_moves_points_to_where_they_regress_better():
    asked = door(Ask(label="adapt", mechanism="sampled-gaussian", sampling_rate=0.1, steps=60), epsilon=5.0)
    start = np.array([[-0.1], [0.2], [0.1], [0.3]])
    run = descent(points=start, encode=encode_ages, n_public=1000.0, learning_rate=0.1)
    moved, labels = inducing_points(asked.descend(run, label="adapt"))
    (entry,) = asked.ledger.entries
    assert entry.proof == "docs/proofs/descend.md" and entry.sensitivity == run.clip_norm

    records = encode_ages({"age": np.arange(10)}).astype(np.float32)
    targets = Targets(records[:, :1], records[:, 1:], np.ones(10))

    def loss(points):
        support = Support(jnp.asarray(points, jnp.float32), labels, np.ones(4), np.ones(4, bool))
        return float(jnp.sum(squared_errors(support, targets, depth=1, ridge=1e-3)))

    assert loss(moved) < 0.6 * loss(start)
