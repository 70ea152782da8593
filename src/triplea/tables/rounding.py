"""Bounds rounded outward to numbers a person would write, so that a draft does not show the extremes."""

from __future__ import annotations

import math
from decimal import Decimal

_LEADING = (1, 2, 5, 10)
_STEPS_ACROSS = 20
_LARGEST_INTEGER = 2**63 - 1


def round_outward(low: float, high: float) -> tuple[float, float]:
    """Return multiples of a step of 1, 2 or 5 times a power of ten that enclose [low, high].

    The step is at least a twentieth of the range; equal ends are moved apart.

    >>> round_outward(17, 90)
    (15.0, 90.0)
    >>> round_outward(12285, 1490400)
    (0.0, 1500000.0)
    """
    spread = high - low
    if not math.isfinite(spread):
        return low, high
    step = _step(spread if spread > 0 else max(abs(high), 1.0))
    below, above = math.floor(Decimal(low) / step) * step, math.ceil(Decimal(high) / step) * step
    return float(below), float(above if above > below else above + step)


def round_outward_whole(low: int, high: int) -> tuple[int, int]:
    """Return whole numbers that enclose [low, high], inside the 64-bit range.

    >>> round_outward_whole(3, 3)
    (3, 4)
    """
    step = max(1, int(_step(max(high - low, 1))))
    below, above = low // step * step, -(-high // step) * step
    above = above if above > below else above + step
    return max(below, -_LARGEST_INTEGER), min(above, _LARGEST_INTEGER)


def round_up(count: int) -> int:
    """Return the next of 1, 2, 5, 10, 20, 50, ...

    >>> [round_up(count) for count in (1, 3, 7, 11, 120)]
    [1, 5, 10, 20, 200]
    """
    power = int("1" + "0" * (len(str(count)) - 1))
    return next(lead * power for lead in _LEADING if lead * power >= count)


def _step(spread: float) -> Decimal:
    least = Decimal(spread) / _STEPS_ACROSS
    power = Decimal(10) ** least.adjusted()
    return next(lead * power for lead in _LEADING if lead * power >= least)
