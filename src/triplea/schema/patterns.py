"""Date patterns such as `%d/%m/%Y`, for tables whose dates are not ISO text.

Only %Y (or %y), %m, %d, %H, %M, %S and literal text are allowed. A pattern is turned into a regular
expression and its matches into ISO text: no C library parses a private cell, and no locale matters.
"""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

_DATE, _CLOCK = ("Y", "m", "d"), ("H", "M", "S")
_TOKEN = re.compile(r"%(.?)|([^%]+)", re.DOTALL)
_CENTURY_TURN = "69"  # 69..99 are 1969..1999 and 00..68 are 2000..2068, as in C and Python


def _tokens(pattern: str) -> list[tuple[str, str]]:
    return [(found[1], found[2]) for found in _TOKEN.finditer(pattern)]


def is_pattern(pattern: str) -> bool:
    """Whether a pattern names year, month and day once, the clock from the hour down, and nothing else."""
    names = [name or "%" for name, text in _tokens(pattern) if not text]
    normal = ["Y" if name == "y" else name for name in names]
    clock = [name for name in _CLOCK if name in normal]
    return sorted(normal) == sorted((*_DATE, *clock)) and clock == list(_CLOCK[: len(clock)])


def width_in_digits(pattern: str) -> int | None:
    """The number of digits a pattern writes; None when it writes anything else."""
    if any(text for _, text in _tokens(pattern)):
        return None
    return sum(4 if name == "Y" else 2 for name, _ in _tokens(pattern))


def _expression(pattern: str) -> str:
    fixed = width_in_digits(pattern) is not None or re.search(r"%.%", pattern) is not None
    parts = []
    for name, text in _tokens(pattern):
        digits = "{4}" if name == "Y" else "{2}" if fixed or name == "y" else "{1,2}"
        parts.append(re.sub(r"(\W)", r"\\\1", text) if text else f"(?P<{name}>[0-9]{digits})")
    return f"^{''.join(parts)}$"


def iso_from_pattern(text: pa.Array, pattern: str) -> pa.Array:
    """ISO 8601 text of the cells that match; null for the others. The calendar is checked later."""
    match = pc.extract_regex(text, _expression(pattern))
    zero = pa.scalar("00", text.type)

    def field(name: str) -> pa.Array:
        if name not in [part.name for part in match.type]:
            return zero
        digits = pc.struct_field(match, name)
        return pc.utf8_lpad(digits, width=2, padding="0")

    year = field("Y")
    if "%y" in pattern:
        short = field("y")
        old, new = pa.scalar("19", text.type), pa.scalar("20", text.type)
        century = pc.if_else(pc.greater_equal(short, pa.scalar(_CENTURY_TURN, text.type)), old, new)
        year = pc.binary_join_element_wise(century, short, pa.scalar("", text.type))
    day = pc.binary_join_element_wise(year, field("m"), field("d"), pa.scalar("-", text.type))
    clock = pc.binary_join_element_wise(*(field(name) for name in _CLOCK), pa.scalar(":", text.type))
    return pc.binary_join_element_wise(day, clock, pa.scalar("T", text.type))
