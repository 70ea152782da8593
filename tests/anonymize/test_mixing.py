"""Mixing with noise: mu, l_min and sigma of the published theorem, against numbers known beforehand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.anonymize.mixing import MixtureNoise, MixWithNoise, delta_of_mu, mu_of

GOLDEN = [
    (1.0, 1e-5, 0.2681),
    (0.2, 1e-5, 0.0613),
    (0.1, 1e-5, 0.0325),
    (10.0, 1e-5, 2.000),
    (1.0, 1 / 32561, 0.2880),
    (1.0, 1 / 284807, 0.2525),
    (1.0, 1 / 4366, 0.3362),
]


@pytest.mark.parametrize(("epsilon", "delta", "mu"), GOLDEN)
def test_mu_has_the_known_values(epsilon, delta, mu):
    assert mu_of(epsilon, delta) == pytest.approx(mu, abs=6e-5 if mu < 1 else 6e-4)


@given(epsilon=st.floats(0.01, 20), delta=st.floats(1e-12, 0.3))
def test_mu_is_the_largest_that_meets_delta(epsilon, delta):
    mu = mu_of(epsilon, delta)
    assert delta_of_mu(epsilon, mu) <= delta
    assert delta_of_mu(epsilon, mu * 1.001) > delta


@pytest.mark.parametrize(
    ("size", "classes", "features", "epsilon", "delta", "sigma"),
    [
        (118, 10, 784, 1.0, 1e-5, 2.80),  # the paper's MNIST: more noise per pixel than the range is wide
        (118, 1, 784, 1.0, 1e-5, 0.885),
        (20, 10, 784, 0.2, 1e-5, 72.0),
        (200, 2, 14, 1.0, 1 / 32561, 0.092),
        (369, 2, 29, 1.0, 1 / 284807, 0.082),
    ],
)
def test_sigma_has_the_known_values(size, classes, features, epsilon, delta, sigma):
    noise = MixtureNoise(features=features, classes=classes, mu=mu_of(epsilon, delta))
    assert float(noise.stddev(size)) == pytest.approx(sigma, rel=0.01)


@given(
    features=st.integers(1, 2000),
    classes=st.integers(1, 20),
    mu=st.floats(1e-3, 10),
    sigma_max=st.floats(1e-3, 10),
)
def test_the_least_size_is_the_smallest_that_stays_within_sigma_max(features, classes, mu, sigma_max):
    noise = MixtureNoise(features=features, classes=classes, mu=mu)
    least = noise.least_size(sigma_max)
    assert noise.stddev(int(least)) <= sigma_max * (1 + 1e-9)
    assert least == 1 or noise.stddev(int(least) - 1) > sigma_max * (1 - 1e-9)


def test_without_delta_no_mixture_fits_and_points_are_dropped():
    noise = MixtureNoise(features=3, classes=2, mu=mu_of(1.0, 0.0))
    assert noise.mu == 0.0 and noise.least_size(1.0) == float("inf")
    sizes = np.array([5, 9])
    assert noise.mixed(np.ones((2, 3)), sizes, np.random.default_rng(0))[0].shape == (0, 3)


def test_mixed_points_have_the_stated_spread():
    noise = MixtureNoise(features=2, classes=1, mu=0.5)
    means, sizes = np.full((20_000, 2), 0.3), np.full(20_000, 50)
    points, spreads = noise.mixed(means, sizes, np.random.default_rng(0))
    assert np.allclose(spreads, noise.stddev(50))
    assert points.std() == pytest.approx(float(noise.stddev(50)), rel=0.02)
    assert points.mean() == pytest.approx(0.3, abs=2e-3)


def test_one_sigma_or_several():
    assert MixWithNoise(sigma_max=0.2).candidates == (0.2,)
    assert MixWithNoise(sigma_max=[0.1, 0.2]).candidates == (0.1, 0.2)
