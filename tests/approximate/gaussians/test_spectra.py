"""Noise is taken out of vectors and spectra; signal stays."""

import numpy as np
import pytest

from triplea.approximate.gaussians.spectra import (
    banded_signal,
    floored,
    kept,
    noise_edge,
    power,
    pulled,
    pulled_by_parts,
    sampling_edge,
    signal_part,
    with_block,
    with_variances,
)


def _noise(rng, width, stddev):
    matrix = np.triu(rng.normal(size=(width, width)) * stddev, 1)
    return matrix + matrix.T + np.diag(rng.normal(size=width) * stddev * np.sqrt(2))


def test_pure_noise_is_dropped_in_most_cases():
    rng = np.random.default_rng(0)
    dropped = [kept(rng.normal(size=30), 1.0) == 0.0 for _ in range(400)]
    assert np.mean(dropped) > 0.9


def test_strong_signal_is_hardly_touched():
    far = np.full(30, 10.0)
    assert np.abs(pulled(far, towards=np.zeros(30), variance=1.0) - far).max() < 0.2
    assert np.abs(pulled_by_parts(far, towards=np.zeros(30), variance=1.0) - far).max() < 0.2


def test_a_level_survives_where_its_profile_is_noise():
    noisy = 3.0 + np.random.default_rng(1).normal(size=200)
    found = pulled_by_parts(noisy, towards=np.zeros(200), variance=1.0)
    assert found.mean() == pytest.approx(noisy.mean(), rel=0.01)
    assert found.std() < 0.2


def test_a_spectrum_of_noise_ends_at_the_edge():
    rng = np.random.default_rng(2)
    top = np.abs(np.linalg.eigvalsh(_noise(rng, 200, 0.3))).max()
    assert top == pytest.approx(noise_edge(0.3, 200), rel=0.1)


def test_the_spectrum_of_a_sample_strays_as_far_as_said():
    drawn = np.random.default_rng(3).normal(size=(1000, 100))
    top = np.linalg.eigvalsh(drawn.T @ drawn / 1000).max() - 1.0
    assert top == pytest.approx(sampling_edge(100, 1000), rel=0.1)


def test_one_strong_direction_is_found_in_noise():
    rng = np.random.default_rng(4)
    line = np.ones(50) / np.sqrt(50)
    found = signal_part(40.0 * np.outer(line, line) + _noise(rng, 50, 0.3), noise_edge(0.3, 50))
    assert line @ found @ line == pytest.approx(40.0, rel=0.03)
    assert np.linalg.matrix_rank(found, tol=1e-6) == 1


def test_powers_floors_and_variances():
    matrix = np.array([[2.0, 0.5], [0.5, 1.0]])
    assert power(matrix, 0.5) @ power(matrix, 0.5) == pytest.approx(matrix)
    assert np.linalg.eigvalsh(floored(matrix - 2 * np.eye(2), 0.1)).min() == pytest.approx(0.1)
    changed = with_variances(matrix, np.array([8.0, 1.0]))
    assert np.diag(changed) == pytest.approx([8.0, 1.0])
    assert changed[0, 1] / np.sqrt(8.0) == pytest.approx(0.5 / np.sqrt(2.0))


def test_bands_of_noise_vanish_and_bands_of_signal_stay():
    rng = np.random.default_rng(5)
    noise = _noise(rng, 64, 1.0 / np.sqrt(2.0))
    assert np.abs(banded_signal(noise, 1.0)).mean() < 0.15
    assert banded_signal(50.0 * noise, 1.0) == pytest.approx(50.0 * noise, rel=0.01, abs=0.2)


def test_the_rest_follows_a_new_leading_block():
    rng = np.random.default_rng(6)
    factor = rng.normal(size=(5, 5))
    matrix, block = factor @ factor.T, np.array([[3.0, 0.4], [0.4, 0.5]])
    found = with_block(matrix, block)
    assert found[:2, :2] == pytest.approx(block)
    before = np.linalg.solve(matrix[:2, :2], matrix[:2, 2:])
    assert np.linalg.solve(block, found[:2, 2:]) == pytest.approx(before)  # what the rest is given the block
    left = [m[2:, 2:] - m[2:, :2] @ np.linalg.solve(m[:2, :2], m[:2, 2:]) for m in (matrix, found)]
    assert left[1] == pytest.approx(left[0])
    assert with_block(matrix, matrix[:2, :2]) == pytest.approx(matrix)
    assert with_block(matrix, np.eye(5)) == pytest.approx(np.eye(5))
