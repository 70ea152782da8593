"""Lower bounds on epsilon and mu from error counts, each valid at a stated level.

A test that tells D from D' makes false alarms at rate `alpha` and misses at rate `beta`. Under
(epsilon, delta), exp(epsilon) * alpha + beta >= 1 - delta, and the same with the rates exchanged (Kairouz, Oh
and Viswanath 2015). Under mu-Gaussian privacy beta >= Phi(Phi^-1(1 - alpha) - mu) (Dong, Roth and Su 2022).
Rates are bounded from above by Clopper and Pearson's exact intervals, so that chance makes a bound too large
with probability at most `risk`. The test must be fixed before the counted runs are looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri

from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Mechanism


@dataclass(frozen=True, kw_only=True)
class Errors:
    """What a fixed test got wrong: false alarms on D, misses on D'."""

    alarms: int
    calm: int
    misses: int
    caught: int

    @property
    def on_first(self) -> int:
        """Runs on D."""
        return self.alarms + self.calm

    @property
    def on_second(self) -> int:
        """Runs on D'."""
        return self.misses + self.caught

    @property
    def exchanged(self) -> Errors:
        """The same test, seen from D'."""
        return Errors(alarms=self.misses, calm=self.caught, misses=self.alarms, caught=self.calm)


def upper_rate(failures: int, trials: int, *, risk: float) -> float:
    """Clopper and Pearson's upper bound on a rate; it is too small with probability at most `risk`.

    >>> round(upper_rate(0, 100, risk=0.05), 4)
    0.0295
    """
    return float(upper_rates(np.asarray(failures), trials, risk=risk))


def upper_rates(failures: np.ndarray, trials: int, *, risk: float) -> np.ndarray:
    """The same for many counts of failures."""
    passed = np.maximum(trials - failures, 1)
    return np.where(failures >= trials, 1.0, betaincinv(failures + 1, passed, 1.0 - risk))


def epsilon_by_tail(errors: Errors, *, delta: float, risk: float) -> float:
    """Epsilon from both rates of one test, each bounded at half the risk."""
    alpha = upper_rate(errors.alarms, errors.on_first, risk=risk / 2)
    beta = upper_rate(errors.misses, errors.on_second, risk=risk / 2)
    return _log_ratio(1.0 - delta - beta, alpha)


def epsilon_by_accuracy(errors: Errors, *, delta: float, risk: float) -> float:
    """Epsilon from the mean error: exp(epsilon) >= (1 - delta) / error - 1."""
    error = mean_error(errors, risk=risk)
    return _log_ratio(1.0 - delta - error, error)


def mu_by_accuracy(errors: Errors, *, risk: float) -> float:
    """Mu from the mean error: under mu-Gaussian privacy it is at least Phi(-mu / 2)."""
    return max(0.0, float(-2.0 * ndtri(mean_error(errors, risk=risk))))


def mu_by_tail(errors: Errors, *, risk: float) -> float:
    """Mu from both rates, each bounded at half the risk: no matter how the two sides hang together."""
    alpha = upper_rate(errors.alarms, errors.on_first, risk=risk / 2)
    beta = upper_rate(errors.misses, errors.on_second, risk=risk / 2)
    return max(0.0, float(-ndtri(alpha) - ndtri(beta)))


def mu_by_means(first: np.ndarray, second: np.ndarray, *, risk: float) -> float:
    """Mu from the gap d of a statistic's two means in standard deviations: mu^2 >= log(1 + d^2).

    Under mu-Gaussian privacy the chi-squared divergence is at most exp(mu^2) - 1, and it bounds d^2
    (Hammersley 1950, Chapman and Robbins 1951). Both standard deviations serve; the larger one is taken. The
    bound on d rests on the normal law of means of many runs. Close to exact where mu is small.
    """
    spread = math.sqrt(max(float(first.var(ddof=1)), float(second.var(ddof=1))))
    gap = float(second.mean() - first.mean())
    if spread == 0.0:
        return math.inf if gap > 0 else 0.0
    chance = math.sqrt(float(first.var(ddof=1)) / len(first) + float(second.var(ddof=1)) / len(second))
    lowest = gap + float(ndtri(risk)) * chance
    return math.sqrt(math.log1p(max(0.0, lowest / spread) ** 2))


def mu_by_paired_means(first: np.ndarray, second: np.ndarray, *, risk: float) -> float:
    """The same bound where run i on D and run i on D' drew the same noise.

    The gap of the means is then known almost exactly, and the number of runs is needed for the standard
    deviation alone; the noise of each side is as it would be without the other. Half of the risk goes to the
    gap, half to the two variances, by the normal law of the means of differences and of squares.
    """
    runs = len(first)
    differences = second - first
    lowest = float(differences.mean() + ndtri(risk / 2) * differences.std(ddof=1) / math.sqrt(runs))
    variances = []
    for side in (first, second):
        squares = (side - side.mean()) ** 2
        variances.append(float(squares.mean() - ndtri(risk / 4) * squares.std(ddof=1) / math.sqrt(runs)))
    if max(variances) == 0.0:
        return math.inf if lowest > 0 else 0.0
    return math.sqrt(math.log1p(max(0.0, lowest) ** 2 / max(variances)))


def mean_error(errors: Errors, *, risk: float) -> float:
    """An upper bound on (alpha + beta) / 2, from equally many runs on both tables.

    The sum of wrong guesses is no binomial, for its two rates differ, but it spreads less than the binomial
    of the mean rate (Hoeffding 1956), so Clopper and Pearson's bound on it holds.
    """
    if errors.on_first != errors.on_second:
        raise ValueError("the mean error needs equally many runs on both tables")
    return upper_rate(errors.alarms + errors.misses, errors.on_first + errors.on_second, risk=risk)


def epsilon_of_mu(mu: float, delta: float) -> float:
    """The epsilon that a Gaussian mechanism of this mu has at this delta.

    >>> round(epsilon_of_mu(0.2681, 1e-5), 3)
    1.0
    """
    if mu <= 0.0:
        return 0.0
    if delta <= 0.0:
        return math.inf
    charge = Charge(label="mu", mechanism=Mechanism.GAUSSIAN, noise_multiplier=1.0 / mu)
    return epsilon_of([charge], delta=delta, neighbours=Neighbours.ADD_OR_REMOVE_ONE)


def gaussian_misses(alpha: float, mu: float) -> float:
    """The least rate of misses that mu-Gaussian privacy allows at a rate of false alarms."""
    return float(ndtr(ndtri(1.0 - alpha) - mu))


def allowed_misses(alpha: float, epsilon: float, delta: float) -> float:
    """The least rate of misses that (epsilon, delta) allows at a rate of false alarms.

    >>> allowed_misses(0.0, 1.0, 0.0), round(allowed_misses(0.2, 1.0, 0.0), 3)
    (1.0, 0.456)
    """
    if math.isinf(epsilon):
        return 0.0
    first = 1.0 - delta - math.exp(min(epsilon, 700.0)) * alpha
    return max(0.0, first, math.exp(-epsilon) * (1.0 - delta - alpha))


def _log_ratio(upper: float, lower: float) -> float:
    return max(0.0, math.log(upper / lower)) if upper > 0.0 and lower > 0.0 else 0.0
