"""Lower bounds hold as often as they say, and come close to the truth where they can."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from triplea.audit.bounds import (
    Errors,
    allowed_misses,
    epsilon_by_accuracy,
    epsilon_by_tail,
    epsilon_of_mu,
    gaussian_misses,
    mean_error,
    mu_by_accuracy,
    mu_by_means,
    mu_by_paired_means,
    mu_by_tail,
    upper_rate,
)

REPEATS, RISK = 2000, 0.05


def errors(alarms: int, misses: int, runs: int) -> Errors:
    return Errors(alarms=alarms, calm=runs - alarms, misses=misses, caught=runs - misses)


def drawn(alpha: float, beta: float, runs: int, seed: int = 0) -> list[Errors]:
    rng = np.random.default_rng(seed)
    return [errors(int(a), int(b), runs) for a, b in rng.binomial(runs, [alpha, beta], (REPEATS, 2))]


def false_alarms(share: float) -> bool:
    """Whether a share of too large bounds agrees with the risk, up to chance (four standard deviations)."""
    return share <= RISK + 4 * np.sqrt(RISK * (1 - RISK) / REPEATS)


@pytest.mark.parametrize("failures", [0, 3, 50, 100])
def test_a_rate_is_bounded_as_by_clopper_and_pearson(failures: int) -> None:
    bound = upper_rate(failures, 100, risk=0.05)
    assert failures / 100 <= bound <= 1.0
    if failures < 100:
        assert binom.cdf(failures, 100, bound) == pytest.approx(0.05)


@pytest.mark.parametrize("mu", [0.27, 1.0, 3.0])
def test_mu_is_too_large_as_seldom_as_stated(mu: float) -> None:
    rate = float(norm.sf(mu / 2))
    found = [mu_by_accuracy(e, risk=RISK) for e in drawn(rate, rate, 400)]
    assert false_alarms(float(np.mean(np.array(found) > mu)))


def test_mu_by_means_is_too_large_as_seldom_as_stated_and_tight() -> None:
    rng, mu = np.random.default_rng(1), 0.27
    first, second = rng.normal(0, 1, (REPEATS, 500)), rng.normal(mu, 1, (REPEATS, 500))
    found = np.array([mu_by_means(a, b, risk=RISK) for a, b in zip(first, second, strict=True)])
    assert false_alarms(float(np.mean(found > mu)))
    many = mu_by_means(rng.normal(0, 1, 100_000), rng.normal(mu, 1, 100_000), risk=RISK)
    assert 0.9 * mu < many < mu


def test_mu_by_paired_means_is_too_large_as_seldom_as_stated_and_needs_fewer_runs() -> None:
    rng, mu = np.random.default_rng(4), 0.27
    noise = rng.normal(0, mu, (REPEATS, 500))
    found = np.array([mu_by_paired_means(row, row + mu * mu, risk=RISK) for row in noise])
    assert false_alarms(float(np.mean(found > mu)))
    assert np.mean(found) > 0.9 * mu
    flat = np.zeros(30)
    assert mu_by_paired_means(flat, flat, risk=RISK) == 0.0
    assert mu_by_paired_means(flat, flat + 1, risk=RISK) == np.inf


def test_mu_by_tail_holds_however_the_sides_hang_together() -> None:
    """The same noise on both tables makes alarms and misses exclude each other."""
    rng, mu = np.random.default_rng(5), 2.0
    noise = rng.normal(0, 1, (REPEATS, 200))
    counts = zip((noise > mu / 2).sum(axis=1), (noise + mu <= mu / 2).sum(axis=1), strict=True)
    found = np.array([mu_by_tail(errors(int(a), int(b), 200), risk=RISK) for a, b in counts])
    assert false_alarms(float(np.mean(found > mu)))


def test_means_of_any_shape_stay_below_the_mu_of_their_law() -> None:
    """The divergence bounds the means of every statistic, not only of Gaussian ones."""
    rng, mu = np.random.default_rng(2), 0.5
    first, second = rng.normal(0, 1, 200_000), rng.normal(mu, 1, 200_000)
    for statistic in (np.sign, np.tanh, lambda x: (x > 1.5).astype(float)):
        assert mu_by_means(statistic(first), statistic(second), risk=RISK) < mu


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_epsilon_is_too_large_as_seldom_as_stated(epsilon: float) -> None:
    """Randomised response spends its epsilon exactly."""
    rate = 1 / (1 + np.exp(epsilon))
    for bound in (epsilon_by_tail, epsilon_by_accuracy):
        found = [bound(e, delta=0.0, risk=RISK) for e in drawn(rate, rate, 300)]
        assert false_alarms(float(np.mean(np.array(found) > epsilon)))
        assert np.median(found) > 0.5 * epsilon


def test_a_sum_of_two_different_rates_is_bounded_too() -> None:
    found = [mean_error(e, risk=RISK) for e in drawn(0.02, 0.4, 200)]
    assert false_alarms(float(np.mean(np.array(found) < 0.21)))


def test_separation_gives_a_large_epsilon_and_guessing_none() -> None:
    assert epsilon_by_accuracy(errors(0, 0, 500), delta=1e-5, risk=RISK) > 5
    assert epsilon_by_tail(errors(250, 250, 500), delta=1e-5, risk=RISK) == 0.0
    assert epsilon_by_tail(errors(500, 500, 500), delta=1e-5, risk=RISK) == 0.0


def test_the_mean_error_needs_equal_numbers() -> None:
    with pytest.raises(ValueError, match="equally many"):
        mean_error(Errors(alarms=1, calm=1, misses=1, caught=2), risk=RISK)


def test_a_statistic_without_spread_is_certainty_or_nothing() -> None:
    same = np.zeros(10)
    assert mu_by_means(same, same, risk=RISK) == 0.0
    assert mu_by_means(same, same + 1, risk=RISK) == np.inf


def test_mu_and_epsilon_agree_with_the_known_pair() -> None:
    assert epsilon_of_mu(0.2681, 1e-5) == pytest.approx(1.0, abs=1e-3)
    assert epsilon_of_mu(0.0, 1e-5) == 0.0
    assert epsilon_of_mu(0.5, 0.0) == np.inf


def test_trade_off_curves_lie_below_guessing() -> None:
    for alpha in np.linspace(0.01, 0.99, 9):
        assert gaussian_misses(alpha, 0.27) <= 1 - alpha
        assert allowed_misses(alpha, 1.0, 1e-5) <= gaussian_misses(alpha, 0.2681) + 1e-9
        assert allowed_misses(alpha, np.inf, 0.0) == 0.0
