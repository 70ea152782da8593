"""Labels are as sharp as lies halfway between what the teacher says and what the released counts ask for."""

import numpy as np
import pytest

from triplea.adapt.teacher_sharpness import FEW_ROWS, MORE, sharpen
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.crossed_weights import CrossedWeights

OFFSETS = np.array([0, 5, 8])
SLOPES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, -1.0, 0.0, 1.0])


def _teacher(times=1.0, bias=-1.0):
    weights = np.column_stack([np.zeros(8), times * SLOPES])
    return AdditiveTeacher(weights=weights, bias=np.array([0.0, bias]), offsets=OFFSETS)


def _cells(n=20_000, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, 5, n), rng.integers(0, 3, n)], axis=1)


def _tables(cells, teacher, stddev=0.0, seed=1):
    """Counts of (cell, class) if labels follow a teacher's chances."""
    rng, chances = np.random.default_rng(seed), teacher.probabilities(cells)
    tables = []
    for feature, size in enumerate((5, 3)):
        exact = np.array([np.bincount(cells[:, feature], chance, size) for chance in chances.T]).T
        tables.append(exact + rng.normal(0.0, stddev, exact.shape))
    return tables, chances.mean(axis=0)


def _times(teacher, sharp):
    return float(sharp.weights[4, 1] / teacher.weights[4, 1])


@pytest.mark.parametrize("stddev", [0.0, 30.0])
def test_a_teacher_who_says_too_little_is_made_halfway_as_sharp_as_counts_ask_for(stddev):
    cells = _cells()
    tables, shares = _tables(cells, _teacher(), stddev)
    mild = _teacher(1 / 1.5)
    sharp = sharpen(mild, cells, tables, shares, rows=float(len(cells)))
    assert _times(mild, sharp) == pytest.approx(np.sqrt(1.5), abs=0.03)
    assert sharp.probabilities(cells).mean(axis=0) == pytest.approx(shares, abs=0.003)


def test_a_teacher_who_agrees_with_the_counts_stays_as_it_is():
    cells, teacher = _cells(), _teacher()
    tables, shares = _tables(cells, teacher)
    sharp = sharpen(teacher, cells, tables, shares, rows=float(len(cells)))
    assert np.abs(sharp.probabilities(cells) - teacher.probabilities(cells)).max() < 0.01


def test_labels_of_few_rows_leave_less_to_chance():
    cells, teacher = _cells(), _teacher()
    tables, shares = _tables(cells, teacher)
    sharp = sharpen(teacher, cells, tables, shares, rows=FEW_ROWS - 1.0)
    assert _times(teacher, sharp) == pytest.approx(MORE, abs=0.03)


def test_weights_of_pairs_are_sharpened_as_well():
    crossed = CrossedWeights.nothing(np.array([[0, 1]]), np.zeros(8, dtype=int), OFFSETS, 2)
    crossed.weights[:, 1] = 0.5
    teacher = AdditiveTeacher(**{**vars(_teacher()), "crossed": crossed})
    sharp = teacher.sharper(2.0, np.array([0.0, 1.0]))
    assert np.all(sharp.crossed.weights == 2.0 * crossed.weights)
    assert np.array_equal(sharp.bias, [0.0, -1.0]) and np.array_equal(sharp.weights, 2.0 * teacher.weights)


def test_a_single_class_is_left_alone():
    teacher = AdditiveTeacher(weights=np.zeros((8, 1)), bias=np.zeros(1), offsets=OFFSETS)
    assert sharpen(teacher, _cells(100), [], np.ones(1), rows=100.0) is teacher


def test_a_class_without_rows_does_no_harm():
    cells = _cells(2_000)
    teacher = AdditiveTeacher(
        weights=np.column_stack([np.zeros(8), SLOPES, np.zeros(8)]), bias=np.zeros(3), offsets=OFFSETS
    )
    tables = [np.column_stack([table, np.zeros(len(table))]) for table in _tables(cells, _teacher())[0]]
    sharp = sharpen(teacher, cells, tables, np.array([0.6, 0.4, 0.0]), rows=2_000.0)
    chances = sharp.probabilities(cells)
    assert np.isfinite(chances).all() and chances[:, 2].mean() < 1e-6
