import dataclasses
import math

import pytest

from triplea.anonymize.budget import Budget
from triplea.anonymize.neighbours import Neighbours
from triplea.errors import BudgetError


@pytest.mark.parametrize("epsilon", [0, -1.0, math.inf, math.nan, "1", None, True])
def test_an_epsilon_that_promises_nothing_is_refused_with_the_cure(epsilon: object) -> None:
    with pytest.raises(BudgetError, match=r"epsilon: got .* allowed is a number from 1e-06 to 500\. Choose"):
        Budget(epsilon=epsilon, delta=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize("delta", [-1e-9, 1, 1.5, math.nan, "0", None])
def test_a_delta_outside_its_range_is_refused_with_the_cure(delta: object) -> None:
    with pytest.raises(BudgetError, match=r"delta: got .* allowed is 0 <= delta < 1\. Choose"):
        Budget(epsilon=1.0, delta=delta)  # type: ignore[arg-type]


def test_an_unknown_relation_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(BudgetError, match="'add-or-remove-one', 'replace-one'"):
        Budget(epsilon=1.0, delta=0.0, neighbours="swap")  # type: ignore[arg-type]


def test_delta_zero_and_large_deltas_below_one_are_allowed() -> None:
    assert Budget(epsilon=1, delta=0).delta == 0.0
    assert Budget(epsilon=1, delta=0.5).epsilon == 1.0


def test_a_budget_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Budget(epsilon=1.0, delta=0.0).epsilon = 2.0  # type: ignore[misc]


def test_a_budget_survives_json() -> None:
    budget = Budget(epsilon=0.7, delta=1e-6, neighbours=Neighbours.REPLACE_ONE)
    assert Budget.from_json(budget.to_json()) == budget
