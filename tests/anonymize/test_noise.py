from collections.abc import Iterator

import mpmath
import numpy as np
import pytest

from triplea.anonymize import noise as module
from triplea.anonymize.noise import Noise

LAWS = {"gaussian": module._GAUSSIAN, "laplace": module._LAPLACE}
SCALES = [0.01, 0.3, 1.0, 7.7, 1e4, 1e9]


def draw(name: str, noise: Noise, scale: float, size: int) -> np.ndarray:
    return noise.gaussian(scale, size) if name == "gaussian" else noise.laplace(scale, size)


def words_from(*numbers: int) -> module.Words:
    queue: Iterator[int] = iter(numbers)
    return lambda count: np.array([next(queue) for _ in range(count)], dtype=np.uint64)


@pytest.mark.parametrize("name", LAWS)
def test_the_fast_quantile_is_within_a_quarter_of_its_stated_error(name: str) -> None:
    """The whole interval that 63 digits leave open must lie within the bound, from the tail to the middle."""
    law, rng = LAWS[name], np.random.default_rng(1)
    spread = 2.0 ** rng.uniform(32, 63, 1500)
    edges = [2**32, 2**32 + 1, 2**53 - 1, 2**53 + 1, 2**62, 2**63 - 2**10, 2**63 - 2, 2**63 - 1]
    near_one = 2**63 - 1 - (2.0 ** rng.uniform(0, 62, 500)).astype(np.int64)
    # ndtri changes its formula at exp(-2) and exp(-32).
    seams = [
        int(seam * 2.0**law.uniform_bits) + step for seam in (np.exp(-2), np.exp(-32)) for step in (-999, 999)
    ]
    for digits in [*(int(d) for d in spread), *edges, *(int(d) for d in near_one), *seams]:
        if not 2**32 <= digits < 2**63:
            continue
        middle = np.array([float(digits)]) + 0.5
        quantile = float(law.fast_quantile(middle * 2.0**-law.uniform_bits)[0])
        error = module.FAST_ERROR / 4 * (1 + quantile) + 1.3 / middle[0]
        with mpmath.workprec(160):
            highest = law.tail(mpmath.mpf(quantile) - error)
            lowest = law.tail(mpmath.mpf(quantile) + error)
            assert mpmath.ldexp(digits + 1, -law.uniform_bits) <= highest
            assert lowest <= mpmath.ldexp(digits, -law.uniform_bits)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("scale", SCALES)
def test_exact_arithmetic_confirms_every_draw(
    name: str, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a useless error bound all draws take the slow path; the same words must give the same draws."""
    fast = draw(name, Noise(7), scale, 1000)
    monkeypatch.setattr(module, "FAST_ERROR", 1e6)
    np.testing.assert_array_equal(draw(name, Noise(7), scale, 1000), fast)


@pytest.mark.parametrize("name", LAWS)
def test_a_draw_on_the_edge_is_decided_by_further_digits(name: str) -> None:
    law, scale, magnitude = LAWS[name], 5.0, 3
    with mpmath.workprec(200):
        edge = int(
            mpmath.floor(mpmath.ldexp(law.tail(mpmath.mpf(magnitude + 0.5) / scale), law.uniform_bits))
        )
    one = np.asarray(scale)
    for sign, sign_bit in ((1, 0), (-1, 2**63)):
        further_out = module._draw_chunk(law, one, 1, words_from(edge + sign_bit, 0))
        further_in = module._draw_chunk(law, one, 1, words_from(edge + sign_bit, 2**64 - 1))
        assert (further_out[0], further_in[0]) == (sign * (magnitude + 1), sign * magnitude)


@pytest.mark.parametrize("name", LAWS)
def test_digits_far_in_the_tail_are_extended(name: str) -> None:
    law = LAWS[name]
    drawn = module._draw_chunk(law, np.asarray(1000.0), 1, words_from(0, 2**63))[0]
    with mpmath.workprec(200):
        uniform = mpmath.ldexp(2**63 + mpmath.mpf(1) / 2, -law.uniform_bits - 64)
        assert (
            law.tail((mpmath.mpf(int(drawn)) + 0.5) / 1000)
            <= uniform
            <= law.tail((mpmath.mpf(int(drawn)) - 0.5) / 1000)
        )


@pytest.mark.parametrize("name", LAWS)
def test_largest_scale_stays_far_from_the_end_of_64_bits(name: str) -> None:
    draws = draw(name, Noise(3), module.MAX_SCALE, 200)
    assert draws.dtype == np.int64
    assert np.abs(draws).max() < 2**47
    extreme = module._draw_chunk(LAWS[name], np.asarray(module.MAX_SCALE), 1, words_from(0, 0, 0, 0, 0, 1, 0))
    assert 0 < extreme[0] < 2**52


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf, 2.0**41])
def test_a_scale_outside_the_range_is_refused_with_the_cure(scale: float) -> None:
    with pytest.raises(
        ValueError, match=r"stddev_units: got .* allowed is above 0 and at most 2\^40 .* coarser grid"
    ):
        Noise(0).gaussian(scale, 3)


@pytest.mark.parametrize("name", LAWS)
def test_a_seed_repeats_the_noise_and_is_visible(name: str) -> None:
    first, second = Noise(5), Noise(5)
    np.testing.assert_array_equal(draw(name, first, 10.0, 100), draw(name, second, 10.0, 100))
    assert first.seeded
    assert np.any(draw(name, Noise(6), 10.0, 100) != draw(name, Noise(5), 10.0, 100))


@pytest.mark.parametrize("name", LAWS)
def test_without_a_seed_no_two_draws_are_alike(name: str) -> None:
    first, second = Noise(), Noise()
    assert not first.seeded
    assert np.any(draw(name, first, 1e6, 100) != draw(name, second, 1e6, 100))
    assert first.key() != second.key()
    assert first.generator().integers(2**62) != second.generator().integers(2**62)


def test_sizes_may_be_shapes_and_empty_and_larger_than_a_chunk() -> None:
    noise = Noise(1)
    assert noise.gaussian(2.0, (3, 4)).shape == (3, 4)
    assert noise.laplace(2.0, 0).shape == (0,)
    assert np.unique(noise.gaussian(1e9, module.CHUNK + 5)).size == module.CHUNK + 5


def test_each_entry_may_have_its_own_scale() -> None:
    scales = np.array([[0.001], [1.0], [1e6]])
    draws = Noise(1).gaussian(scales, (3, 20_000))
    np.testing.assert_allclose(draws[1:].std(axis=1), [np.sqrt(1 + 1 / 12), 1e6], rtol=0.02)
    assert not draws[0].any()


def test_one_scale_and_equal_scales_draw_the_same() -> None:
    np.testing.assert_array_equal(Noise(1).laplace(3.5, 50), Noise(1).laplace(np.full(50, 3.5), 50))
