"""The shapes of columns of which only means and variances are known: those of beta variates in their ranges.

A Gaussian column near a bound of its range spills over and is cut off there. A beta variate with the same
mean and variance stays inside: skewed near a bound, heaped up at both where it varies much, and close to a
Gaussian where the bounds are far away.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, norm

from triplea.approximate.codes.normal_scores import SCORES, climbing
from triplea.approximate.codes.number_code import NumberCode
from triplea.schema import Column

Floats = NDArray[np.float64]
NEAREST = 0.2  # a mean's least distance from a bound, in standard deviations: noise may place it on the bound
LEAST_SPREAD = 1e-6  # in units of half the range
MOST_VARIED = 0.9  # of the variance that two values, the bounds, would have


def bounded_code(columns: Sequence[Column], means: Floats, variances: Floats) -> NumberCode:
    """The code in which columns with these moments, as places in [-1, 1], are standard normal."""
    mean, variance = possible_moments(means, variances)
    spreads = np.sqrt(variance)
    knots = [
        climbing((wanted - centre) / spread)
        for wanted, centre, spread in zip(beta_quantiles(mean, variance), mean, spreads, strict=True)
    ]
    return NumberCode(
        columns=tuple(columns), centres=mean, spreads=spreads, curved=False, knots=np.array(knots)
    )


def possible_moments(means: Floats, variances: Floats) -> tuple[Floats, Floats]:
    """The nearest moments that a column in [-1, 1] can have."""
    spread = np.sqrt(np.clip(variances, LEAST_SPREAD**2, MOST_VARIED))
    mean = np.clip(means, NEAREST * spread - 1.0, 1.0 - NEAREST * spread)
    return mean, np.minimum(spread**2, MOST_VARIED * (1.0 - mean**2))


def beta_quantiles(means: Floats, variances: Floats) -> Floats:
    """Quantiles at the normal scores `SCORES`, one line per column, of beta variates in [-1, 1]."""
    place = (1.0 + means) / 2.0
    both = 4.0 * place * (1.0 - place) / variances - 1.0
    first, second = (place * both)[:, None], ((1.0 - place) * both)[:, None]
    return np.asarray(2.0 * beta.ppf(norm.cdf(SCORES), first, second) - 1.0)
