"""Normal numbers for compiled training: words drawn outside, turned into pairs by Box and Muller inside.

A pair of 32-bit words gives 40 digits of a uniform u, two signs and 22 digits of an angle in a quadrant:
radius sqrt(-2 ln u) and two numbers on it. Single precision everywhere: for small u and, by a series, for u
near 1. Where u begins with 24 zeros it gets 64 digits more, outside: the tail ends at 11.6 and not at 7.5.
What that means for privacy: docs/proofs/descend.md.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

Array = Any
BLOCK = 128  # rows of words have a rounded length, so that vector instructions meet no odd ends
RADIUS_DIGITS, ANGLE_DIGITS, SPARE_DIGITS = 40, 22, 8
NEAR_ONE = 2.0**-5  # where 1 - u is smaller, -ln u is a short series in it
FAR = 1 << 8  # first words below this one, one in 2^24, are far out
MOST_FAR = 8  # in a chunk: more of them, one chunk in 10^15, keep the digits that they have
# sin(pi x / 2) / x in powers of x^2 on [0, 1], to a relative error of 6e-9.
SINE = (1.570796318, -0.6459637106, 0.07968967895, -0.004673766609, 0.000151485129)


def random_words(
    generator: np.random.Generator, *, rows: int, used: int, numbers: int
) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of fresh 32-bit words, enough for `numbers` normal numbers in each of the first `used` rows.

    Two arrays and not one: the compiler makes vector code of two that lie apart.
    """
    width = -(-numbers // (2 * BLOCK)) * BLOCK
    words = np.zeros((2, rows, width), np.uint32)
    for half in words:
        half[:used] = _whole_words(generator, used * width // 2).view(np.uint32).reshape(-1, width)
    return words[0], words[1]


def _whole_words(generator: np.random.Generator, count: int) -> np.ndarray:
    """Words of 64 bits from any generator: the raw ones of some have 32 bits and zeros."""
    return generator.integers(2**64 - 1, size=count, dtype=np.uint64, endpoint=True)


def normals(first: Array, second: Array) -> tuple[Array, Array]:
    """Two independent standard normal numbers from each pair of words; deterministic."""
    radius = jnp.sqrt(2.0 * _minus_log(first, second & 0xFF))
    digits = ((second >> SPARE_DIGITS) & (2**ANGLE_DIGITS - 1)).astype(jnp.float32)
    angle = (digits + 0.5) * 2.0**-ANGLE_DIGITS  # in quadrants; exact, and so is its complement
    across, up = radius * _sine(1.0 - angle), radius * _sine(angle)
    return (
        jnp.where(second >> 31 == 0, across, -across),
        jnp.where((second >> 30) & 1 == 0, up, -up),
    )


def far_numbers(
    generator: np.random.Generator, words: tuple[np.ndarray, np.ndarray], *, used: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, places and pairs of the numbers that are far out, with 64 digits more than their words have.

    There is room for MOST_FAR of them; unused rows are -1. Without this the noise would end at 7.5 standard
    deviations, and what lies beyond would be possible for one of two neighbours only.
    """
    rows, places = (found[:MOST_FAR] for found in np.nonzero(words[0][:used] < FAR))
    first, second = (half[rows, places] for half in words)
    digits = (_whole_words(generator, len(rows)) + 0.5) * 2.0**-64
    radius = np.sqrt(-2.0 * np.log((first + digits) * 2.0**-32))
    turn = np.pi / 2.0 * (((second >> SPARE_DIGITS) & (2**ANGLE_DIGITS - 1)) + 0.5) * 2.0**-ANGLE_DIGITS
    signs = 1.0 - 2.0 * (second >> 31), 1.0 - 2.0 * ((second >> 30) & 1)
    pairs = np.zeros((2, MOST_FAR), np.float32)
    pairs[:, : len(rows)] = radius * np.cos(turn) * signs[0], radius * np.sin(turn) * signs[1]
    where = np.full((2, MOST_FAR), -1, np.int32)
    where[:, : len(rows)] = rows, places
    return where[0], where[1], pairs


def row_of(noise: tuple[Array, Array], far: tuple[Array, Array, Array], index: Array) -> Array:
    """The normal numbers of one row, with those that are far out in their places."""
    rows, places, pairs = far
    here = jnp.where(rows == index, places, noise[0].shape[1])  # beyond the end: dropped
    halves = [half[index].at[here].set(pair, mode="drop") for half, pair in zip(noise, pairs, strict=True)]
    return jnp.concatenate(halves)


def _minus_log(first: Array, spare: Array) -> Array:
    """-ln u to single precision, for the 40 digits of u: 32 in `first`, 8 in `spare`."""
    small = first.astype(jnp.float32) * 2.0**-32 + (spare.astype(jnp.float32) + 0.5) * 2.0**-RADIUS_DIGITS
    rest = (~first).astype(jnp.float32) * 2.0**-32
    rest = rest + (255.5 - spare.astype(jnp.float32)) * 2.0**-RADIUS_DIGITS  # 1 - u
    series = rest * (1.0 + rest * (1 / 2 + rest * (1 / 3 + rest * (1 / 4 + rest * (1 / 5)))))
    return jnp.where(rest < NEAR_ONE, series, -jnp.log(small))


def _sine(quadrants: Array) -> Array:
    """The sine of an angle between 0 and 1 quadrant."""
    square = quadrants * quadrants
    value = SINE[-1]
    for coefficient in SINE[-2::-1]:
        value = value * square + coefficient
    return quadrants * value
