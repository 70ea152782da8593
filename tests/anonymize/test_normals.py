"""Normal numbers of compiled training: the formula digit by digit, then their law, with its tail."""

import jax
import numpy as np
import pytest
from scipy import stats

from triplea.anonymize.normals import normals, random_words

FALSE_ALARM = 1e-6  # of each test of a law, over the choice of seeds
compiled = jax.jit(normals)


def drawn(*, rows=64, numbers=20_000, seed=1):
    words = random_words(np.random.Generator(np.random.Philox(seed)), rows=rows, used=rows, numbers=numbers)
    return words, np.stack([np.asarray(half, np.float64) for half in compiled(*words)])


def exact(first, second):
    """Box and Muller in double precision, from the same digits."""
    low, angle = (second & 0xFF).astype(np.float64), ((second >> 8) & (2**22 - 1)).astype(np.float64)
    radius = np.sqrt(-2.0 * np.log((first * 256.0 + low + 0.5) * 2.0**-40))
    turn = np.pi / 2 * (angle + 0.5) * 2.0**-22
    signs = 1.0 - 2.0 * (second >> 31), 1.0 - 2.0 * ((second >> 30) & 1)
    return np.stack([radius * np.cos(turn) * signs[0], radius * np.sin(turn) * signs[1]])


def test_every_number_is_the_exact_one_rounded_to_single_precision():
    (first, second), found = drawn()
    wanted = exact(first, second)
    usual = np.hypot(*wanted) > 0.05  # below, the uniform is within 2^-10 of 1 and its logarithm coarse
    assert np.abs(found / wanted - 1.0)[:, usual].max() < 2.0**-13
    assert np.abs(found - wanted).max() < 5e-4
    far = np.hypot(*wanted) > 1.0
    assert np.abs(found / wanted - 1.0)[:, far].max() < 2.0**-20


def test_the_tail_is_as_fine_as_the_rest():
    """Words that begin with 24 zeros, one pair in sixteen million, still give 2^16 radii, as fine as any."""
    rng = np.random.default_rng(3)
    first = rng.integers(0, 256, 4096).astype(np.uint32)
    second = rng.integers(0, 2**32, 4096, dtype=np.uint64).astype(np.uint32)
    found = np.stack([np.asarray(half, np.float64) for half in compiled(first, second)])
    assert np.abs(found / exact(first, second) - 1.0).max() < 2.0**-20
    # Given such words, u / 2^-24 is uniform: the radius behind it follows.
    uniform = np.exp(-0.5 * np.sum(found**2, axis=0)) * 2.0**24
    assert stats.kstest(uniform, "uniform").pvalue > FALSE_ALARM
    assert len(np.unique(np.hypot(*found).astype(np.float32))) > 3000


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (2**32 - 1, 2**32 - 1), (0, 2**32 - 1), (2**32 - 1, 0)]
)
def test_no_words_give_zero_or_infinity(first, second):
    pair = compiled(np.full(16, first, np.uint32), np.full(16, second, np.uint32))
    sizes = np.hypot(*(np.asarray(half, np.float64) for half in pair))
    assert np.all(sizes > 3e-4) and np.all(sizes < 7.55)


def test_the_longest_radius_is_that_of_the_smallest_uniform():
    pair = compiled(np.zeros(16, np.uint32), np.zeros(16, np.uint32))
    sizes = np.hypot(*(np.asarray(half, np.float64) for half in pair))
    assert sizes == pytest.approx(np.sqrt(82 * np.log(2.0)), rel=1e-6)


def test_the_law_is_standard_normal_and_a_scale_one_percent_off_is_rejected():
    _, found = drawn()
    numbers = found.ravel()
    assert stats.kstest(numbers, "norm").pvalue > FALSE_ALARM
    assert stats.kstest(1.01 * numbers, "norm").pvalue < FALSE_ALARM
    edge = stats.norm.isf(FALSE_ALARM / 2)
    for power, variance in ((1, 1.0), (2, 2.0), (3, 15.0), (4, 96.0)):
        wanted = (0.0, 1.0, 0.0, 3.0)[power - 1]
        assert abs(np.mean(numbers**power) - wanted) < edge * np.sqrt(variance / numbers.size)


@pytest.mark.parametrize("sigmas", [3.0, 4.0, 4.5])
def test_tails_hold_as_many_numbers_as_they_should(sigmas):
    _, found = drawn(rows=256)
    for tail in (found > sigmas, found < -sigmas):
        expected = found.size * stats.norm.sf(sigmas)
        assert stats.poisson.cdf(tail.sum(), expected) > FALSE_ALARM / 2
        assert stats.poisson.sf(tail.sum() - 1, expected) > FALSE_ALARM / 2


def test_numbers_of_a_pair_and_of_neighbouring_rows_are_independent():
    _, found = drawn()
    across, up = found
    edge = stats.norm.isf(FALSE_ALARM / 2) / np.sqrt(across.size)
    assert abs(np.mean(across * up)) < edge
    assert abs(np.mean((across**2 - 1) * (up**2 - 1)) / 2) < edge
    assert abs(np.mean(across[1:] * across[:-1])) < edge * 1.02
    assert abs(np.mean(across[:, 1:] * across[:, :-1])) < edge * 1.02


def test_words_are_fresh_in_every_row_and_enough():
    generator = np.random.default_rng(0)
    words = random_words(generator, rows=5, used=3, numbers=301)
    assert all(half.shape == (5, 256) and half.dtype == np.uint32 for half in words)
    assert 2 * words[0].shape[1] >= 301
    assert not any(half[3:].any() for half in words)
    used = np.concatenate([half[:3].ravel() for half in words])
    again = random_words(generator, rows=5, used=3, numbers=301)
    assert len(np.unique(used)) > 0.999 * used.size
    assert not np.intersect1d(used, again[0][:3]).size > 1
