"""Noise: exactly rounded Gaussian and Laplace noise on the integers, at array speed, and an exact selector.

The true answer is an integer in units of the query's grid, so adding round(N) to it is the same as rounding
(answer + N): post-processing of the continuous mechanism. Its guarantee holds with no approximation, and the
set of possible outputs does not depend on the data.

The draws are exact by lazy precision. A random word fixes the first 63 binary digits of a uniform number; its
quantile is computed in floating point with an error bound. Where the bound leaves no doubt about the
rounding, the draw is done. In the rare other cases more random digits and arbitrary-precision arithmetic
decide, so floating point never has the last word. Proof: docs/proofs/noise.md.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from triplea.anonymize.selection import choose_exactly

Size = int | tuple[int, ...]
Words = Callable[[int], NDArray[np.uint64]]

MAX_SCALE = float(2**40)
CHUNK = 1 << 15  # draws at a time: small enough for the processor's cache
WORD_BITS = 64

# Bound on the error of the fast quantile q, as a multiple of (1 + |q|): ndtri and log are good to about 1e-15
# and the conversion of the word to floating point adds 2e-16. Checked against mpmath in the tests.
FAST_ERROR = 8e-15

# Words with fewer leading digits than this (one in 2^31) are too coarse for the bound above.
FAR_TAIL = 2**32

_LOW_63_BITS = np.uint64(2**63 - 1)


class Noise:
    """The source of all randomness that protects rows: the operating system's entropy, unless seeded.

    A seed is for tests: it makes the noise repeatable and sets `seeded`, which marks a certificate as not
    for release.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seeded = seed is not None
        self._words: Words = _system_words if seed is None else _seeded_words(seed)

    def gaussian(self, stddev_units: ArrayLike, size: Size) -> NDArray[np.int64]:
        """Draw round(N(0, stddev_units^2)) exactly; `stddev_units` is one number or broadcasts to `size`."""
        return self._draw(_GAUSSIAN, stddev_units, size)

    def laplace(self, scale_units: ArrayLike, size: Size) -> NDArray[np.int64]:
        """Draw round(Laplace(scale_units)) exactly; `scale_units` is one number or broadcasts to `size`."""
        return self._draw(_LAPLACE, scale_units, size)

    def exponential_choice(self, scores: NDArray[np.float64], epsilon: float, sensitivity: float) -> int:
        """Pick i with probability exactly proportional to exp(epsilon * scores[i] / (2 * sensitivity))."""
        return choose_exactly(scores, epsilon=epsilon, sensitivity=sensitivity, words=self._words)

    def key(self) -> int:
        """A fresh 128-bit key, for a counter-based generator inside compiled code."""
        high, low = self._words(2)
        return int(high) << WORD_BITS | int(low)

    def generator(self) -> np.random.Generator:
        """A counter-based generator with a fresh key, for batches and for algorithms run as claimed."""
        return np.random.Generator(np.random.Philox(key=self.key()))

    def _draw(self, law: _Law, scale: ArrayLike, size: Size) -> NDArray[np.int64]:
        scales = np.asarray(scale, dtype=np.float64)
        _check_scales(scales, law)
        draws = np.empty(size, dtype=np.int64)
        flat = draws.reshape(-1)
        each = None if scales.ndim == 0 else np.broadcast_to(scales, draws.shape).reshape(-1)
        for start in range(0, flat.size, CHUNK):
            stop = min(start + CHUNK, flat.size)
            chunk_scale = scales if each is None else each[start:stop]
            flat[start:stop] = _draw_chunk(law, chunk_scale, stop - start, self._words)
        return draws


@dataclass(frozen=True, kw_only=True)
class _Law:
    """A symmetric law by its magnitude: |draw| > scale * q exactly when the uniform u is below `tail(q)`."""

    name: str
    uniform_bits: int  # u is the low 63 bits of a word times 2^-uniform_bits
    fast_quantile: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    tail: Callable[[mpmath.mpf], mpmath.mpf]


_GAUSSIAN = _Law(
    name="stddev_units",
    uniform_bits=64,  # u in (0, 1/2): the lower half of the Gaussian
    fast_quantile=lambda u: -ndtri(u),
    tail=lambda q: mpmath.erfc(q / mpmath.sqrt(2)) / 2,
)
_LAPLACE = _Law(
    name="scale_units",
    uniform_bits=63,  # u in (0, 1)
    fast_quantile=lambda u: -np.log(u),
    tail=lambda q: mpmath.exp(-q),
)


def _draw_chunk(law: _Law, scale: NDArray[np.float64], count: int, words: Words) -> NDArray[np.int64]:
    drawn = words(count)
    digits = drawn & _LOW_63_BITS
    # The middle of the interval that the digits leave open, [digits, digits + 1) * 2^-uniform_bits.
    middle = digits.astype(np.float64)
    middle += 0.5
    quantile = law.fast_quantile(middle * 2.0**-law.uniform_bits)
    magnitude = scale * quantile
    rounded = np.rint(magnitude)
    # The open interval moves the quantile by at most (1/2) / digits * max(u / density) <= 0.63 / digits.
    error = scale * (FAST_ERROR * (1 + quantile) + 1.3 / middle)
    doubtful = np.flatnonzero((0.5 - np.abs(magnitude - rounded) <= error) | (digits < FAR_TAIL))
    draws = rounded.astype(np.int64)
    for index in doubtful:
        uniform = _LazyUniform(digits=int(digits[index]), bits=law.uniform_bits, words=words)
        one_scale = float(scale if scale.ndim == 0 else scale[index])
        draws[index] = _settle(law, one_scale, uniform, start=int(rounded[index]))
    return np.where(drawn > _LOW_63_BITS, -draws, draws)


@dataclass
class _LazyUniform:
    """A uniform number in [digits, digits + 1) * 2^-bits, of which more digits are drawn when needed."""

    digits: int
    bits: int
    words: Words = field(repr=False)

    def extend(self) -> None:
        self.digits = self.digits << WORD_BITS | int(self.words(1)[0])
        self.bits += WORD_BITS

    def is_below(self, probability: Callable[[], mpmath.mpf]) -> bool:
        """Whether the number is below `probability()`, which is evaluated at rising precision."""
        while True:
            with mpmath.workprec(self.bits + 64):
                boundary = mpmath.ldexp(probability(), self.bits)
                doubt = mpmath.mpf(2) ** -32  # 64 guard digits leave an error of about 2^-52
                if self.digits + 1 <= boundary - doubt:
                    return True
                if self.digits >= boundary + doubt:
                    return False
            self.extend()


def _settle(law: _Law, scale: float, uniform: _LazyUniform, start: int) -> int:
    """The exact rounded magnitude: the k with tail((k + 1/2) / scale) <= u < tail((k - 1/2) / scale)."""
    if uniform.digits < FAR_TAIL:  # far in the tail: first find out where, or the search would be long
        while uniform.digits < FAR_TAIL:
            uniform.extend()
        near = np.array([math.ldexp(uniform.digits + 0.5, -uniform.bits)])
        start = int(scale * law.fast_quantile(near)[0])

    def at_least(magnitude: int) -> bool:
        def tail_at_lower_edge() -> mpmath.mpf:
            return law.tail((mpmath.mpf(magnitude) - mpmath.mpf(1) / 2) / mpmath.mpf(scale))

        return magnitude <= 0 or uniform.is_below(tail_at_lower_edge)

    settled = max(start, 0)
    while not at_least(settled):
        settled -= 1
    while at_least(settled + 1):
        settled += 1
    return settled


def _system_words(count: int) -> NDArray[np.uint64]:
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


def _seeded_words(seed: int) -> Words:
    generator = np.random.Philox(seed)
    return lambda count: np.asarray(generator.random_raw(count), dtype=np.uint64)


def _check_scales(scales: NDArray[np.float64], law: _Law) -> None:
    if not np.all((scales > 0) & (scales <= MAX_SCALE)):
        raise ValueError(
            f"{law.name}: got {scales.min()} to {scales.max()}, allowed is above 0 and at most 2^40 "
            "grid units. Choose a coarser grid for the query."
        )
