"""A rule found on some runs tells others apart, and finds nothing where there is nothing."""

from __future__ import annotations

import numpy as np

from triplea.audit.rules import Runs, count_errors, find_rule


def runs(first: np.ndarray, second: np.ndarray) -> Runs:
    return Runs(names=tuple(f"s{i}" for i in range(first.shape[1])), first=first, second=second)


def bound(all_runs: Runs, risk: float = 0.05) -> float:
    rule = find_rule(all_runs.part(0.0, 0.5), delta=1e-5, risk=risk)
    counted = all_runs.part(0.5, 1.0)
    return rule.epsilon(rule.errors(counted), delta=1e-5, risk=risk)


def test_a_statistic_that_separates_is_found_among_many() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 200, 30))
    second[:, 17] += 8
    found = find_rule(runs(first, second), delta=1e-5, risk=0.05)
    assert found.name in ("s17", "linear discriminant of all features")
    assert bound(runs(first, second)) > 3


def test_lower_values_can_speak_for_the_second_table_too() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 200, 3))
    assert bound(runs(first, second - 8)) > 3


def test_weak_signals_in_many_statistics_are_added_up() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(size=(2, 800, 60))
    assert bound(runs(first, second + 0.4)) > 1.5


def test_without_a_difference_the_bound_is_above_zero_as_seldom_as_stated() -> None:
    rng = np.random.default_rng(3)
    found = [bound(runs(*rng.normal(size=(2, 80, 5)))) for _ in range(60)]
    assert np.mean(np.array(found) > 0) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 60)


def test_constant_statistics_are_no_trouble() -> None:
    same = np.ones((40, 4))
    assert bound(runs(same, same)) == 0.0


def test_errors_are_counted_above_the_threshold() -> None:
    found = count_errors(np.array([0.0, 2.0]), np.array([0.0, 2.0, 3.0]), 1.0)
    assert (found.alarms, found.calm, found.misses, found.caught) == (1, 1, 1, 2)
