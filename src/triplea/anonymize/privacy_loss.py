"""Privacy-loss distributions of charges, composed by dp-accounting on one grid.

Every single mechanism is discretised by the pessimistic "connect the dots" construction of dp-accounting, so
each number read from the result is an upper bound. The grid's interval follows the size of the losses, so
memory is bounded for every epsilon: a few hundred points for one mechanism, about sqrt(uses) times that for
many.

dp-accounting's own PLD accountant is not used, for two reasons that `tests/anonymize/test_privacy_loss.py`
pins down: it charges a self-composed randomized response only once, and under replace-one it doubles the
sensitivity, which our noise multipliers already contain.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from dp_accounting import NeighboringRelation
from dp_accounting.pld import pld_pmf
from dp_accounting.pld import privacy_loss_distribution as library
from numpy.typing import NDArray

from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Mechanism

# Rounding to a grid of interval h adds at most about h^2 / 4 of variance per use. An interval of at most
# RESOLUTION times the root-mean-square loss of a use keeps the epsilon within about 1e-4 of the exact one.
RESOLUTION = 0.03
MAX_POINTS = 1_000_000
MAX_POINTS_OF_ONE = 100_000

# Truncated tails, the rounding of the Fourier transforms, and per use the rounding of the single curve
# (2e-16 in delta) stay below these. They are added to every delta read.
NUMERICAL_DELTA = 1e-12
NUMERICAL_DELTA_PER_USE = 1e-15

_Single = tuple[Mechanism, float, float]  # mechanism; noise multiplier or epsilon; sampling rate


def numerical_delta(charges: Iterable[Charge]) -> float:
    """The delta to set aside for rounding when these charges are composed."""
    return NUMERICAL_DELTA + NUMERICAL_DELTA_PER_USE * sum(_grouped(charges).values())


def epsilon_at(charges: list[Charge], *, delta: float, neighbours: Neighbours) -> float:
    """An upper bound on the composed epsilon; infinite if rounding could matter at so small a delta."""
    reserved = numerical_delta(charges)
    if delta <= 10 * reserved:
        return math.inf
    with np.errstate(all="ignore"):  # losses of several hundred overflow to infinity, which is the safe side
        return float(compose(charges, neighbours=neighbours).get_epsilon_for_delta(delta - reserved))


def compose(charges: Iterable[Charge], *, neighbours: Neighbours) -> library.PrivacyLossDistribution:
    """The privacy-loss distribution of all charges together, rounded against us.

    Valid for adaptive composition: each single distribution is that of a dominating pair.
    """
    return _composed(tuple(sorted(_grouped(charges).items())), neighbours)


@lru_cache(maxsize=16)
def _composed(
    singles: tuple[tuple[_Single, int], ...], neighbours: Neighbours
) -> library.PrivacyLossDistribution:
    """Kept for the next time: many runs of one plan, as in an audit, are priced alike."""
    interval = _interval(dict(singles))
    total = library.identity(value_discretization_interval=interval)
    for single, uses in singles:
        distribution = _single_distribution(single, interval=interval, neighbours=neighbours)
        total = total.compose(distribution.self_compose(uses) if uses > 1 else distribution)
    return total


def exponential_deltas(epsilon: float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exact hockey-stick curve of the exponential mechanism: the largest delta at each privacy loss in `at`.

    For |e| <= epsilon it is (exp(epsilon/2) - exp(e/2))^2 / (exp(epsilon) - 1); proof in
    docs/proofs/exponential.md.
    """
    inside = np.clip(at, -epsilon, epsilon)
    deltas = np.expm1((inside - epsilon) / 2) ** 2 / -math.expm1(-epsilon)
    return np.where(at <= -epsilon, -np.expm1(np.minimum(at, 0.0)), deltas)


def _grouped(charges: Iterable[Charge]) -> dict[_Single, int]:
    """Equal mechanisms together, and all plain Gaussians as the one Gaussian they compose to."""
    singles: Counter[_Single] = Counter()
    precisions: list[float] = []  # one per use and summed exactly, so that grouping cannot move a total
    for charge in charges:
        if charge.mechanism in (Mechanism.GAUSSIAN, Mechanism.THRESHOLD):
            precisions += [float(charge.noise_multiplier or 0) ** -2] * charge.times
        else:
            parameter = charge.epsilon if charge.mechanism.is_pure else charge.noise_multiplier
            singles[charge.mechanism, float(parameter or 0), float(charge.sampling_rate or 1)] += charge.uses
    if precisions:
        singles[Mechanism.GAUSSIAN, math.fsum(precisions) ** -0.5, 1.0] = 1
    return dict(singles)


def _single_distribution(
    single: _Single, *, interval: float, neighbours: Neighbours
) -> library.PrivacyLossDistribution:
    mechanism, parameter, sampling_rate = single
    if mechanism is Mechanism.EXPONENTIAL:
        return _exponential(parameter, interval=interval)
    if mechanism is Mechanism.LAPLACE:
        return library.from_laplace_mechanism(1 / parameter, value_discretization_interval=interval)
    if neighbours is Neighbours.REPLACE_ONE and sampling_rate < 1:
        # The library counts noise in units of the norm of one row: half of the replace-one sensitivity.
        return library.from_gaussian_mechanism(
            2 * parameter,
            value_discretization_interval=interval,
            sampling_prob=sampling_rate,
            neighboring_relation=NeighboringRelation.REPLACE_ONE,
        )
    return library.from_gaussian_mechanism(
        parameter, value_discretization_interval=interval, sampling_prob=sampling_rate
    )


def _exponential(epsilon: float, *, interval: float) -> library.PrivacyLossDistribution:
    reach = math.ceil(epsilon / interval)
    losses = np.arange(-reach, reach + 1, dtype=np.float64) * interval
    deltas = exponential_deltas(epsilon, losses)
    return library.PrivacyLossDistribution(
        pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(interval, -reach, reach, deltas)
    )


def _interval(singles: dict[_Single, int]) -> float:
    """A power of two, so that neighbouring prices share a grid and the search for noise sees no jumps."""
    uses = sum(singles.values())
    variance = sum(count * _typical_loss(single) ** 2 for single, count in singles.items())
    wanted = RESOLUTION * math.sqrt(variance / uses)
    whole_range = variance + 20 * math.sqrt(variance)
    largest_range = max(_range_of_losses(single) for single in singles)
    interval = max(wanted, whole_range / MAX_POINTS, largest_range / MAX_POINTS_OF_ONE)
    return float(2.0 ** math.floor(math.log2(interval)))


def _typical_loss(single: _Single) -> float:
    mechanism, parameter, sampling_rate = single
    if mechanism is Mechanism.LAPLACE:
        return parameter
    if mechanism is Mechanism.EXPONENTIAL:
        return parameter / 2
    if sampling_rate == 1:
        return 1 / parameter
    return min(1 / parameter, sampling_rate * math.sqrt(math.expm1(max(parameter, 0.1) ** -2)))


def _range_of_losses(single: _Single) -> float:
    mechanism, parameter, _ = single
    return 2 * parameter if mechanism.is_pure else parameter**-2 + 20 / parameter
