"""Weights for pairs: found where two features speak together, small where noise speaks."""

import numpy as np
import pytest

from triplea.adapt.crossed_correction import MOST_CELLS, correct_crossed, cross_features
from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.outcomes import Outcomes
from triplea.queries.teacher_residuals import TeacherResiduals
from triplea.schema import Column

NAMES = ["a", "b", "c"]
CELLS = {n: each_value(Column(name=n, kind="categorical", categories=(0, 1, 2))) for n in NAMES}


def _teacher(classes):
    """Flat, but for a little that each feature says."""
    weights = np.tile(np.array([0.1, 0.0, -0.1]), 3)[:, None] * np.arange(classes)
    return AdditiveTeacher(weights=weights, bias=np.zeros(classes), offsets=np.array([0, 3, 6, 9]))


def _world(rng, n, classes):
    """Rows of three features; the last class is likelier where the first two agree."""
    cells = rng.integers(0, 3, (n, 3))
    chances = np.full((n, classes), 1.0)
    chances[:, -1] = np.where(cells[:, 0] == cells[:, 1], 3.0, 1.0)
    chances /= chances.sum(axis=1, keepdims=True)
    return cells, (chances.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1), chances


def _misses(teacher, cells, labels, outcomes):
    kept = each_value(Column(name="y", kind="categorical", categories=tuple(range(outcomes.classes))))
    query = TeacherResiduals(
        teacher=teacher, features=NAMES, label="y", binnings={**CELLS, "y": kept}, crossed=True,
        outcomes=outcomes,
    )  # fmt: skip
    rows = {name: cells[:, i] for i, name in enumerate(NAMES)} | {"y": labels}
    return query.partial_sums(rows) * query.grid


@pytest.mark.parametrize(
    "outcomes", [Outcomes(classes=2), Outcomes(classes=4), Outcomes.on_scale(np.array([0.25, 0.25, 0.5]))]
)
def test_pairs_learn_what_features_alone_cannot_say(outcomes):
    rng = np.random.default_rng(0)
    classes = outcomes.classes
    cells, labels, true = _world(rng, 30_000, classes)
    crossed = cross_features(_teacher(classes), cells, [np.arange(3)] * 3, outcomes=outcomes)
    misses = _misses(crossed, cells, labels, outcomes)
    taught = correct_crossed(crossed, cells, misses, outcomes=outcomes, stddev=10.0, rows=30_000.0)
    gaps = [np.abs(t.probabilities(cells)[:, -1] - true[:, -1]).mean() for t in (crossed, taught)]
    assert gaps[1] < 0.5 * gaps[0]


def test_noise_alone_teaches_little():
    rng = np.random.default_rng(1)
    cells, _, _ = _world(rng, 30_000, 2)
    two = Outcomes(classes=2)
    crossed = cross_features(_teacher(2), cells, [np.arange(3)] * 3, outcomes=two)
    noise = rng.normal(0, 1000.0, (27, 1))
    taught = correct_crossed(crossed, cells, noise, outcomes=two, stddev=1000.0, rows=30_000.0)
    assert np.abs(taught.probabilities(cells) - crossed.probabilities(cells)).mean() < 0.03


def test_features_of_one_group_are_not_paired():
    groups, two = [np.arange(3), np.zeros(3, int), np.arange(3)], Outcomes(classes=2)
    crossed = cross_features(_teacher(2), np.zeros((5, 3), int), groups, outcomes=two).crossed
    assert crossed.pairs.tolist() == [[0, 2]]
    single = [np.arange(3), *[np.zeros(3, int)] * 2]
    assert cross_features(_teacher(2), np.zeros((5, 3), int), single, outcomes=two).crossed is None


@pytest.mark.parametrize("classes", [2, 9])
def test_the_most_telling_features_are_paired_within_bounds(classes):
    wide, features = 20, 6
    offsets = np.arange(features + 1) * wide
    rng = np.random.default_rng(2)
    loud = np.repeat(np.arange(features), wide)[:, None] * np.arange(classes)
    teacher = AdditiveTeacher(
        weights=rng.choice([-1.0, 1.0], (features * wide, 1)) * loud, bias=np.zeros(classes), offsets=offsets
    )
    cells = rng.integers(0, wide, (500, features))
    outcomes = Outcomes(classes=classes)
    crossed = cross_features(teacher, cells, [np.arange(wide)] * features, outcomes=outcomes).crossed
    assert 0 < crossed.starts[-1] <= MOST_CELLS / (classes - 1) ** (1 / 3)
    assert set(np.unique(crossed.pairs)) == set(range(features - len(np.unique(crossed.pairs)), features))
