"""Checks of method parameters: each message names the parameter, the value, the range and the cure."""

from __future__ import annotations

from triplea.errors import MethodError


def check_fraction(name: str, value: float) -> None:
    """Require 0 < value < 1."""
    if type(value) not in (int, float) or not 0.0 < value < 1.0:
        raise MethodError(
            f"parameter {name!r} must lie strictly between 0 and 1, got {value!r}. Choose e.g. 0.1."
        )


def check_positive(name: str, value: float) -> None:
    """Require a finite number above 0."""
    if type(value) not in (int, float) or not 0.0 < value < float("inf"):
        raise MethodError(f"parameter {name!r} must be a finite number above 0, got {value!r}.")


def check_whole(name: str, value: int, *, least: int, most: int) -> None:
    """Require a whole number between `least` and `most`."""
    if type(value) is not int or not least <= value <= most:
        raise MethodError(f"parameter {name!r} must be a whole number from {least} to {most}, got {value!r}.")


def check_cells(method: str, cells: int, *, most: int) -> None:
    """Refuse a plan whose tables would not fit, before anything is read."""
    check_whole("max_cells", most, least=1, most=2**40)
    if cells > most:
        raise MethodError(
            f"method {method!r} would release {cells:,} cells, more than max_cells={most:,}. "
            "Nothing was read. Merge categories in the schema, drop a column, choose fewer bins, "
            "or raise max_cells."
        )
