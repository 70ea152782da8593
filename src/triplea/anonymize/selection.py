"""Exact selection: the exponential mechanism with no rounding in its law."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate

import mpmath
import numpy as np
from numpy.typing import NDArray

WORD_BITS = 64


def choose_exactly(
    scores: NDArray[np.float64],
    *,
    epsilon: float,
    sensitivity: float,
    words: Callable[[int], NDArray[np.uint64]],
    start_bits: int = 192,
    fast: bool = True,
) -> int:
    """Draw i with P(i) proportional to exp(epsilon * scores[i] / (2 * sensitivity)).

    The law is exact for the real numbers that the floats stand for: a uniform number U is compared with the
    cumulative weights under error bounds, first in floating point, then with ever more digits of both, until
    one candidate is left. `scores` must be finite; keeping them so is the duty of the query.
    """
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    if scores.ndim != 1 or scores.size == 0 or not np.all(np.isfinite(scores)):
        raise ValueError("scores: allowed is a list of finite numbers with at least one entry.")
    if not (0 < epsilon < math.inf and 0 < sensitivity < math.inf):
        raise ValueError(f"{epsilon=}, {sensitivity=}: allowed are finite numbers above 0.")
    digits, bits = int(words(1)[0]), WORD_BITS
    if fast:
        picked = _pick_in_floating_point(scores, epsilon / 2 / sensitivity, digits)
        if picked is not None:
            return picked
    precision = start_bits
    while True:
        while bits < precision:
            digits, bits = digits << WORD_BITS | int(words(1)[0]), bits + WORD_BITS
        picked = _pick_with_digits(scores, epsilon, sensitivity, precision, digits >> (bits - precision))
        if picked is not None:
            return picked
        precision *= 2


def _pick_in_floating_point(scores: NDArray[np.float64], slope: float, digits: int) -> int | None:
    """The chosen index if double precision is certain of it, else None."""
    best = scores.max()
    with np.errstate(under="ignore", over="ignore"):
        exponents = np.maximum(slope * (scores - best), -1000.0)
        cumulative = np.cumsum(np.exp(exponents))
    total = cumulative[-1]
    if not np.isfinite(total):
        return None
    # Exponents are at most 1000 in size and off by three roundings; exp by a few more; a running sum of k
    # terms by k roundings. Cutting exponents at -1000 changes nothing that doubles can see.
    error = total * (1e-12 + 3e-16 * scores.size)
    target = (digits + 0.5) * 2.0**-WORD_BITS * total
    lowest, highest = np.searchsorted(cumulative, [target - error, target + error], side="right")
    return int(lowest) if lowest == highest and highest < scores.size else None


def _pick_with_digits(
    scores: NDArray[np.float64], epsilon: float, sensitivity: float, precision: int, digits: int
) -> int | None:
    """The same with `precision` binary digits: weights are known to two units, U to one."""
    weights = _integer_weights(scores, epsilon, sensitivity, precision)
    lower = list(accumulate(weights))
    total, count = lower[-1], len(lower)
    # True cumulative weight i is in [lower[i], lower[i] + 2 (i + 1)]; the target U * total in [least, most].
    least = digits * total >> precision
    most = ((digits + 1) * (total + 2 * count) >> precision) + 1
    picked = next((i for i, sum_so_far in enumerate(lower) if most <= sum_so_far), None)
    if picked is None or (picked > 0 and lower[picked - 1] + 2 * picked > least):
        return None
    return picked


def _integer_weights(
    scores: NDArray[np.float64], epsilon: float, sensitivity: float, precision: int
) -> list[int]:
    """2^precision * exp(slope * (score - best)) as integers, short by at most two units."""
    best = scores.max()
    distinct, places = np.unique(scores, return_inverse=True)
    known = []
    with mpmath.workprec(precision + 64):
        slope = mpmath.mpf(epsilon) / 2 / mpmath.mpf(sensitivity)
        for score in distinct:
            exponent = slope * (mpmath.mpf(float(score)) - mpmath.mpf(float(best)))
            weight = mpmath.ldexp(mpmath.exp(exponent), precision)
            known.append(max(0, int(mpmath.floor(weight - mpmath.mpf(2) ** -32))))
    return [known[place] for place in places]
