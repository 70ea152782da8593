"""The accountant: what charges cost together, and the noise that makes a plan cost exactly its budget.

- Only Gaussian charges: the exact trade-off of one Gaussian (dp-accounting's analytic Gaussian).
- Only pure charges and delta = 0: epsilons add up.
- Everything else: privacy-loss distributions (`privacy_loss.py`). With exponential mechanisms, or where delta
  is so small that numerical error matters, also Renyi divergences; the smaller bound counts. Not with sampled
  Gaussians: dp-accounting's Renyi divergence of many small steps can round to zero, and epsilon with it.

Every epsilon and delta returned is an upper bound; composition is dp-accounting's, never our own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import dp_accounting
import numpy as np
from dp_accounting.rdp import RdpAccountant
from scipy.special import log_ndtr

from triplea.anonymize import privacy_loss
from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.errors import BudgetError

# Total slack of all THRESHOLD asks, as a fraction of delta.
MAX_TOTAL_SLACK = 0.45

# A calibrated plan costs between 1 - CALIBRATION_BAND and 1 of its budget's epsilon.
CALIBRATION_BAND = 0.004

# Gaussian noise has a delta at every epsilon; where it is smaller than any number, this one is above it.
LEAST_DELTA = sys.float_info.min

_GAUSSIANS = (Mechanism.GAUSSIAN, Mechanism.THRESHOLD)
_RDP_ORDERS = tuple([1 + x / 10 for x in range(1, 100)] + list(range(11, 128)) + [128, 256, 512, 1024])
# For small epsilons; too slow for sampled Gaussians, which need a sum of `order` terms.
_LARGE_RDP_ORDERS = tuple(round(1024 * 1.3**x) for x in range(1, 40))


def epsilon_of(charges: Sequence[Charge], *, delta: float, neighbours: Neighbours) -> float:
    """The smallest epsilon we can prove for all charges together at this delta; may be infinite.

    The slack of THRESHOLD charges is taken from delta first.
    """
    _check_delta(delta)
    charges = list(charges)
    if not charges:
        return 0.0
    remaining = delta - _total_slack(charges)
    if remaining < 0 or not all(charge.mechanism.is_proved for charge in charges):
        return math.inf
    if all(charge.mechanism in _GAUSSIANS for charge in charges):
        return _gaussian_epsilon(_total_mu(charges), remaining)
    by_losses = privacy_loss.epsilon_at(charges, delta=remaining, neighbours=neighbours)
    return min(_pure_epsilon(charges), by_losses, _renyi_epsilon(charges, remaining, by_losses))


def delta_of(charges: Sequence[Charge], *, epsilon: float, neighbours: Neighbours) -> float:
    """The smallest delta we can prove for all charges together at this epsilon, slack included."""
    return curve(charges, epsilons=[epsilon], neighbours=neighbours)[0][1]


def curve(
    charges: Sequence[Charge], *, neighbours: Neighbours, epsilons: Sequence[float]
) -> list[tuple[float, float]]:
    """The pairs (epsilon, delta_of(epsilon)), composed once."""
    charges = list(charges)
    slack = _total_slack(charges)
    delta_at = _delta_function(charges, neighbours)
    return [(epsilon, min(1.0, delta_at(_checked_epsilon(epsilon)) + slack)) for epsilon in epsilons]


def _delta_function(charges: list[Charge], neighbours: Neighbours) -> Callable[[float], float]:
    if not charges:
        return lambda epsilon: 0.0
    if not all(charge.mechanism.is_proved for charge in charges):
        return lambda epsilon: 1.0
    if all(charge.mechanism in _GAUSSIANS for charge in charges):
        mu = _total_mu(charges)
        return lambda epsilon: _gaussian_delta(mu, epsilon)
    with np.errstate(all="ignore"):
        losses = privacy_loss.compose(charges, neighbours=neighbours)
    reserved = privacy_loss.numerical_delta(charges)
    renyi = None if _is_sampled(charges) else _renyi(charges)
    pure = _pure_epsilon(charges)

    def delta_at(epsilon: float) -> float:
        if epsilon >= pure:
            return 0.0
        bound = float(losses.get_delta_for_epsilon(epsilon)) + reserved
        return bound if renyi is None else min(bound, float(renyi.get_delta(epsilon)))

    return delta_at


def rdp_epsilon(
    charges: Sequence[Charge], *, delta: float, conversion: Literal["classic", "improved"] = "improved"
) -> float:
    """Epsilon by Renyi divergences under add-or-remove-one: for cross-checks and for the papers' numbers.

    "classic" is min over orders a of rdp(a) + log(1/delta)/(a - 1) (Mironov 2017); "improved" is the
    conversion of Canonne, Kamath and Steinke (2020). Certificates use `epsilon_of` instead.
    """
    if conversion == "improved":
        return float(_renyi(charges).get_epsilon(delta))
    return min(_renyi_divergence(charges, order) - math.log(delta) / (order - 1) for order in _RDP_ORDERS)


def calibrate(plan: Plan, budget: Budget) -> dict[str, Charge]:
    """The noise for each ask, so that the whole plan costs `budget.epsilon` at `budget.delta`.

    One scalar t sets all: ask i gets mu_i = t * sqrt(share_i / sum of shares). The total is never above the
    budget and at most half a percent below it. CLAIMED and CLEAR asks are passed through: they have no
    provable price, and a ledger that holds one totals infinity.
    """
    priced = [ask for ask in plan.asks if ask.mechanism.is_proved]
    _check_delta_suffices(priced, budget)
    slack_scale = min(1.0, MAX_TOTAL_SLACK / (sum(ask.slack_delta_share or 0 for ask in priced) or 1.0))

    def charges_at(scale: float) -> list[Charge]:
        total_share = sum(ask.share for ask in priced)
        return [
            _charge(ask, mu=scale * math.sqrt(ask.share / total_share), slack_unit=budget.delta * slack_scale)
            for ask in priced
        ]

    calibrated = {charge.label: charge for charge in charges_at(_scale(charges_at, budget))} if priced else {}
    return {
        ask.label: calibrated.get(ask.label)
        or Charge(label=ask.label, mechanism=ask.mechanism, times=ask.times)
        for ask in plan.asks
    }


def _charge(ask: Ask, *, mu: float, slack_unit: float) -> Charge:
    """One ask at cost `mu`: each mechanism's noise for about the same zero-concentrated cost mu^2 / 2."""
    per_use = mu / math.sqrt(ask.times)
    if ask.mechanism is Mechanism.LAPLACE:
        return Charge(label=ask.label, mechanism=ask.mechanism, times=ask.times, epsilon=per_use)
    if ask.mechanism is Mechanism.EXPONENTIAL:
        return Charge(label=ask.label, mechanism=ask.mechanism, times=ask.times, epsilon=2 * per_use)
    if ask.mechanism is Mechanism.SAMPLED_GAUSSIAN:
        rate, steps = float(ask.sampling_rate or 1), ask.steps or 1
        # The inverse of `Charge.mu`: mu = rate * sqrt(steps * (exp(noise_multiplier^-2) - 1)).
        noise_multiplier = math.log1p((per_use / rate) ** 2 / steps) ** -0.5
        return Charge(
            label=ask.label, mechanism=ask.mechanism, times=ask.times, noise_multiplier=noise_multiplier,
            sampling_rate=rate, steps=steps,
        )  # fmt: skip
    return Charge(
        label=ask.label, mechanism=ask.mechanism, times=ask.times, noise_multiplier=1 / per_use,
        slack_delta=slack_unit * (ask.slack_delta_share or 0) / ask.times,
    )  # fmt: skip


def _scale(charges_at: Callable[[float], list[Charge]], budget: Budget) -> float:
    """The largest t whose charges stay within the budget, up to CALIBRATION_BAND."""
    unit = charges_at(1.0)
    if budget.delta == 0:
        return _step_inside(lambda t: _cost(charges_at(t), budget), budget.epsilon / _pure_epsilon(unit))
    remaining = budget.delta - _total_slack(unit)
    with np.errstate(divide="ignore"):
        start = 1 / float(dp_accounting.get_sigma_gaussian(budget.epsilon, remaining))
    if all(charge.mechanism in _GAUSSIANS for charge in unit):
        return _step_inside(lambda t: _cost(charges_at(t), budget), start / _total_mu(unit))
    return _search(lambda t: _cost(charges_at(t), budget), start)


def _cost(charges: list[Charge], budget: Budget) -> float:
    """Cost over budget: 1 is exact, above 1 is too much."""
    return epsilon_of(charges, delta=budget.delta, neighbours=budget.neighbours) / budget.epsilon


def _step_inside(cost: Callable[[float], float], scale: float) -> float:
    """A closed-form solution may miss by rounding; step down until the accountant agrees."""
    step = 1e-15
    while cost(scale) > 1:
        scale *= 1 - step
        step *= 4
    return scale


def _search(cost: Callable[[float], float], start: float) -> float:
    """Bracket, then false position with halving (Illinois) until the cost is in [1 - band, 1]."""
    low, high = start, start
    low_gap = high_gap = cost(start) - 1
    while low_gap > 0:
        high, high_gap = low, low_gap
        low /= 1.5
        low_gap = cost(low) - 1
    while high_gap <= 0:
        low, low_gap = high, high_gap
        high *= 1.5
        high_gap = cost(high) - 1
    best, best_gap = low, low_gap
    aim = -CALIBRATION_BAND / 2  # aim at the middle of the band, so that rounding cannot end above it
    low_pull, high_pull = low_gap - aim, min(high_gap, 10.0) - aim
    for _ in range(60):
        if best_gap >= -CALIBRATION_BAND:
            break
        middle = (low * high_pull - high * low_pull) / (high_pull - low_pull)
        gap = cost(middle) - 1
        if gap <= 0:
            low, best, best_gap, low_pull = middle, middle, gap, gap - aim
            high_pull /= 2
        else:
            high, high_pull = middle, min(gap, 10.0) - aim
            low_pull /= 2
    return best


def _check_delta_suffices(priced: list[Ask], budget: Budget) -> None:
    impure = [ask for ask in priced if not ask.mechanism.is_pure]
    if budget.delta == 0 and impure:
        raise BudgetError(
            f"{impure[0].label!r}: mechanism {impure[0].mechanism.value!r} needs delta above 0, got delta=0. "
            "Set delta well below one over the number of rows (for example 1e-6), "
            "or choose a method that asks with Laplace noise only."
        )
    sampled = [ask for ask in priced if ask.mechanism is Mechanism.SAMPLED_GAUSSIAN]
    needed = 40 * (privacy_loss.NUMERICAL_DELTA + privacy_loss.NUMERICAL_DELTA_PER_USE * _uses(priced))
    if sampled and budget.delta < needed:
        raise BudgetError(
            f"{sampled[0].label!r}: delta is {budget.delta:g}, allowed with sampled training of this length "
            f"is {needed:.2g} or more, because rounding cannot be told from risk below that. Raise delta."
        )


def _uses(asks: list[Ask]) -> int:
    return sum(ask.times * (ask.steps or 1) for ask in asks)


def _total_mu(charges: Sequence[Charge]) -> float:
    """The mu of Gaussian charges together; exact sums, so that single uses cost what was planned."""
    return math.sqrt(math.fsum((charge.noise_multiplier or 0) ** -2 for charge in _singly(charges)))


def _pure_epsilon(charges: Sequence[Charge]) -> float:
    if not all(charge.mechanism.is_pure for charge in charges):
        return math.inf
    return math.fsum(charge.epsilon or 0 for charge in _singly(charges))


def _total_slack(charges: Sequence[Charge]) -> float:
    return math.fsum(charge.slack_delta for charge in _singly(charges))


def _singly(charges: Sequence[Charge]) -> Iterator[Charge]:
    """Every use by itself: the order and grouping of uses must not move a total by a rounding."""
    return (charge for charge in charges for _ in range(charge.times))


def _gaussian_epsilon(mu: float, delta: float) -> float:
    with np.errstate(divide="ignore"):  # the library meets log(0) on the far side of its search
        return float(dp_accounting.get_epsilon_gaussian(1 / mu, delta))


def _gaussian_delta(mu: float, epsilon: float) -> float:
    """Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu) (Balle and Wang 2018)."""
    first = float(log_ndtr(mu / 2 - epsilon / mu))
    second = epsilon + float(log_ndtr(-mu / 2 - epsilon / mu))
    delta = math.exp(first) * -math.expm1(second - first) if second < first else 0.0
    return max(delta, LEAST_DELTA)


def _is_sampled(charges: Sequence[Charge]) -> bool:
    return any(charge.mechanism is Mechanism.SAMPLED_GAUSSIAN for charge in charges)


def _renyi_epsilon(charges: Sequence[Charge], delta: float, by_losses: float) -> float:
    """The Renyi bound where it may be the smaller one, else infinity."""
    has_selection = any(charge.mechanism is Mechanism.EXPONENTIAL for charge in charges)
    if delta <= 0 or _is_sampled(charges) or not (has_selection or math.isinf(by_losses)):
        return math.inf
    return float(_renyi(charges).get_epsilon(delta))


def _renyi(charges: Sequence[Charge], orders: Sequence[float] | None = None) -> RdpAccountant:
    if orders is None:
        orders = _RDP_ORDERS if _is_sampled(charges) else _RDP_ORDERS + _LARGE_RDP_ORDERS
    accountant = RdpAccountant(orders)
    for charge in charges:
        accountant.compose(charge.event())
    return accountant


def _renyi_divergence(charges: Sequence[Charge], order: float) -> float:
    """The composed divergence at one order, read back from dp-accounting's conversion."""
    tiny = 1e-300
    epsilon = float(_renyi(charges, [order]).get_epsilon(tiny))
    return epsilon - math.log1p(-1 / order) + (math.log(tiny) + math.log(order)) / (order - 1)


def _check_delta(delta: float) -> None:
    if not 0 <= delta < 1:
        raise BudgetError(f"delta: got {delta!r}, allowed is 0 <= delta < 1. Give for example delta=1e-6.")


def _checked_epsilon(epsilon: float) -> float:
    if not epsilon >= 0:
        raise BudgetError(f"epsilon: got {epsilon!r}, allowed is 0 or above. Give for example epsilon=1.0.")
    return float(epsilon)
