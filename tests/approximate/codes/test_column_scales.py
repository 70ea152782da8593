"""Centres and spreads from noisy histograms."""

import numpy as np
import pytest
from scipy.stats import norm

from triplea.approximate.codes.column_scales import centre_and_spread, masses, quantiles, scaled_code
from triplea.schema import Column

NUMBER = Column(name="x", kind="numeric", lower=-10, upper=10)


def _histogram(values):
    return np.histogram(values, bins=4096, range=(-10, 10))[0].astype(float)


def test_median_and_spread_of_a_normal_column_survive_noise():
    rng = np.random.default_rng(0)
    noisy = _histogram(rng.normal(2.0, 0.5, 50_000)) + rng.normal(size=4096) * 30
    centre, spread = centre_and_spread(NUMBER, masses(noisy[None, :], 30.0)[0])
    assert centre == pytest.approx(0.2, abs=0.02)
    assert spread == pytest.approx(0.05, abs=0.02)


def test_masses_add_up_and_are_never_negative():
    noisy = np.random.default_rng(1).normal(size=(3, 256)) * 10
    found = masses(noisy, 10.0)
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(3))


def test_a_column_with_one_value_in_most_rows_is_scaled_by_its_tails():
    values = np.concatenate([np.zeros(9000), np.linspace(-5, 5, 1600)])
    _, spread = centre_and_spread(NUMBER, masses(_histogram(values)[None, :], 0.01)[0])
    assert spread > 0.01


def test_the_median_of_whole_numbers_lies_on_them():
    column = Column(name="n", kind="integer", lower=0, upper=100)
    counts = np.zeros(4096)
    counts[[int(code * 4096 / 101) for code in (30, 31, 32)]] = 1000.0
    centre, _ = centre_and_spread(column, masses(counts[None, :], 0.01)[0])
    assert centre == pytest.approx(31 / 50 - 1, abs=0.02)


def test_a_constant_column_has_the_unit_scale():
    fixed = Column(name="f", kind="numeric", lower=3, upper=3)
    assert centre_and_spread(fixed, np.full(4096, 1 / 4096)) == (0.0, 1.0)


def test_quantiles_are_places_in_the_public_range():
    values = np.linspace(-5, 5, 10_001)
    mass = _histogram(values) / len(values)
    assert quantiles(NUMBER, mass, np.array([0.1, 0.5, 0.9])) == pytest.approx([-0.4, 0.0, 0.4], abs=0.001)


def test_a_bent_code_makes_a_skewed_column_normal_and_a_plain_one_does_not():
    values = np.random.default_rng(0).exponential(1.0, 30_000)
    shapes = (_histogram(values) / len(values))[None, :]
    plain, bent = (
        scaled_code((NUMBER,), shapes, bend=bend).encode({"x": values})[:, 0] for bend in (False, True)
    )
    shares = [0.03, 0.2, 0.5, 0.8, 0.97]
    assert np.quantile(bent, shares) == pytest.approx(norm.ppf(shares), abs=0.03)
    assert np.abs(np.quantile(plain, shares) - norm.ppf(shares)).max() > 0.5
