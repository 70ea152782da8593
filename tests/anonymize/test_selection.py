from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.anonymize.noise import Noise
from triplea.anonymize.selection import choose_exactly


def repeating(*numbers: int) -> Callable[[int], np.ndarray]:
    queue = list(numbers)
    return lambda count: np.array([queue.pop(0) for _ in range(count)], dtype=np.uint64)


def by_the_book(scores: list[float], epsilon: float, sensitivity: float, words: list[int]) -> int:
    """The candidate whose interval of cumulative weight holds the uniform number, at 600 binary digits."""
    with mpmath.workprec(600):
        weights = [
            mpmath.exp(mpmath.mpf(epsilon) * (mpmath.mpf(s) - max(scores)) / 2 / sensitivity) for s in scores
        ]
        digits = sum(word << 64 * (len(words) - 1 - i) for i, word in enumerate(words))
        target = mpmath.ldexp(digits + mpmath.mpf(1) / 2, -64 * len(words)) * mpmath.fsum(weights)
        for index in range(len(scores)):
            if target < mpmath.fsum(weights[: index + 1]):
                return index
    raise AssertionError("the uniform number is below one")


@given(
    scores=st.lists(st.floats(-50, 50), min_size=1, max_size=12),
    epsilon=st.floats(0.01, 20),
    words=st.lists(st.integers(0, 2**64 - 1), min_size=12, max_size=12),
)
def test_the_choice_is_the_exponential_mechanisms(
    scores: list[float], epsilon: float, words: list[int]
) -> None:
    expected = by_the_book(scores, epsilon, 2.0, words)
    for fast, start_bits in ((True, 192), (False, 192), (False, 8)):
        picked = choose_exactly(
            np.array(scores),
            epsilon=epsilon,
            sensitivity=2.0,
            words=repeating(*words),
            fast=fast,
            start_bits=start_bits,
        )
        assert picked == expected


def test_a_uniform_number_on_an_edge_is_decided_by_further_digits() -> None:
    """Two equal scores meet at one half: the first word says one half, the later ones say which side."""
    above = choose_exactly(
        np.zeros(2), epsilon=1.0, sensitivity=1.0, words=repeating(2**63, 0, 0, 2**63, *[0] * 8)
    )
    below = choose_exactly(
        np.zeros(2), epsilon=1.0, sensitivity=1.0, words=repeating(2**63 - 1, 2**64 - 1, 2**64 - 1, *[0] * 9)
    )
    assert (below, above) == (0, 1)


def test_hopeless_candidates_have_their_tiny_chance_and_not_zero() -> None:
    scores = np.array([-400.0, 0.0])  # the chance of the first is about exp(-400), near 2^-577
    words = repeating(*[0] * 20)
    assert choose_exactly(scores, epsilon=2.0, sensitivity=1.0, words=words) == 0


def test_frequencies_match_the_law() -> None:
    """Fixed seed; a right sampler fails with probability below 1e-6 over seeds (5 standard deviations)."""
    scores, noise, draws = np.array([0.0, 1.0, 3.0, 2.5]), Noise(11), 20_000
    counts = np.bincount([noise.exponential_choice(scores, 1.5, 1.0) for _ in range(draws)], minlength=4)
    chances = np.exp(1.5 * scores / 2)
    chances /= chances.sum()
    assert np.all(np.abs(counts - draws * chances) < 5 * np.sqrt(draws * chances))


def test_a_hundred_thousand_candidates_are_no_trouble() -> None:
    scores = np.random.default_rng(0).normal(size=100_000)
    assert 0 <= Noise().exponential_choice(scores, 1.0, 0.01) < 100_000


@pytest.mark.parametrize(
    "scores", [np.array([]), np.array([0.0, np.nan]), np.array([np.inf]), np.zeros((2, 2))]
)
def test_scores_that_are_not_finite_lists_are_refused(scores: np.ndarray) -> None:
    with pytest.raises(ValueError, match="allowed is a list of finite numbers"):
        Noise(0).exponential_choice(scores, 1.0, 1.0)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.0, 1.0), (1.0, 0.0), (np.inf, 1.0), (1.0, np.nan)])
def test_prices_that_are_not_positive_numbers_are_refused(epsilon: float, sensitivity: float) -> None:
    with pytest.raises(ValueError, match="allowed are finite numbers above 0"):
        Noise(0).exponential_choice(np.zeros(3), epsilon, sensitivity)
