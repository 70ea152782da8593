import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from tests.report.records import claimed, guarantee
from triplea.report import guarantee as promise


@given(st.floats(0.01, 20), st.floats(0, 0.01))
def test_the_best_guess_is_the_bound_of_epsilon_and_delta(epsilon, delta):
    made = guarantee(epsilon_proved=epsilon, delta=delta, curve=())
    expected = (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))
    assert promise.best_guess(made) == pytest.approx(min(1.0, expected))


def test_the_best_guess_never_undercuts_the_exact_one_of_gaussian_noise():
    """For mu-Gaussian privacy the best guess is Phi(mu / 2); every point of its curve must bound it."""
    mu = 0.7
    curve = tuple(
        (e, norm.cdf(mu / 2 - e / mu) - math.exp(e) * norm.cdf(-mu / 2 - e / mu))
        for e in (0.05, 0.1, 0.5, 1, 3)
    )
    made = guarantee(epsilon_proved=3.0, delta=curve[-1][1], curve=curve)
    exact = norm.cdf(mu / 2)
    assert exact <= promise.best_guess(made) <= exact + 0.03


def test_a_proved_guarantee_is_read_in_plain_words():
    words = " ".join(promise.reading(guarantee()))
    assert "at most 2.719 times as likely as it would be if one row had not been in the real table" in words
    assert "right at most 55.7 times in 100" in words
    assert "strong" in words


def test_the_bound_is_rounded_up():
    made = guarantee(epsilon_proved=0.0001, delta=0.0, curve=())
    assert "at most 50.1 times in 100" in " ".join(promise.reading(made))


def test_another_unit_and_relation_are_named():
    made = guarantee(
        unit="all rows of one 'patient' (at most 3 are used)", neighbours="replace-one", delta=0.0
    )
    words = " ".join(promise.reading(made))
    assert "all rows of one 'patient'" in words
    assert "exchanged for another" in words
    assert "slack" not in words
    assert "several rows" not in words


def test_a_claim_is_not_called_proved():
    written = promise.panel(claimed())
    assert "✗ Claimed, not proved" in written
    assert "✓" not in written
    assert "The sensitivity is wrong." in written
    assert "at most 100 of 100" in written


def test_rows_in_the_clear_and_tables_without_a_certificate_promise_nothing():
    clear = guarantee(status="none", epsilon_proved=None, sentence="NON-PRIVATE")
    assert "There is no guarantee of any kind" in promise.panel(clear)
    assert "came without a certificate" in promise.panel(None)
    assert promise.best_guess(clear) == 1.0


@pytest.mark.parametrize(
    ("epsilon", "word"), [(0.5, "strong"), (3, "moderate"), (8, "weak"), (800.0, "promises little")]
)
def test_epsilon_gets_the_common_word(epsilon, word):
    assert word in " ".join(promise.reading(guarantee(epsilon_proved=epsilon, curve=())))
