"""Charges: what a question costs, as a value that can be stored and priced again without the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import dp_accounting

from triplea.anonymize.budget import is_count, is_real_number
from triplea.anonymize.plan import Mechanism
from triplea.errors import BudgetError

_NEEDS = {
    Mechanism.GAUSSIAN: ("noise_multiplier",),
    Mechanism.THRESHOLD: ("noise_multiplier", "slack_delta"),
    Mechanism.SAMPLED_GAUSSIAN: ("noise_multiplier", "sampling_rate", "steps"),
    Mechanism.LAPLACE: ("epsilon",),
    Mechanism.EXPONENTIAL: ("epsilon",),
    Mechanism.CLAIMED: (),
    Mechanism.CLEAR: (),
}


@dataclass(frozen=True, kw_only=True)
class Charge:
    """The price of `times` uses of one mechanism. All noise is relative to the sensitivity.

    - GAUSSIAN, THRESHOLD: `noise_multiplier` = stddev / (L2 sensitivity under the ledger's relation).
    - SAMPLED_GAUSSIAN: the same for each of `steps` steps on Poisson batches; under replace-one the
      sensitivity is twice the norm that a row is clipped to.
    - LAPLACE: `epsilon` per use; the noise scale is (L1 sensitivity) / epsilon.
    - EXPONENTIAL: `epsilon` per use; weights are exp(epsilon * score / (2 * sensitivity)).
    - THRESHOLD also has `slack_delta` per use: the chance that a key held by one unit alone shows.
    - CLAIMED, CLEAR: proved epsilon is infinite. `epsilon` may hold what a paper claims; it is not priced.
    """

    label: str
    mechanism: Mechanism
    noise_multiplier: float | None = None
    epsilon: float | None = None
    slack_delta: float = 0.0
    times: int = 1
    sampling_rate: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        """Refuse charges that cannot be priced."""
        object.__setattr__(self, "mechanism", Mechanism(self.mechanism))
        for name in _NEEDS[self.mechanism]:
            value = getattr(self, name)
            if not is_real_number(value) or not (0 < value < math.inf):
                raise self._error(name, value, "a finite number above 0")
        if self.sampling_rate is not None and self.sampling_rate > 1:
            raise self._error("sampling_rate", self.sampling_rate, "0 < sampling_rate <= 1")
        if not is_real_number(self.slack_delta) or not (0 <= self.slack_delta < 1):
            raise self._error("slack_delta", self.slack_delta, "0 <= slack_delta < 1")
        for name, count in (("times", self.times), ("steps", self.steps)):
            if count is not None and not is_count(count):
                raise self._error(name, count, "a whole number of at least 1")

    def _error(self, option: str, got: object, allowed: str) -> BudgetError:
        return BudgetError(
            f"charge {self.label!r} ({self.mechanism.value}): {option} is {got!r}, allowed is {allowed}. "
            "Take charges from `calibrate`, or correct the stored record."
        )

    @property
    def uses(self) -> int:
        """How many single mechanisms this charge composes."""
        return self.times * (self.steps or 1)

    @property
    def total_slack(self) -> float:
        """The part of delta that all uses take before epsilon is computed."""
        return self.times * self.slack_delta

    @property
    def mu(self) -> float:
        """Roughly the cost on the scale of Gaussian differential privacy (exact for plain Gaussians).

        A scale for sharing budgets and choosing grids; no guarantee is ever computed from it.
        """
        if self.mechanism in (Mechanism.GAUSSIAN, Mechanism.THRESHOLD):
            return math.sqrt(self.times) / _given(self.noise_multiplier)
        if self.mechanism is Mechanism.SAMPLED_GAUSSIAN:
            # Central limit of Poisson-subsampled Gaussians (Bu, Dong, Long, Su 2020). Below noise 0.1 the
            # exponential would overflow, and the size no longer matters.
            gain = math.sqrt(math.expm1(max(_given(self.noise_multiplier), 0.1) ** -2))
            return _given(self.sampling_rate) * gain * math.sqrt(self.uses)
        if self.mechanism is Mechanism.LAPLACE:
            return math.sqrt(self.times) * _given(self.epsilon)
        if self.mechanism is Mechanism.EXPONENTIAL:
            return math.sqrt(self.times) * _given(self.epsilon) / 2
        return math.inf

    def event(self) -> dp_accounting.DpEvent:
        """The charge as an event of dp-accounting, relative to the ledger's relation.

        EXPONENTIAL is stated as zero-concentrated privacy with rho = epsilon^2 / 8 (bounded range; Cesar
        and Rogers 2021), a valid upper bound; the accountant's own price is tighter.
        """
        single: dp_accounting.DpEvent
        if self.mechanism in (Mechanism.GAUSSIAN, Mechanism.THRESHOLD):
            single = dp_accounting.GaussianDpEvent(_given(self.noise_multiplier))
        elif self.mechanism is Mechanism.SAMPLED_GAUSSIAN:
            gaussian = dp_accounting.GaussianDpEvent(_given(self.noise_multiplier))
            single = dp_accounting.PoissonSampledDpEvent(_given(self.sampling_rate), gaussian)
        elif self.mechanism is Mechanism.LAPLACE and _given(self.epsilon) > 1e-6:
            single = dp_accounting.LaplaceDpEvent(1 / _given(self.epsilon))
        elif self.mechanism is Mechanism.LAPLACE:
            # The library's Renyi divergence cancels to nothing here; rho = epsilon^2 / 2 bounds it.
            single = dp_accounting.ZCDpEvent(_given(self.epsilon) ** 2 / 2)
        elif self.mechanism is Mechanism.EXPONENTIAL:
            single = dp_accounting.ZCDpEvent(_given(self.epsilon) ** 2 / 8)
        else:
            single = dp_accounting.NonPrivateDpEvent()
        return single if self.uses == 1 else dp_accounting.SelfComposedDpEvent(single, self.uses)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; fields that say nothing are left out."""
        defaults = {field.name: field.default for field in fields(self)}
        record = {name: value for name, value in asdict(self).items() if value != defaults[name]}
        return record | {"mechanism": self.mechanism.value}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Charge:
        """Read what `to_json` wrote; validates again and refuses unknown fields."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(record) - known)
        if unknown:
            raise BudgetError(
                f"charge: unknown field {unknown[0]!r}, allowed are {', '.join(sorted(known))}. "
                "The record may come from a newer version: update triplea."
            )
        try:
            return cls(**record)
        except (TypeError, ValueError) as error:
            raise BudgetError(f"charge: cannot read the record ({error}). Restore it from a copy.") from error


def _given(value: float | None) -> float:
    if value is None:  # __post_init__ has refused this already
        raise AssertionError("a charge without its price")
    return value
