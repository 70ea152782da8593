from typing import Any

import pytest

from triplea.anonymize.plan import DEFAULT_SLACK_DELTA_SHARE, Ask, Mechanism, Plan
from triplea.errors import BudgetError


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"share": 0.0}, "share"),
        ({"share": float("inf")}, "share"),
        ({"times": 0}, "times"),
        ({"times": 2.0}, "times"),
        ({"sampling_rate": 0.1}, "sampling_rate"),
        ({"slack_delta_share": 0.1}, "slack_delta_share"),
        ({"mechanism": Mechanism.SAMPLED_GAUSSIAN, "steps": 10}, "sampling_rate"),
        ({"mechanism": Mechanism.SAMPLED_GAUSSIAN, "sampling_rate": 1.5, "steps": 10}, "sampling_rate"),
        ({"mechanism": Mechanism.SAMPLED_GAUSSIAN, "sampling_rate": 0.5}, "steps"),
        ({"mechanism": Mechanism.THRESHOLD, "slack_delta_share": 1.0}, "slack_delta_share"),
    ],
)
def test_an_ask_that_cannot_be_priced_is_refused_by_name(options: dict[str, Any], named: str) -> None:
    with pytest.raises(BudgetError, match=rf"ask 'rows': {named}.* is .*, allowed is .*\. \w+"):
        Ask(**({"label": "rows", "mechanism": Mechanism.GAUSSIAN} | options))


def test_an_ask_needs_a_label() -> None:
    with pytest.raises(BudgetError, match="label"):
        Ask(label=" ", mechanism=Mechanism.GAUSSIAN)


def test_two_asks_cannot_share_a_label() -> None:
    ask = Ask(label="counts", mechanism=Mechanism.GAUSSIAN)
    with pytest.raises(BudgetError, match="'counts' is used by more than one ask"):
        Plan(asks=(ask, ask))


def test_a_threshold_ask_gets_a_tenth_of_delta_unless_told_otherwise() -> None:
    assert (
        Ask(label="keys", mechanism=Mechanism.THRESHOLD).slack_delta_share == DEFAULT_SLACK_DELTA_SHARE == 0.1
    )


def test_only_claimed_and_clear_are_unproved_and_only_two_mechanisms_are_pure() -> None:
    assert {m for m in Mechanism if not m.is_proved} == {Mechanism.CLAIMED, Mechanism.CLEAR}
    assert {m for m in Mechanism if m.is_pure} == {Mechanism.LAPLACE, Mechanism.EXPONENTIAL}
