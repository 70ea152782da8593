"""Kernel inducing points: they lower the objective, keep what they should, and repeat."""

import jax.numpy as jnp
import numpy as np
import pytest

from triplea.adapt import kernel_regression
from triplea.adapt.inducing_points import KernelInducing, padded_size
from triplea.adapt.labels import centred_one_hot
from triplea.adapt.ntk import double_precision, ntk
from triplea.errors import MethodError


def moons(rows, seed):
    rng = np.random.default_rng(seed)
    labels, angle = rng.integers(0, 2, rows), rng.uniform(0.0, np.pi, rows)
    across = np.where(labels == 0, np.cos(angle), 1.0 - np.cos(angle))
    upward = np.where(labels == 0, np.sin(angle), 0.5 - np.sin(angle))
    return np.stack([across, upward], axis=1) + 0.1 * rng.standard_normal((rows, 2)), labels


TARGETS, TARGET_LABELS = moons(600, seed=1)
LABELS = np.repeat([0, 1], 3)
# Rough centroids: each the mean of a third of its class, taken from left to right.
POINTS = np.concatenate(
    [
        [part.mean(axis=0) for part in np.array_split(rows[np.argsort(rows[:, 0])], 3)]
        for rows in (TARGETS[TARGET_LABELS == 0], TARGETS[TARGET_LABELS == 1])
    ]
)


def adapt(seed=0, **options):
    weights = options.pop("weights", None)
    progress = options.pop("progress", None)
    settings = {"alpha": 0.0, "steps": 200, **options}
    return KernelInducing(**settings).adapt(
        POINTS, LABELS, weights, targets=TARGETS, target_labels=TARGET_LABELS,
        rng=np.random.default_rng(seed), progress=progress,
    )  # fmt: skip


def accuracy(points, labels):
    """Of kernel ridge regression on the points, on fresh rows."""
    rows, truth = moons(1000, seed=2)
    centre, spread = TARGETS.mean(axis=0), TARGETS.std(axis=0)
    with double_precision():
        near, far = jnp.asarray((points - centre) / spread), jnp.asarray((rows - centre) / spread)
        kernel, cross = np.asarray(ntk(near, near, depth=2)), np.asarray(ntk(far, near, depth=2))
    ridge = 1e-3 * np.trace(kernel) / len(kernel) * np.eye(len(kernel))
    scores = cross @ np.linalg.solve(kernel + ridge, centred_one_hot(labels, 2))
    return float(np.mean(scores.argmax(axis=1) == truth))


def test_adapted_points_classify_two_moons_better_than_centroids():
    found = adapt()
    assert found.losses[-1] < 0.5 * found.losses[0]
    assert accuracy(found.points, LABELS) > accuracy(POINTS, LABELS) + 0.03


def test_labels_stay_unless_they_are_learned():
    assert np.array_equal(adapt(steps=30).labels, LABELS)
    learned = adapt(steps=30, learn_labels=True).labels
    assert learned.shape == (6, 2)
    assert not np.allclose(learned, centred_one_hot(LABELS, 2))


def test_alpha_is_that_of_the_equation():
    """1 stays at the start; a larger alpha goes less far."""
    assert np.array_equal(adapt(alpha=1.0).points, POINTS)
    moves = [np.linalg.norm(adapt(alpha=alpha).points - POINTS) for alpha in (0.0, 0.2, 0.8, 0.98)]
    assert moves == sorted(moves, reverse=True)
    assert moves[-1] < 0.1 * moves[0]


def test_a_sum_over_targets_makes_alpha_weigh_less_than_a_mean():
    near, far = (np.linalg.norm(adapt(alpha=0.5, loss=loss).points - POINTS) for loss in ("mean", "sum"))
    assert near < far


def test_a_run_repeats_for_a_seed_and_depends_on_it():
    first, again, other = (adapt(seed=seed, batch=64, steps=40) for seed in (3, 3, 4))
    assert np.array_equal(first.points, again.points) and first.losses == again.losses
    assert not np.array_equal(first.points, other.points)


def test_minibatches_lower_the_loss_too():
    found = adapt(batch=64, tolerance=0.0)
    assert np.mean(found.losses[-20:]) < 0.7 * np.mean(found.losses[:5])
    assert len(found.losses) == 200 and not found.converged


def test_it_stops_when_the_loss_no_longer_falls():
    found = adapt(alpha=0.9, steps=1000)
    assert found.converged and len(found.losses) < 1000


def test_progress_is_reported_after_every_chunk():
    seen = []
    adapt(steps=60, tolerance=0.0, progress=lambda step, loss: seen.append((step, loss)))
    assert [step for step, _ in seen] == [25, 50, 60]


def test_equal_shapes_share_one_program():
    adapt(steps=1)
    programs = kernel_regression.advance._cache_size()
    adapt(steps=30, alpha=0.7, ridge=1e-2, learning_rate=0.1)
    KernelInducing(steps=2).adapt(
        POINTS[1:], LABELS[1:], targets=TARGETS[:580], target_labels=TARGET_LABELS[:580],
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert kernel_regression.advance._cache_size() == programs


def test_heavy_points_move_less():
    weights = np.array([20.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    equal, heavy = adapt(alpha=0.5), adapt(alpha=0.5, weights=weights)
    moves = [np.linalg.norm(found.points[0] - POINTS[0]) for found in (equal, heavy)]
    assert moves[1] < moves[0]


def test_equal_weights_are_no_weights():
    assert np.array_equal(adapt(steps=10, weights=np.full(6, 7.0)).points, adapt(steps=10).points)


def test_nothing_to_adapt_or_to_adapt_to_is_no_error():
    empty, none = np.zeros((0, 2)), np.zeros(0, int)
    stage, rng = KernelInducing(), np.random.default_rng(0)
    found = stage.adapt(empty, none, targets=TARGETS, target_labels=TARGET_LABELS, rng=rng)
    assert found.points.shape == (0, 2)
    found = stage.adapt(POINTS, LABELS, targets=empty, target_labels=none, rng=rng)
    assert np.array_equal(found.points, POINTS)


@pytest.mark.parametrize("only", [0, 1])
def test_where_all_are_of_one_class_there_is_no_border_and_nothing_moves(only):
    klass = np.full(len(TARGETS), only)
    found = KernelInducing(alpha=0.0).adapt(
        POINTS, klass[: len(POINTS)], targets=TARGETS, target_labels=klass, rng=np.random.default_rng(0)
    )
    assert np.array_equal(found.points, POINTS) and found.losses == ()


def test_a_constant_column_and_equal_points_give_finite_points():
    points = np.tile([0.2, 0.5], (4, 1))
    targets = np.stack([TARGETS[:, 0], np.full(len(TARGETS), 0.5)], axis=1)
    found = KernelInducing(alpha=0.1, steps=30).adapt(
        points, np.array([0, 1, 0, 1]), targets=targets, target_labels=TARGET_LABELS,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert np.isfinite(found.points).all() and np.isfinite(found.losses).all()


@pytest.mark.parametrize(
    "option",
    [
        {"alpha": 1.5}, {"alpha": float("nan")}, {"ridge": 0.0}, {"depth": -1}, {"depth": 1.5},
        {"learning_rate": 0.0}, {"steps": -1}, {"batch": 0}, {"tolerance": -0.1}, {"loss": "max"},
        {"precision": "float16"},
    ],
)  # fmt: skip
def test_an_option_outside_its_range_is_refused_by_name(option):
    (name,) = option
    with pytest.raises(MethodError, match=f"'{name}' must be .*, got "):
        KernelInducing(**option)


def test_padded_sizes_are_few_and_never_much_larger():
    sizes = {padded_size(count) for count in range(1, 5000)}
    assert len(sizes) < 25
    assert all(count <= padded_size(count) <= max(32, 2 * count) for count in range(1, 5000))
