"""Normal numbers for compiled training: words drawn outside, turned into pairs by Box and Muller inside.

A pair of 32-bit words gives 40 digits of a uniform u, two signs and 22 digits of an angle in a quadrant:
radius sqrt(-2 ln u) and two numbers on it. Single precision everywhere; no radius is zero, none above 7.54.
What that means for privacy: docs/proofs/descend.md.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

Array = Any
BLOCK = 128  # rows of words have a rounded length, so that vector instructions meet no odd ends
RADIUS_DIGITS, ANGLE_DIGITS, SPARE_DIGITS = 40, 22, 8
BELOW_ONE = 1.0 - 2.0**-24  # the largest float32 under 1: its radius is 3.5e-4
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
        half[:used] = generator.bit_generator.random_raw(used * width // 2).view(np.uint32).reshape(-1, width)
    return words[0], words[1]


def normals(first: Array, second: Array) -> tuple[Array, Array]:
    """Two independent standard normal numbers from each pair of words; deterministic."""
    spare = (second & 0xFF).astype(jnp.float32)
    uniform = first.astype(jnp.float32) * 2.0**-32 + (spare + 0.5) * 2.0**-RADIUS_DIGITS
    radius = jnp.sqrt(-2.0 * jnp.log(jnp.minimum(uniform, BELOW_ONE)))
    digits = ((second >> SPARE_DIGITS) & (2**ANGLE_DIGITS - 1)).astype(jnp.float32)
    angle = (digits + 0.5) * 2.0**-ANGLE_DIGITS  # in quadrants; exact, and so is its complement
    across, up = radius * _sine(1.0 - angle), radius * _sine(angle)
    return (
        jnp.where(second >> 31 == 0, across, -across),
        jnp.where((second >> 30) & 1 == 0, up, -up),
    )


def _sine(quadrants: Array) -> Array:
    """The sine of an angle between 0 and 1 quadrant."""
    square = quadrants * quadrants
    value = SINE[-1]
    for coefficient in SINE[-2::-1]:
        value = value * square + coefficient
    return quadrants * value
