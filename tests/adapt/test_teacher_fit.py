"""The teacher explains released counts, and only as far as they stand out of their noise."""

from dataclasses import replace

import numpy as np
import pytest

from triplea.adapt.teacher_fit import Evidence, fit_teacher, one_hot


def _world(rng, n=30_000):
    cells = np.stack([rng.integers(0, 5, n), rng.integers(0, 3, n), rng.integers(0, 4, n)], axis=1)
    score = np.array([-2, -1, 0, 1, 2])[cells[:, 0]] + np.array([0.0, 0.0, 1.5])[cells[:, 1]] - 1.5
    return cells, (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int), score


def _evidence(cells, labels, rng, stddev, sizes=(5, 3, 4)):
    tables = []
    for f, size in enumerate(sizes):
        exact = np.zeros((size, 2))
        np.add.at(exact, (cells[:, f], labels), 1.0)
        tables.append(exact + rng.normal(0, stddev, exact.shape))
    shares = np.bincount(labels, minlength=2) / len(labels)
    return Evidence(
        tables=tables,
        stddev=stddev,
        shares=shares,
        rows=float(len(labels)),
        ordered=[True, False, False],
        missing=[False] * 3,
    )


def test_it_learns_the_score_from_counts_alone():
    rng = np.random.default_rng(0)
    cells, labels, score = _world(rng)
    others = _world(rng)[0]  # rows of the same features, without labels
    teacher = fit_teacher(others, _evidence(cells, labels, rng, 10.0)).teacher
    learned = np.log(teacher.probabilities(cells)[:, 1] / teacher.probabilities(cells)[:, 0])
    assert np.corrcoef(learned, score)[0, 1] > 0.99
    assert teacher.probabilities(cells)[:, 1].mean() == pytest.approx(labels.mean(), abs=0.01)


def test_noise_alone_teaches_nearly_nothing():
    rng = np.random.default_rng(1)
    cells, _, _ = _world(rng)
    labels = (rng.random(len(cells)) < 0.3).astype(int)
    teacher = fit_teacher(cells, _evidence(cells, labels, rng, 60.0)).teacher
    assert teacher.probabilities(cells)[:, 1].std() < 0.03


def test_three_classes_add_up():
    rng = np.random.default_rng(2)
    cells, labels, _ = _world(rng, 5000)
    labels = labels + (cells[:, 2] == 3)
    tables = []
    for f, size in enumerate((5, 3, 4)):
        exact = np.zeros((size, 3))
        np.add.at(exact, (cells[:, f], labels), 1.0)
        tables.append(exact)
    evidence = Evidence(
        tables=tables,
        stddev=3.0,
        shares=np.bincount(labels, minlength=3) / len(labels),
        rows=5000.0,
        ordered=[True, False, False],
        missing=[False] * 3,
    )
    chances = fit_teacher(cells, evidence).teacher.probabilities(cells)
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert chances.mean(axis=0) == pytest.approx(np.bincount(labels, minlength=3) / 5000, abs=0.02)


def test_more_noise_means_more_doubt():
    rng = np.random.default_rng(3)
    cells, labels, _ = _world(rng)
    doubts = [
        np.trace(fit_teacher(cells, _evidence(cells, labels, rng, noise)).doubts[0]) for noise in (5.0, 100.0)
    ]
    assert doubts[0] < doubts[1]


def test_one_hot_has_a_column_per_cell_and_a_constant():
    design = one_hot(np.array([[1, 0]]), np.array([0, 2, 3]))
    assert design.tolist() == [[0.0, 1.0, 1.0, 1.0]]


def test_a_misfit_keeps_weights_in_bounds_where_drawn_rows_are_too_much_alike():
    rng = np.random.default_rng(3)
    first = rng.integers(0, 5, 60_000)
    second = np.where(rng.random(60_000) < 0.5, first, rng.integers(0, 5, 60_000))
    chance = 1 / (1 + np.exp(2.0 - first))  # the second says nothing of its own
    labels = (rng.random(60_000) < chance).astype(int)
    cells = np.stack([first, second, rng.integers(0, 4, 60_000)], axis=1)
    drawn = cells.copy()
    drawn[:, 1] = np.where(rng.random(60_000) < 0.9, first, second)  # the model believes they are nearly one
    evidence = replace(_evidence(cells, labels, rng, 1.0, sizes=(5, 5, 4)), ordered=[False] * 3)

    def loss(misfit):
        teacher = fit_teacher(drawn, replace(evidence, misfit=misfit)).teacher
        chance = teacher.probabilities(cells)[:, 1]
        return -np.mean(np.log(np.where(labels == 1, chance, 1 - chance)))

    assert loss(0.1) < loss(0.0) - 0.05
