"""Normal numbers of compiled training: the formula digit by digit, then their law, with its tail."""

import jax
import numpy as np
import pytest
from scipy import stats

from triplea.anonymize.normals import FAR, MOST_FAR, far_numbers, normals, random_words, row_of

FALSE_ALARM = 1e-6  # of each test of a law, over the choice of seeds
compiled = jax.jit(normals)


def drawn(*, rows=64, numbers=20_000, seed=1):
    words = random_words(np.random.Generator(np.random.Philox(seed)), rows=rows, used=rows, numbers=numbers)
    return words, np.stack([np.asarray(half, np.float64) for half in compiled(*words)])


def exact(first, second):
    """Box and Muller in double precision, from the same digits."""
    low, angle = (second & 0xFF).astype(np.float64), ((second >> 8) & (2**22 - 1)).astype(np.float64)
    rest = ((2.0**32 - 1 - first) * 256.0 + 255.5 - low) * 2.0**-40
    radius = np.sqrt(-2.0 * np.log1p(-rest))
    turn = np.pi / 2 * (angle + 0.5) * 2.0**-22
    signs = 1.0 - 2.0 * (second >> 31), 1.0 - 2.0 * ((second >> 30) & 1)
    return np.stack([radius * np.cos(turn) * signs[0], radius * np.sin(turn) * signs[1]])


def test_every_number_is_the_exact_one_rounded_to_single_precision():
    (first, second), found = drawn()
    assert np.abs(found / exact(first, second) - 1.0).max() < 2.0**-20


def test_numbers_near_zero_are_as_fine_as_the_rest():
    """The smallest radii: a hole around zero would show which of two neighbours an answer cannot be from."""
    rng = np.random.default_rng(4)
    first = (2**32 - 1 - rng.integers(0, 2**12, 4096)).astype(np.uint32)
    second = rng.integers(0, 2**32, 4096, dtype=np.uint64).astype(np.uint32)
    found = np.stack([np.asarray(half, np.float64) for half in compiled(first, second)])
    assert np.abs(found / exact(first, second) - 1.0).max() < 2.0**-20
    # Given such words, half the squared radius, which is nearly 1 - u, is uniform below 2^-20.
    rest = 0.5 * np.sum(found**2, axis=0) * 2.0**20
    assert stats.kstest(rest, "uniform").pvalue > FALSE_ALARM
    assert np.hypot(*found).min() < 3e-5


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
    assert np.all(sizes > 9e-7) and np.all(sizes < 7.55)


def test_numbers_that_are_far_out_get_digits_of_their_own():
    """Given 24 zeros at its beginning, a uniform is 2^-24 times a fresh one, however small that is."""
    rng = np.random.Generator(np.random.Philox(5))
    sizes = []
    for _ in range(1500):
        words = np.full((2, 3, 128), 2**31, np.uint32)
        words[0, 1, :3] = rng.integers(0, FAR, 3)
        words[0, 2] = 0  # beyond the rows in use
        rows, places, pairs = far_numbers(rng, (words[0], words[1]), used=2)
        assert rows[:4].tolist() == [1, 1, 1, -1] and places[:3].tolist() == [0, 1, 2]
        sizes += np.hypot(*pairs[:, :3].astype(float)).tolist()
    uniform = np.exp(-0.5 * np.square(sizes)) * 2.0**24
    assert stats.kstest(uniform, "uniform").pvalue > FALSE_ALARM


def test_the_longest_radius_is_that_of_97_zeros():
    class Zeros:
        def integers(self, high, *, size, **options):
            return np.zeros(size, np.uint64)

    words = np.zeros((2, 1, 128), np.uint32)
    rows, _, pairs = far_numbers(Zeros(), (words[0], words[1]), used=1)
    assert (rows == 0).all() and len(rows) == MOST_FAR, "more than there is room for are left as they are"
    assert np.hypot(*pairs) == pytest.approx(np.sqrt(2 * 97 * np.log(2.0)), rel=1e-6)


def test_a_row_has_its_far_numbers_in_their_places_and_in_no_other_row():
    words, _ = drawn(rows=3, numbers=512)
    rows, places, pairs = far_numbers(np.random.default_rng(0), words, used=3)
    assert (rows == -1).all()
    rows[:2], places[:2], pairs[:, :2] = (1, 2), (7, 7), ((9.0, 10.0), (-9.0, -10.0))

    @jax.jit
    def whole(index):
        return row_of(normals(*words), (rows, places, pairs), index)

    plain = np.stack([np.concatenate([half[row] for half in compiled(*words)]) for row in range(3)])
    for row, value in ((0, None), (1, 9.0), (2, 10.0)):
        wanted = plain[row].copy()
        if value:
            wanted[7], wanted[256 + 7] = value, -value
        assert np.asarray(whole(row)) == pytest.approx(wanted, rel=1e-5)


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


@pytest.mark.parametrize("bits", [np.random.Philox, np.random.MT19937])
def test_words_are_fresh_in_every_row_and_enough(bits):
    generator = np.random.Generator(bits(0))
    words = random_words(generator, rows=5, used=3, numbers=301)
    assert all(half.shape == (5, 256) and half.dtype == np.uint32 for half in words)
    assert 2 * words[0].shape[1] >= 301
    assert not any(half[3:].any() for half in words)
    used = np.concatenate([half[:3].ravel() for half in words])
    again = random_words(generator, rows=5, used=3, numbers=301)
    assert len(np.unique(used)) > 0.999 * used.size
    assert not np.intersect1d(used, again[0][:3]).size > 1
