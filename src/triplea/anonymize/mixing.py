"""Mixing with noise: how many rows a mixture needs, and how much noise, by the published theorem (3A, Eq. 8).

The theorem says: means of l rows in [0, 1]^D with N(0, sigma^2 I) added are mu-GDP with mu = sqrt(C D) /
(l sigma), where C is the number of classes. So mu is solved once from (epsilon, delta), exactly, and then
sigma = sqrt(C D) / (l mu) and l_min = ceil(sqrt(C D) / (sigma_max mu)).

The theorem takes for granted that one row moves one mean per class by 1/l. Where groups are chosen by
looking at the rows, it does not hold: see docs/methods/clustmix.md. This is arithmetic; it proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SMALLEST_MU, LARGEST_MU = 1e-12, 1e6
TINY = 1e-12  # relative: sizes that miss a whole number by less are that number


def delta_of_mu(epsilon: float, mu: float) -> float:
    """The delta that belongs to epsilon under mu-GDP: Phi(-e/mu + mu/2) - exp(e) Phi(-e/mu - mu/2)."""
    first = float(log_ndtr(-epsilon / mu + mu / 2.0))
    second = epsilon + float(log_ndtr(-epsilon / mu - mu / 2.0))
    return math.exp(first) * -math.expm1(second - first) if second < first else 0.0


@lru_cache(maxsize=1024)
def mu_of(epsilon: float, delta: float) -> float:
    """The largest mu whose delta at epsilon is at most `delta`; delta grows with mu, so it is one root.

    >>> round(mu_of(1.0, 1e-5), 4)
    0.2681
    """

    def excess(log_mu: float) -> float:
        return delta_of_mu(epsilon, math.exp(log_mu)) - delta

    if delta <= 0.0 or excess(math.log(SMALLEST_MU)) > 0.0:
        return 0.0
    if excess(math.log(LARGEST_MU)) <= 0.0:
        return LARGEST_MU
    root = math.exp(brentq(excess, math.log(SMALLEST_MU), math.log(LARGEST_MU), xtol=1e-14, rtol=1e-14))
    while delta_of_mu(epsilon, root) > delta:  # the root may lie a rounding above
        root *= 1.0 - 1e-14
    return root


@dataclass(frozen=True, kw_only=True)
class MixWithNoise:
    """The Anonymize stage as published: the mean of a group, plus noise that Eq. 8 sets by the group's size.

    `sigma_max` is the most noise per coordinate that a mixture may get, on data in [0, 1]. Several values
    mean: make the data set with each, and keep the one whose classifier does best on the training rows.
    """

    sigma_max: float | Sequence[float] = 0.1

    @property
    def candidates(self) -> tuple[float, ...]:
        """The values of sigma_max to try."""
        given = self.sigma_max
        return tuple(float(value) for value in given) if isinstance(given, Sequence) else (float(given),)


@dataclass(frozen=True, kw_only=True)
class MixtureNoise:
    """Eq. 8 for one data set: D features, C classes, and the mu that a budget allows."""

    features: int
    classes: int
    mu: float

    @property
    def reach(self) -> float:
        """How far the theorem lets one row move l times the means: sqrt(C D)."""
        return math.sqrt(self.classes * self.features)

    def stddev(self, size: int | Whole) -> Floats:
        """The least noise for groups of these sizes; infinite where there is none that suffices."""
        with np.errstate(divide="ignore"):
            return np.asarray(self.reach / (np.asarray(size, dtype=float) * self.mu))

    def least_size(self, sigma_max: float) -> float:
        """The smallest group whose noise stays within `sigma_max`; infinite where there is none."""
        if self.mu <= 0.0 or sigma_max <= 0.0:
            return math.inf
        wanted = self.reach / (sigma_max * self.mu)
        return float(max(1, math.ceil(wanted * (1.0 - TINY))))

    def mixed(self, means: Floats, sizes: Whole, noise: np.random.Generator) -> tuple[Floats, Floats]:
        """Means with noise, and its standard deviation; those without a solution are dropped."""
        spread = self.stddev(sizes)
        kept = np.isfinite(spread)
        added = spread[kept, None] * noise.standard_normal(means[kept].shape)
        return means[kept] + added, spread[kept]
