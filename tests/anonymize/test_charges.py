import json
import math
from typing import Any

import dp_accounting
import pytest

from tests.anonymize.charge_examples import CLEAR, EVERY_KIND, gaussian, laplace, sampled, threshold
from triplea.anonymize.charges import Charge
from triplea.anonymize.plan import Mechanism
from triplea.errors import BudgetError


@pytest.mark.parametrize("charge", EVERY_KIND, ids=lambda charge: charge.label)
def test_every_kind_of_charge_survives_json(charge: Charge) -> None:
    assert Charge.from_json(json.loads(json.dumps(charge.to_json()))) == charge


def test_a_stored_charge_says_only_what_it_needs() -> None:
    assert laplace(0.5).to_json() == {"label": "laplace", "mechanism": "laplace", "epsilon": 0.5}


def test_a_stored_charge_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(BudgetError, match=r"unknown field 'discount'.* update triplea"):
        Charge.from_json(laplace(0.5).to_json() | {"discount": 0.5})


@pytest.mark.parametrize(
    "options",
    [
        {"mechanism": Mechanism.GAUSSIAN},
        {"mechanism": Mechanism.GAUSSIAN, "noise_multiplier": 0.0},
        {"mechanism": Mechanism.GAUSSIAN, "noise_multiplier": math.nan},
        {"mechanism": Mechanism.GAUSSIAN, "noise_multiplier": 1.0, "times": 0},
        {"mechanism": Mechanism.LAPLACE, "epsilon": -1.0},
        {"mechanism": Mechanism.LAPLACE, "noise_multiplier": 1.0},
        {"mechanism": Mechanism.THRESHOLD, "noise_multiplier": 1.0},
        {"mechanism": Mechanism.THRESHOLD, "noise_multiplier": 1.0, "slack_delta": 1.0},
        {"mechanism": Mechanism.SAMPLED_GAUSSIAN, "noise_multiplier": 1.0, "sampling_rate": 0.1},
        {"mechanism": Mechanism.SAMPLED_GAUSSIAN, "noise_multiplier": 1.0, "sampling_rate": 1.1, "steps": 5},
        {
            "mechanism": Mechanism.SAMPLED_GAUSSIAN,
            "noise_multiplier": 1.0,
            "sampling_rate": 0.1,
            "steps": 0.5,
        },
    ],
)
def test_a_charge_that_cannot_be_priced_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BudgetError, match=r"charge 'x' \(.*\): \w+ is .*, allowed is"):
        Charge(label="x", **options)


def test_events_are_those_of_dp_accounting() -> None:
    assert gaussian(2.0).event() == dp_accounting.GaussianDpEvent(2.0)
    assert laplace(0.5, times=4).event() == dp_accounting.SelfComposedDpEvent(
        dp_accounting.LaplaceDpEvent(2.0), 4
    )
    assert CLEAR.event() == dp_accounting.NonPrivateDpEvent()
    step = dp_accounting.PoissonSampledDpEvent(0.1, dp_accounting.GaussianDpEvent(2.0))
    assert sampled(2.0, 0.1, 30).event() == dp_accounting.SelfComposedDpEvent(step, 30)


def test_slack_adds_up_over_uses() -> None:
    assert threshold(1.0, 1e-7, times=3).total_slack == pytest.approx(3e-7)


def test_mu_is_exact_for_gaussians_and_infinite_for_the_unproved() -> None:
    assert gaussian(2.0, times=4).mu == 1.0
    assert CLEAR.mu == math.inf
    assert sampled(1e-3, 0.1, 30).mu < math.inf
