"""Noise leaves the spectrum; smooth eigenvectors are found where rough ones would drown."""

import numpy as np
import pytest

from triplea.approximate.gaussians.clean_spectrum import clean_spectrum

WIDTH, STDDEV = 120, 0.05


def noise(rng: np.random.Generator) -> np.ndarray:
    drawn = np.triu(rng.normal(0.0, STDDEV, (WIDTH, WIDTH)))
    return drawn + np.triu(drawn, 1).T


def bump(middle: float) -> np.ndarray:
    line = np.exp(-0.5 * ((np.arange(WIDTH) - middle) / 8.0) ** 2)
    return line / np.linalg.norm(line)


def covariance() -> tuple[np.ndarray, np.ndarray]:
    """Four smooth directions, far apart, over a flat ground."""
    lead = np.column_stack([bump(middle) for middle in (15.0, 45.0, 75.0, 105.0)])
    return lead, (lead * np.array([6.0, 2.0, 0.9, 0.8])) @ lead.T + 0.02 * np.eye(WIDTH)


def test_the_trace_stays_and_everything_is_positive():
    matrix = np.diag([10.0, 1.0, 1.0, 1.0])
    spectrum, directions, known = clean_spectrum(matrix, 0.5)
    assert known == 1 and (spectrum > 0).all()
    assert spectrum.sum() == pytest.approx(13.0)
    assert abs(directions[0, 0]) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_smooth_direction_below_the_noise_of_all_columns_is_found(seed):
    lead, matrix = covariance()
    edge = 2.0 * STDDEV * np.sqrt(WIDTH)
    assert 0.8 < edge
    spectrum, directions, known = clean_spectrum(matrix + noise(np.random.default_rng(seed)), STDDEV)
    assert known == 4
    overlap = np.linalg.norm(directions[:, :4].T @ lead, axis=0)
    assert (overlap > 0.85).all()
    assert spectrum.sum() == pytest.approx(np.trace(matrix), abs=6 * STDDEV * np.sqrt(WIDTH))


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_unrelated_columns_means_nothing(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(WIDTH)
    matrix = (covariance()[1] + noise(rng))[np.ix_(order, order)]
    _, directions, known = clean_spectrum(matrix, STDDEV)
    values, vectors = np.linalg.eigh(matrix)
    assert known == int(np.sum(values > 2.0 * STDDEV * np.sqrt(WIDTH)))
    assert abs(directions[:, 0] @ vectors[:, -1]) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_directions_are_orthonormal_with_and_without_a_smooth_part(seed):
    rng = np.random.default_rng(seed)
    for matrix in (covariance()[1] + noise(rng), noise(rng), np.diag(rng.random(WIDTH))):
        spectrum, directions, _ = clean_spectrum(matrix, STDDEV)
        assert directions.T @ directions == pytest.approx(np.eye(WIDTH), abs=1e-9)
        assert (spectrum > 0).all()
