"""Every method spends what its certificate says: no more than the budget, within half a percent of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import dp_accounting
import pytest
from dp_accounting.pld import common, privacy_loss_distribution
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import triplea
from tests.contracts.support import (
    QUICK,
    TAKES_ALL,
    chosen,
    methods_and_cases,
    provable_methods,
    released,
    skip_if_refused,
)
from tests.support.cases import CASES
from triplea.anonymize.charges import Charge
from triplea.errors import UserError
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table

METHODS = provable_methods()
ADD_OR_REMOVE_ONE = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE_ONE = dp_accounting.NeighboringRelation.REPLACE_ONE
SPENDING = [
    "all kinds", "no target", "replace one", "pure epsilon", "tiny epsilon", "large epsilon",
    "a unit of two rows", "found under the budget", "only a target", "empty table",
]  # fmt: skip

SPENDERS = [(method, case) for method, case in methods_and_cases() if case in SPENDING]


def price_by_itself(
    charges: Sequence[Charge], *, delta: float, target: float, neighbours: str = "add-or-remove-one"
) -> float:
    """The total epsilon by dp-accounting's privacy-loss distributions, written apart from our accountant.

    An exponential mechanism is taken as any pure mechanism of its epsilon, which is an upper bound.
    """
    step = 2e-4 * min(1.0, target)
    remaining = delta - sum(charge.slack_delta * charge.times for charge in charges)
    total = privacy_loss_distribution.identity(value_discretization_interval=step)
    for charge in charges:
        kind = charge.mechanism.value
        if kind in ("gaussian", "threshold"):
            one = privacy_loss_distribution.from_gaussian_mechanism(
                charge.noise_multiplier, value_discretization_interval=step
            )
        elif kind == "sampled-gaussian":
            # Sampling depends on the relation. The library counts noise in norms, we in sensitivities.
            swap = neighbours == "replace-one"
            one = privacy_loss_distribution.from_gaussian_mechanism(
                charge.noise_multiplier * (2 if swap else 1),
                value_discretization_interval=step,
                sampling_prob=charge.sampling_rate,
                neighboring_relation=REPLACE_ONE if swap else ADD_OR_REMOVE_ONE,
            ).self_compose(charge.steps)
        elif kind == "laplace":
            one = privacy_loss_distribution.from_laplace_mechanism(
                1 / charge.epsilon, value_discretization_interval=step
            )
        else:
            pure = common.DifferentialPrivacyParameters(charge.epsilon, 0.0)
            one = privacy_loss_distribution.from_privacy_parameters(pure, value_discretization_interval=step)
        total = total.compose(one.self_compose(charge.times) if charge.times > 1 else one)
    return float(total.get_epsilon_for_delta(remaining))


@pytest.mark.parametrize(("method", "case"), SPENDERS)
def test_every_method_spends_what_its_certificate_says(method: str, case: str) -> None:
    asked = CASES[case]
    skip_if_refused(method, asked)
    certificate = released(method, case).certificate
    charges = [entry.charge for entry in certificate.entries]
    planned = triplea.plan(**asked.options, **chosen(method)).ledger
    uses = {entry["label"]: entry.get("times", 1) for entry in planned}
    assert Counter(charge.label for charge in charges) == uses, "what was planned is what was asked"
    assert 0.995 * asked.epsilon <= certificate.epsilon_proved <= asked.epsilon
    if asked.delta == 0.0:
        alone = math.fsum(charge.epsilon * charge.times for charge in charges)
    else:
        alone = price_by_itself(charges, delta=asked.delta, target=asked.epsilon, neighbours=asked.neighbours)
    assert certificate.epsilon_proved <= alone * 1.005
    if all(charge.mechanism.value != "exponential" for charge in charges):
        assert certificate.epsilon_proved == pytest.approx(alone, rel=5e-3)


@pytest.mark.parametrize("method", [method for method in METHODS if method not in QUICK])
@settings(max_examples=25)
@given(
    epsilon=st.floats(-3, 2).map(lambda power: 10.0**power),
    delta=st.just(0.0) | st.floats(-12, -1.5).map(lambda power: 10.0**power),
    neighbours=st.sampled_from(["add-or-remove-one", "replace-one"]),
    case=st.sampled_from(["all kinds", "no target", "only a target", "a unit of two rows"]),
)
def test_no_budget_is_ever_overspent(
    method: str, epsilon: float, delta: float, neighbours: str, case: str
) -> None:
    asked = CASES[case]
    options = {"schema": asked.schema, "epsilon": epsilon, "delta": delta, "neighbours": neighbours}
    try:
        request = prepare(**options, **chosen(method), rows=1)
    except UserError:
        assert method not in TAKES_ALL, "only a method beyond the floor may refuse"
        reject()
    made = run(request, open_table(asked.table(), schema=request.schema), seed=1)
    assert 0.995 * epsilon <= made.certificate.epsilon_proved <= epsilon


def test_the_separate_price_agrees_with_a_textbook_value() -> None:
    """One Gaussian with noise multiplier 1: epsilon = 4.3774 at delta = 1e-5 (exact trade-off curve)."""
    charge = Charge(label="q", mechanism="gaussian", noise_multiplier=1.0)  # type: ignore[arg-type]
    exact = dp_accounting.get_epsilon_gaussian(1.0, 1e-5)
    assert price_by_itself([charge], delta=1e-5, target=1.0) == pytest.approx(exact, rel=1e-3)
