"""Numbers for people: short, aligned in thought, and never with false precision."""

from __future__ import annotations

import math

from triplea.results import Score

NOTHING, MINUS = "\u2013", "\u2212"
_RAISED = str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")


def short(value: float | None) -> str:
    r"""Write a number with at most four significant digits.

    >>> short(0.123456), short(1234567), short(0.00001), short(None), short(2.0)
    ('0.1235', '1.235M', '10\u207b\u2075', '\u2013', '2')
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "infinite" if value > 0 else MINUS + "infinite"
    size = abs(value)
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if 1e13 > size >= limit:
            return f"{value / (1e3 if letter == 'k' else limit):.4g}{letter}".replace("-", MINUS)
    text = f"{value:.4g}"
    if "e" in text:
        digits, power = text.split("e")
        raised = "10" + str(int(power)).translate(_RAISED)
        return raised if digits == "1" else f"{digits.replace('-', MINUS)}\u00b7{raised}"
    return text.replace("-", MINUS)


def fixed(value: float | None, digits: int = 3) -> str:
    r"""Write a score with a fixed number of decimals.

    >>> fixed(0.98765), fixed(-0.5, 1), fixed(-0.001, 2)
    ('0.988', '\u22120.5', '0.00')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", MINUS)


def share(value: float | None) -> str:
    r"""Write a share as a percentage.

    >>> share(0.5), share(0.00012), share(0.0), share(1.0)
    ('50\xa0%', '0.012\xa0%', '0\xa0%', '100\xa0%')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    percent = 100 * value
    if percent == 0 or abs(percent) >= 99.95:
        return f"{percent:.0f}\u00a0%"
    return (f"{percent:.1f}".removesuffix(".0") if abs(percent) >= 1 else f"{percent:.2g}") + "\u00a0%"


def count(value: int) -> str:
    """Write a whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def times(factor: float) -> str:
    r"""Write "at most so many times": never rounded down.

    >>> times(2.71828), times(22026.5)
    ('2.719', '22\u202f100')
    """
    digits = 4 if factor < 100 else 3
    step = 10.0 ** (math.floor(math.log10(factor)) + 1 - digits)
    above = math.ceil(factor / step * (1 - 1e-12)) * step
    return count(round(above)) if 100 <= factor < 1e12 else short(float(f"{above:.{digits}g}"))


def interval(score: Score | None, digits: int = 3) -> str:
    """Write the 95 % interval of a score, or nothing."""
    if score is None or score.low is None or score.high is None:
        return ""
    return f"{fixed(score.low, digits)} to {fixed(score.high, digits)}"


def nice_ticks(low: float, high: float, wanted: int = 4) -> tuple[float, ...]:
    """Return round numbers between two bounds.

    >>> nice_ticks(0, 1), nice_ticks(17, 90)
    ((0.0, 0.25, 0.5, 0.75, 1.0), (20.0, 40.0, 60.0, 80.0))
    """
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return (low,)
    raw = (high - low) / wanted
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(round(place * step, 12) for place in range(first, last + 1))
