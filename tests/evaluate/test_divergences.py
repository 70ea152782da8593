from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon

from triplea.evaluate.divergences import jensen_shannon, smoothed_kl, total_variation

RACE = np.array([0.8542736, 0.0959429, 0.0319093, 0.0095513, 0.0083229])


def weights(size: int = 6) -> st.SearchStrategy[np.ndarray]:
    counts = arrays(np.int64, size, elements=st.integers(0, 50)).filter(lambda found: found.sum() > 0)
    return counts.map(lambda found: found / found.sum())


@given(weights(), weights())
def test_jensen_shannon_agrees_with_scipy(p: np.ndarray, q: np.ndarray) -> None:
    # SciPy gives the square root of the divergence.
    assert jensen_shannon(p, q) == pytest.approx(jensenshannon(p, q) ** 2, abs=1e-9)


@given(weights(), weights())
def test_divergences_are_zero_for_equal_and_bounded(p: np.ndarray, q: np.ndarray) -> None:
    assert total_variation(p, p) == 0
    assert smoothed_kl(p, p) == pytest.approx(0, abs=1e-12)
    assert 0 <= total_variation(p, q) <= 1 + 1e-12
    assert jensen_shannon(p, q) <= np.log(2) + 1e-12


def test_a_race_column_with_one_value_has_dp_auto_gans_published_divergences() -> None:
    # DP-SYN's race column held one class: tables 6 and 7 print JSD .053 and smoothed KL .465.
    one = np.array([1.0, 0, 0, 0, 0])
    assert jensen_shannon(RACE, one) == pytest.approx(0.053, abs=0.001)
    assert smoothed_kl(RACE, one) == pytest.approx(0.465, abs=0.015)


def test_smoothed_kl_matches_its_formula() -> None:
    p, q = np.array([0.7, 0.2, 0.1, 0.0]), np.array([0.6, 0.0, 0.3, 0.1])
    mu = np.exp(-1 / 0.3)
    plain = sum((a + mu) * np.log((a + mu) / (b + mu)) for a, b in zip(p, q, strict=True) if a > 0)
    assert smoothed_kl(p, q) == pytest.approx(plain)


def test_smoothed_kl_is_finite_where_mu_underflows() -> None:
    p, q = np.array([0.9999, 0.0001]), np.array([1.0, 0.0])
    # (1 - p1) log(1 / mu) = 1 by the choice of mu.
    assert smoothed_kl(p, q) == pytest.approx(1.0 + 0.0001 * np.log(0.0001) - 0.0001, abs=1e-3)


def test_smoothed_kl_of_a_constant_column_is_defined() -> None:
    assert smoothed_kl(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == pytest.approx(np.log(2))
    assert smoothed_kl(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == np.inf
