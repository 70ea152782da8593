"""What the contracts of methods share."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import triplea
from tests.support.cases import CASES, Case
from triplea.errors import MethodError
from triplea.registry import create_method, find_method, method_names
from triplea.releases.request import prepare

# The honest floor: these must take every case. Any other method may refuse one, before it reads.
TAKES_ALL = ("independent", "naive-bayes")


# Settings that make a slow method quick in the contracts, which are about what it asks and not how well it
# learns: few steps, small networks. The path through the door must stay the same.
QUICK: dict[str, dict[str, Any]] = {
    "clustmix": {"clusters": 3},
    "dpmix": {"clusters": 3},
    "dp-merf": {"features": 50, "steps": 20, "hidden": (16,), "batch": 100},
    "dp-merf-ae": {"features": 50, "steps": 20, "hidden": (16,), "autoencoder_steps": 3, "most_bins": 4},
    "dp-auto-gan": {"autoencoder_steps": 3, "critic_steps": 4, "most_bins": 4},
    "dp-vae": {"steps": 4, "most_bins": 4},
    "mst": {"steps": 5, "most_bins": 4, "estimator": "numpy"},
    "aim": {"steps": 5, "most_bins": 4, "estimator": "numpy", "rounds_per_column": 0.3},
    "dp-wgan": {"steps": 4, "most_bins": 4},
    "dp-gan": {"steps": 4, "critic_steps": 2, "hidden": 8, "most_bins": 4},
    "dp-cgan": {"steps": 4, "hidden": 8, "noise": 4, "most_bins": 4},
    "pate-gan": {"rounds": 2, "questions": 16, "turns": 2, "hidden": 8, "noise": 4, "most_bins": 4},
    "dp-syn": {"steps": 3, "hidden": 6, "latent": 3, "components": 2, "rounds": 2, "most_bins": 4},
}
# Even so, each shape of a table is compiled anew; a method with quick settings takes these cases only.
CASES_OF_SLOW_METHODS = (
    "all kinds", "no target", "empty table", "one row", "pure epsilon", "replace one", "a unit of two rows",
)  # fmt: skip
# These ask by the same code as dp-cgan, which takes all of those cases.
LIKE_DP_CGAN = ("dp-vae", "dp-wgan", "dp-gan")


def methods_and_cases() -> list[tuple[str, str]]:
    """Every provable method with the cases that it is tried on."""
    return [(method, case) for method in provable_methods() for case in cases_of(method)]


def cases_of(method: str) -> tuple[str, ...]:
    """The cases that a method is tried on."""
    if method in LIKE_DP_CGAN:
        return ("all kinds", "replace one")
    return CASES_OF_SLOW_METHODS if method in QUICK else tuple(CASES)


def chosen(method: str) -> dict[str, Any]:
    """The options that choose a method, quick where it has quick settings."""
    return {"method": method, "params": QUICK.get(method, {})}


@cache
def released(method: str, case: str) -> triplea.Release:
    """One release of a method and a case, for all contracts that only look at it.

    The seed is that of a replay: the shapes that noise decides are the same, and compiled once.
    """
    asked = CASES[case]
    return triplea.release(asked.table(), **asked.options, **chosen(method), seed=0)


def provable_methods() -> list[str]:
    """Every registered method that has a provable variant."""
    return [name for name in method_names() if "provable" in find_method(name).variants]


def skip_if_refused(method: str, case: Case, **changes: Any) -> None:
    """A method may say beforehand that a case is not for it."""
    try:
        prepare(**{**case.options, **changes}, method=create_method(method, params=QUICK.get(method)))
    except MethodError as refusal:
        if method in TAKES_ALL:
            raise
        pytest.skip(f"refused before reading: {refusal}")
