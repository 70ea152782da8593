"""The roundest number in a stretch: most likely an atom's value, where only its stretch was counted."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal


def roundest(low: float | int, high: float | int) -> float | int:
    """The number with the fewest digits in [low, high); the smallest of several.

    Ends are read as they are written, so that 0.7 is seven tenths.

    >>> roundest(1.09952, 1.1008), roundest(0.7, 0.70001), roundest(999424, 1000448)
    (1.1, 0.7, 1000000)
    """
    first, end = Decimal(repr(low)), Decimal(repr(high))
    whole = isinstance(low, int)
    exponent = max(first.adjusted(), end.adjusted()) + 1
    least = 0 if whole else min(int(first.as_tuple().exponent), exponent)
    while exponent > least:
        found = (first.scaleb(-exponent)).to_integral_value(ROUND_CEILING).scaleb(exponent)
        if found < end:
            return int(found) if whole else float(found)
        exponent -= 1
    return low
