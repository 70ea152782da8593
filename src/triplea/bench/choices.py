"""Checks of what a grid may say. Each error names the value, where it stands, and what is allowed."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from typing import Any

from triplea.bench.cells import ONE_OVER_ROWS
from triplea.bench.recipes import RECIPES
from triplea.errors import UserError

# Their functions are in evaluators.py, which is slow to import; a test keeps the two lists equal.
EVALUATOR_NAMES = (
    "lightgbm", "lightgbm-10k", "twelve", "random-forest", "mc-gen-1", "mc-gen-2", "fidelity", "diversity",
    "dimension-wise",
    "quick",
)  # fmt: skip
NEIGHBOURS = ("add-or-remove-one", "replace-one")


def known(value: Any, allowed: Iterable[str], *, kind: str, where: str) -> str:
    """Return a name that is allowed, or raise with the nearest one and the whole list."""
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    close = difflib.get_close_matches(str(value), names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise UserError(f"{where}: there is no {kind} {value!r}.{hint} Known: {', '.join(names)}.")


def check_dataset(value: Any, where: str) -> str:
    """Return the name of a data set."""
    return known(value, RECIPES, kind="data set", where=where)


def check_evaluator(value: Any, where: str) -> str:
    """Return the name of an evaluator."""
    return known(value, EVALUATOR_NAMES, kind="evaluator", where=where)


def check_neighbours(value: Any, where: str) -> str:
    """Return a neighbouring relation."""
    return known(value, NEIGHBOURS, kind="neighbouring relation", where=where)


def check_epsilon(value: Any, where: str) -> float:
    """Return a positive number."""
    number = _number(value)
    if number is None or not 0 < number < math.inf:
        raise UserError(f"{where}: epsilons must be positive finite numbers, got {value!r}.")
    return number


def check_seed(value: Any, where: str) -> int:
    """Return a whole number from 0 on."""
    if type(value) is not int or value < 0:
        raise UserError(f"{where}: seeds must be whole numbers from 0 on, got {value!r}.")
    return value


def check_delta(value: Any, where: str) -> float | str:
    """Return a delta in [0, 1), or "1/n"."""
    if value == ONE_OVER_ROWS:
        return ONE_OVER_ROWS
    number = _number(value)
    if number is None or not 0 <= number < 1:
        raise UserError(f"{where}: delta must be a number in [0, 1) or '1/n', got {value!r}.")
    return number


def _number(value: Any) -> float | None:
    """Read a number. YAML takes 1e-5, without a dot, for a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
