"""A look at real rows mends what a wrong model of the features taught; noise alone teaches little."""

import numpy as np
import pytest

from triplea.adapt.teacher_correction import correct_teacher
from triplea.adapt.teacher_fit import Evidence, fit_teacher
from triplea.approximate.mixtures.outcomes import Outcomes


def _world(rng, n, classes=2):
    """Two features that mostly agree on four cells: a model that thinks them independent is wrong."""
    first = rng.integers(0, 4, n)
    second = np.where(rng.random(n) < 0.6, first, rng.integers(0, 4, n))
    cells = np.stack([first, second], axis=1)
    slope = np.arange(classes) * np.array([-1.5, -0.5, 0.5, 1.5])[first][:, None]
    chances = np.exp(slope) / np.exp(slope).sum(axis=1, keepdims=True)
    return cells, (chances.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1), chances


def _lesson(cells, labels, drawn, classes):
    tables = [np.zeros((4, classes)) for _ in range(2)]
    for f, table in enumerate(tables):
        np.add.at(table, (cells[:, f], labels), 1.0)
    evidence = Evidence(
        tables=tables, stddev=5.0, shares=np.bincount(labels, minlength=classes) / len(labels),
        rows=float(len(labels)), ordered=[True, False], missing=[False, False],
    )  # fmt: skip
    return fit_teacher(drawn, evidence)


def _misses(teacher, cells, labels, outcomes=None):
    chances = teacher.probabilities(cells)
    outcomes = outcomes or Outcomes(classes=chances.shape[1])
    residuals = (outcomes.seen(labels) - outcomes.foretold(chances)) * outcomes.leverage(chances)[:, None]
    sums = np.zeros((int(teacher.offsets[-1]), residuals.shape[1]))
    for f, start in enumerate(teacher.offsets[:-1]):
        np.add.at(sums, start + cells[:, f], residuals)
    return sums


@pytest.mark.parametrize(("classes", "left"), [(2, 0.6), (4, 1.1)])
def test_two_looks_mend_a_teacher_whose_model_of_the_features_was_wrong(classes, left):
    """With four classes the steps of the classes meet, and it is enough that nothing gets worse."""
    rng = np.random.default_rng(0)
    cells, labels, true = _world(rng, 20_000, classes)
    independent = np.stack([rng.permutation(cells[:, 0]), rng.permutation(cells[:, 1])], axis=1)
    lesson = _lesson(cells, labels, independent, classes)
    gaps = [np.abs(lesson.teacher.probabilities(cells) - true).mean()]
    for _ in range(2):
        misses = _misses(lesson.teacher, cells, labels)
        noisy = misses + rng.normal(0, 10.0, misses.shape)
        lesson = correct_teacher(lesson, independent, noisy, stddev=10.0, rows=20_000.0)
        gaps.append(np.abs(lesson.teacher.probabilities(cells) - true).mean())
    assert gaps[-1] < left * gaps[0]


def test_two_looks_along_a_scale_mend_it_as_well():
    """Four classes that are stretches of a number: one residual a cell in place of three."""
    rng = np.random.default_rng(0)
    cells, labels, true = _world(rng, 20_000, 4)
    independent = np.stack([rng.permutation(cells[:, 0]), rng.permutation(cells[:, 1])], axis=1)
    lesson = _lesson(cells, labels, independent, 4)
    shares = np.bincount(labels, minlength=4) / len(labels)
    lesson = lesson.on_scale(Outcomes.on_scale(shares), shares)
    place = lesson.outcomes.foretold(true)
    gaps = [np.abs(lesson.outcomes.foretold(lesson.teacher.probabilities(cells)) - place).mean()]
    for _ in range(2):
        misses = _misses(lesson.teacher, cells, labels, lesson.outcomes)
        noisy = misses + rng.normal(0, 10.0, misses.shape)
        lesson = correct_teacher(lesson, independent, noisy, stddev=10.0, rows=20_000.0)
        gaps.append(np.abs(lesson.outcomes.foretold(lesson.teacher.probabilities(cells)) - place).mean())
    assert gaps[-1] < 0.6 * gaps[0]


def test_noise_alone_moves_a_right_teacher_little():
    rng = np.random.default_rng(1)
    cells, labels, _ = _world(rng, 20_000)
    lesson = _lesson(cells, labels, cells, 2)
    noise = rng.normal(0, 300.0, (8, 1))
    moved = correct_teacher(lesson, cells, noise, stddev=300.0, rows=20_000.0).teacher
    assert np.abs(moved.probabilities(cells) - lesson.teacher.probabilities(cells)).mean() < 0.02


def test_a_look_lowers_doubt():
    rng = np.random.default_rng(2)
    cells, labels, _ = _world(rng, 5000)
    lesson = _lesson(cells, labels, cells, 2)
    misses = _misses(lesson.teacher, cells, labels)
    after = correct_teacher(lesson, cells, misses, stddev=3.0, rows=5000.0)
    assert np.trace(after.doubts[0]) < 2.0 * np.trace(lesson.doubts[0])
