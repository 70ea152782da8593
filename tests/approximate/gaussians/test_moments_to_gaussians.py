"""Covariances are repaired, and shifts keep the shares of categories."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.moments_to_gaussians import (
    fade,
    known_variances,
    nearest_covariance,
    root,
    shares_of,
    shifts,
)
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "columns": [
            {"name": "two", "kind": "boolean"},
            {"name": "many", "kind": "categorical", "categories": list("abcd")},
            {"name": "number", "kind": "numeric", "lower": 0, "upper": 1, "nullable": True},
        ]
    }
)
CODE = VectorCode(SCHEMA)
MEAN = np.array([-0.8, 0.6, 0.3, 0.08, 0.02, 0.1, 0.05])
ALL = np.arange(CODE.width)


@given(st.integers(0, 10**6))
def test_any_noisy_matrix_becomes_a_covariance(seed):
    matrix = np.random.default_rng(seed).normal(size=(6, 6))
    repaired = nearest_covariance(matrix)
    assert np.linalg.eigvalsh(repaired)[0] >= -1e-9
    assert np.allclose(repaired, repaired.T)
    assert (np.diag(repaired) <= np.maximum(np.diag(matrix), 1e-6) + 1e-9).all()


def test_a_good_covariance_stays_as_it_is():
    good = np.array([[2.0, 0.5], [0.5, 1.0]])
    assert np.array_equal(nearest_covariance(good), good)
    assert np.allclose(root(good) @ root(good).T, good)


def test_noise_fades_and_signal_stays():
    assert fade(np.array([0.5, -0.2, 100.0]), 1.0).tolist() == [0.0, 0.0, 99.99]
    assert fade(np.array([0.0, 3.0]), 0.0).tolist() == [0.0, 3.0]


def test_means_imply_variances_of_categories():
    known = known_variances(CODE, ALL, MEAN, np.zeros((CODE.width, CODE.width)))
    assert known[0, 0] == 1 - 0.8**2
    assert np.allclose(known[1:5, 1:5], np.diag(MEAN[1:5]) - np.outer(MEAN[1:5], MEAN[1:5]))
    assert np.isclose(known[6, 6], 0.05 * 0.95)


def test_decoded_shares_are_those_that_the_means_state():
    rng = np.random.default_rng(0)
    cov = nearest_covariance(known_variances(CODE, ALL, MEAN, 0.05 * np.eye(CODE.width)))
    moved = MEAN + shifts(CODE, ALL, MEAN, cov, rng) + rng.standard_normal((50_000, 7)) @ root(cov).T
    rows = CODE.decode(moved)
    assert abs(rows["two"].mean() - 0.1) < 0.01
    assert np.allclose(np.bincount(rows["many"], minlength=4) / 50_000, MEAN[1:5], atol=0.02)
    assert abs(np.isnan(rows["number"]).mean() - 0.05) < 0.01


def test_shares_add_up_to_one():
    assert np.isclose(shares_of(np.array([-0.2, 0.9, 0.6])).sum(), 1.0)
