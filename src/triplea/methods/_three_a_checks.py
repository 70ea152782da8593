"""Checks of the parameters of 3A's combinations: messages name the parameter, the value and the range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triplea.approximate.codes.unit_code import CODES, SCALINGS
from triplea.errors import MethodError
from triplea.methods._checks import check_positive, check_whole

Sigma = float | Sequence[float] | None


def alphas(value: Any) -> tuple[float, ...]:
    """One value or several, each from 0 to 1, as a tuple."""
    found = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not found or not all(type(one) in (int, float) and 0.0 <= one <= 1.0 for one in found):
        raise MethodError(
            "parameter 'alpha' must lie between 0 (adapt) and 1 (stay at the centres), or be a list of such "
            f"numbers, got {value!r}."
        )
    return tuple(float(one) for one in found)


def one_alpha(found: tuple[float, ...]) -> float:
    """The single value where there is no choice that a plan could pay for."""
    if len(found) > 1:
        raise MethodError(
            f"parameter 'alpha' must be one number here, got {found!r}. The provable variant chooses of a "
            "list with learn_from='cells'; the published one seeks alpha with 'trials'."
        )
    return found[0]


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Require one of some words."""
    if value not in allowed:
        raise MethodError(f"parameter {name!r} must be one of {', '.join(allowed)}, got {value!r}.")


def check_share(name: str, value: Any) -> None:
    """Require a number from 0 to 1."""
    if not (type(value) in (int, float) and 0.0 <= value <= 1.0):
        raise MethodError(f"parameter {name!r} must lie between 0 and 1, got {value!r}.")


def check_kernel(*, ridge: Any, depth: Any, steps: Any) -> None:
    """Require what the kernel regression can work with."""
    check_positive("ridge", ridge)
    if ridge < 1e-8:
        raise MethodError(f"parameter 'ridge' must be at least 1e-8, got {ridge!r}.")
    check_whole("depth", depth, least=0, most=32)
    check_whole("steps", steps, least=0, most=1_000_000)


def check_cells_of_classes(*, clusters: Any, rounds: Any) -> None:
    """Require what cells of the provable variant can have."""
    check_whole("clusters", clusters, least=1, most=1000)
    check_whole("rounds", rounds, least=1, most=50)


def check_reading(*, slices: Any, codes: Any, scaling: Any, tail: Any, spread: Any, trials: Any) -> None:
    """Require what the published algorithm can be run with."""
    check_whole("slices", slices, least=0, most=100_000)
    check_choice("codes", codes, CODES)
    check_choice("scaling", scaling, SCALINGS)
    check_positive("tail", tail)
    check_share("spread", spread)
    check_whole("trials", trials, least=0, most=10_000)


def sigmas(value: Any) -> tuple[float, ...]:
    """One value or several, all finite and above 0, as a tuple."""
    several = isinstance(value, list | tuple)
    if several and not value:
        raise MethodError(f"parameter 'sigma_max' must be a number or a list of numbers, got {value!r}.")
    found = tuple(value) if several else (value,)
    for one in found:
        check_positive("sigma_max", one)
    return tuple(float(one) for one in found)


def one_sigma(value: Any) -> float:
    """The single value that a provable variant takes: choosing between several would have to be paid for."""
    found = sigmas(value)
    if len(found) > 1:
        raise MethodError(
            f"parameter 'sigma_max' must be one number in the provable variant, got {value!r}. "
            "Give one, or choose variant 'published'."
        )
    return found[0]
