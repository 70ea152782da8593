from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from triplea.evaluate.proportions import attack_result, residual_risk, wilson
from triplea.results import Score


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(counts: tuple[int, int]) -> None:
    found = wilson(*counts)
    expected = binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_nothing_tried_says_nothing() -> None:
    found = wilson(0, 0)
    assert (found.low, found.high, found.note) == (0.0, 1.0, "nothing to try")


def test_risk_is_what_goes_beyond_the_control() -> None:
    assert residual_risk(wilson(60, 100), wilson(20, 100)).value == pytest.approx(0.5)
    assert residual_risk(wilson(10, 100), wilson(20, 100)).value == 0
    assert residual_risk(wilson(10, 100), Score(value=1.0, low=1.0, high=1.0)).note is not None


def test_an_attack_no_better_than_guessing_says_so() -> None:
    found = attack_result("a", "A", hits=5, tries=100, baseline=(10, 100), control=(5, 100))
    assert found.note is not None
    assert attack_result("a", "A", hits=50, tries=100, baseline=(10, 100), control=(5, 100)).note is None
