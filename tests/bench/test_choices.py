"""What a grid may say, and what is said when it says something else."""

from __future__ import annotations

import math

import pytest

from triplea.bench import choices
from triplea.bench.evaluators import EVALUATORS
from triplea.errors import UserError


def test_the_names_of_the_evaluators_are_those_that_exist() -> None:
    assert set(choices.EVALUATOR_NAMES) == set(EVALUATORS)


def test_a_near_miss_is_hinted_at() -> None:
    with pytest.raises(UserError, match="g, block 1: there is no data set 'adlut'. Did you mean 'adult'"):
        choices.check_dataset("adlut", "g, block 1")


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, True, "one", None])
def test_an_epsilon_is_a_positive_finite_number(value: object) -> None:
    with pytest.raises(UserError, match="epsilons must be positive finite numbers"):
        choices.check_epsilon(value, "g")


@pytest.mark.parametrize("value", [-1, 1.5, True, "0"])
def test_a_seed_is_a_whole_number(value: object) -> None:
    with pytest.raises(UserError, match="seeds must be whole numbers"):
        choices.check_seed(value, "g")


@pytest.mark.parametrize("value", [1, -0.1, "1/m", True, None])
def test_a_delta_is_below_one_or_one_over_n(value: object) -> None:
    with pytest.raises(UserError, match="delta must be a number in"):
        choices.check_delta(value, "g")


def test_good_values_pass() -> None:
    assert choices.check_delta("1/n", "g") == "1/n"
    assert choices.check_delta(0, "g") == 0.0
    assert choices.check_delta("1e-5", "g") == 1e-5  # YAML takes it for a text
    assert choices.check_epsilon(3, "g") == 3.0
    assert choices.check_neighbours("replace-one", "g") == "replace-one"
