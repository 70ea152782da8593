"""Noisy moments become means and covariances that noise does not run away with."""

import numpy as np

from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.cell_fit import (
    NoisyMoments,
    class_covariances,
    fit_sets,
    join_measurements,
    pooled_covariance,
    pulled,
)
from triplea.schema import load_schema

SCHEMA = load_schema(
    {"columns": [{"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in "abc"]}
)
CODE = VectorCode(SCHEMA)
ROWS = np.clip(
    np.random.default_rng(0).multivariate_normal([0.1, -0.2, 0.3], 0.05 * np.eye(3) + 0.04, 4000), -1, 1
)


def exact(entries=(0, 1, 2), noise=1e-9):
    rows = ROWS[:, list(entries)]
    return NoisyMoments(
        count=np.array([4000.0]),
        total=rows.sum(axis=0)[None],
        second=(rows.T @ rows)[None],
        count_noise=noise,
        total_noise=noise,
        second_noise=noise,
    )


def test_without_noise_the_gaussian_is_that_of_the_rows():
    (cells,) = fit_sets(CODE, [np.arange(3)], [exact()], classes=1, rng=np.random.default_rng(0))
    assert np.allclose(cells.means[0, 0], ROWS.mean(axis=0))
    assert np.allclose(cells.covariances[0, 0], np.cov(ROWS.T, bias=True), atol=1e-9)
    covariances, means = class_covariances(exact())
    assert np.allclose(covariances[0], pooled_covariance(exact()))
    assert np.allclose(means[0], ROWS.mean(axis=0))


def test_a_cell_without_rows_has_a_valid_gaussian():
    empty = NoisyMoments(
        count=np.array([-40.0, 3.0]),
        total=np.full((2, 3), 70.0),
        second=np.full((2, 3, 3), -90.0),
        count_noise=50.0,
        total_noise=80.0,
        second_noise=90.0,
    )
    (cells,) = fit_sets(CODE, [np.arange(3)], [empty], classes=2, rng=np.random.default_rng(0))
    assert np.abs(cells.means).max() <= 1.0
    assert all(np.linalg.eigvalsh(cells.covariances[c, 0])[0] >= -1e-9 for c in (0, 1))


def test_two_measurements_are_better_than_one():
    sets = [np.array([0]), np.array([1, 2])]
    parts = [exact((0,), noise=3.0), exact((1, 2), noise=3.0)]
    joined = join_measurements(parts, exact(noise=4.0), sets, classes=1)
    assert np.isclose(joined[0].total_noise, 3 * 4 / 5)
    assert np.allclose(joined[1].total, parts[1].total)
    assert np.isclose(joined[0].count[0], 4000.0)


def test_noise_pulls_to_the_guess_and_signal_stays():
    guess = np.zeros(5)
    assert np.array_equal(pulled(np.full(5, 0.1), guess, 1.0), guess)
    assert np.allclose(pulled(np.full(5, 0.1), guess, 1e-9), 0.1)
