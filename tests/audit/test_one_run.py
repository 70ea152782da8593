"""One run with many canaries: the bound of the paper, its false alarms, and a run of a real method."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.audit.one_run import audit_one_run, canary_table, count_guesses, epsilon_bound, p_value
from triplea.registry import create_method


def test_all_right_guesses_give_the_bound_of_an_exact_binomial() -> None:
    """With delta = 0, r right guesses of r rule out every epsilon with rate^r below the risk."""
    bound = epsilon_bound(canaries=100, guesses=100, correct=100, delta=0.0, risk=0.05)
    rate = 0.05 ** (1 / 100)
    assert bound == pytest.approx(np.log(rate / (1 - rate)), abs=1e-6)


def test_the_p_value_rises_with_epsilon_and_with_delta() -> None:
    state = {"canaries": 500, "guesses": 100, "correct": 80}
    values = [p_value(**state, epsilon=e, delta=0.0) for e in (0.0, 0.5, 1.0, 2.0)]
    assert values == sorted(values)
    assert p_value(**state, epsilon=0.5, delta=1e-3) > values[1]
    assert p_value(canaries=5, guesses=5, correct=0, epsilon=0.0, delta=0.0) == 1.0


def test_randomised_response_is_overestimated_as_seldom_as_stated() -> None:
    """Independent canaries, each released by randomised response, make the theorem an equality."""
    rng, epsilon, repeats = np.random.default_rng(0), 1.0, 400
    rate = 1 / (1 + np.exp(-epsilon))
    right = rng.binomial(200, rate, repeats)
    bounds = {
        int(v): epsilon_bound(canaries=200, guesses=200, correct=int(v), delta=0.0, risk=0.05)
        for v in np.unique(right)
    }
    found = [bounds[int(v)] for v in right]
    assert np.mean(np.array(found) > epsilon) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / repeats)
    assert np.median(found) > 0.6


def test_guesses_take_both_ends_of_the_scores() -> None:
    included = np.array([True] * 5 + [False] * 5)
    scores = np.arange(10, 0, -1).astype(float)
    assert count_guesses(scores, included, share=0.4) == (4, 4)
    assert count_guesses(-scores, included, share=0.4) == (4, 0)


def test_only_included_canaries_have_rows() -> None:
    table = canary_table(np.array([True, False, True]))
    assert set(table["who"].to_pylist()) == {"others", "c0", "c2"}


def test_an_honest_method_stays_below_its_claim_and_a_loud_one_shows() -> None:
    options = {"delta": 1e-5, "risk": 0.05, "rng": np.random.default_rng(5), "canaries": 300}
    honest = audit_one_run(create_method("independent"), epsilon=1.0, **options)
    assert honest.epsilon < 1.0
    loud = audit_one_run(create_method("independent"), epsilon=40.0, **options)
    assert loud.correct == loud.guesses and loud.epsilon > 2.0
