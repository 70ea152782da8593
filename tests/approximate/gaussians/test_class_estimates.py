"""Classes differ where the sums say so, and nowhere else."""

import numpy as np
import pytest

from triplea.approximate.gaussians.class_estimates import (
    class_counts,
    class_covariances,
    class_means,
    class_variances,
    whitened_covariances,
    without_gaps,
)

COUNTS = np.array([50_000.0, 400.0])
WIDTH = 20


def _sums(stddev, rng, *, mean=0.0, variance=1.0):
    """Noisy sums of a common class of standard rows and a rare class with another mean and variance."""
    means, squares = np.zeros((2, WIDTH)), np.ones((2, WIDTH))
    means[1], squares[1] = mean, variance
    noise = rng.normal(size=(2, 2, WIDTH)) * stddev
    return means * COUNTS[:, None] + noise[0], squares * COUNTS[:, None] + noise[1]


def test_a_rare_class_without_signal_equals_the_rest():
    equal = []
    for seed in range(40):
        totals, squares = _sums(100.0, np.random.default_rng(seed))
        means = class_means(totals, COUNTS, 100.0)
        _, variances = class_variances(squares, COUNTS, 100.0)
        equal.append(np.array_equal(means[0], means[1]) and np.array_equal(variances[0], variances[1]))
    assert np.mean(equal) > 0.75


def test_a_rare_class_with_signal_keeps_it():
    totals, squares = _sums(40.0, np.random.default_rng(0), mean=2.0, variance=3.0)
    assert class_means(totals, COUNTS, 40.0)[1] == pytest.approx(np.full(WIDTH, 2.0), abs=0.4)
    _, variances = class_variances(squares, COUNTS, 40.0)
    assert variances[1].mean() == pytest.approx(3.0, rel=0.1)
    assert variances[0].mean() == pytest.approx(1.0, rel=0.05)


def test_covariances_of_classes_are_found_where_they_rise_above_the_noise():
    line = np.ones(WIDTH) / np.sqrt(WIDTH)
    special = np.eye(WIDTH) + 8.0 * np.outer(line, line)
    scatter = np.array([np.eye(WIDTH) * COUNTS[0], special * COUNTS[1]])
    ones = np.ones(WIDTH)
    own = np.array([ones, np.diag(special)])
    found = class_covariances(scatter, COUNTS, 20.0, own, pooled_variances=ones)
    assert line @ found[1] @ line == pytest.approx(9.0, rel=0.1)
    assert line @ found[0] @ line == pytest.approx(1.0, rel=0.05)
    assert np.linalg.eigvalsh(found[1]).min() > 0
    hidden = class_covariances(scatter, COUNTS, 1e6, np.array([ones, ones]), pooled_variances=ones)
    assert hidden[1] == pytest.approx(np.eye(WIDTH), abs=1e-9)


def test_missing_values_do_not_shrink_variances():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(20_000, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 1.0]])
    gone = rng.random(rows.shape) < 0.3
    seen = np.where(gone, 0.0, rows)
    repaired = without_gaps((seen.T @ seen)[None] / len(rows), np.full((1, 3), 0.7))[0]
    assert repaired == pytest.approx(np.cov(rows.T), abs=0.05)


def test_counts_are_at_least_one_row():
    assert class_counts(np.array([-5.0, 3.0])).tolist() == [1.0, 3.0]


def test_whitened_covariances_of_classes_are_pulled_together_by_noise():
    rng = np.random.default_rng(1)
    counts = np.array([1000.0, 1000.0])
    half = np.triu(rng.normal(size=(2, 40, 40)) * 30.0 / np.sqrt(2.0), 1)
    noise = half + half.transpose(0, 2, 1) + np.eye(40) * rng.normal(size=(2, 40, 1)) * 30.0
    scatter = np.eye(40) * counts[:, None, None] + noise
    found = whitened_covariances(scatter, counts, 30.0)
    raw = np.linalg.norm(scatter[0] - scatter[1]) / 1000.0
    assert np.linalg.norm(found[0] - found[1]) < 0.5 * raw
    assert np.linalg.eigvalsh(found[0]).min() > 0.19
