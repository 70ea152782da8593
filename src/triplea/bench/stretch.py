"""Axes that give room to good scores: logarithms of distances, or of what scores lack to a ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

DISTANCES: tuple[float, ...] = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
SCORES: tuple[float, ...] = (0.3, 0.5, 0.7, 0.8, 0.85, 0.88, 0.9, 0.91, 0.92, 0.94, 0.96, 0.97, 0.98, 0.99)
Axis = Literal["x", "y"]
NEAREST = 1e-3  # scores closer than this to the ceiling are drawn as far from it


def ceiling_of(values: Sequence[float], real: float | None) -> float:
    """The score of real rows if it is above all others, else 1."""
    return real if real is not None and real > max(values) else 1.0


def lack(scores: Any, ceiling: float) -> Any:
    """Height of a score: minus the logarithm of what it lacks."""
    return -np.log(np.maximum(ceiling - np.asarray(scores, dtype=float), NEAREST))


def stretch_scores(
    axes: Any, values: Sequence[float], ceiling: float, *, axis: Axis = "y", gap: float = 0.05
) -> None:
    """Scale an axis by what scores lack to the ceiling, which itself is out of sight.

    Ticks are at least `gap` of the axis apart.
    """
    functions = (lambda v: lack(v, ceiling), lambda height: ceiling - np.exp(-np.asarray(height)))
    getattr(axes, f"set_{axis}scale")("function", functions=functions)
    worst, best = ceiling - min(values), max(ceiling - max(values), NEAREST)
    _show(axes, axis, ceiling - 1.15 * worst, ceiling - 0.85 * best, SCORES, gap)


def stretch_distances(axes: Any, values: Sequence[float], *, axis: Axis = "y", gap: float = 0.05) -> None:
    """Scale an axis by the logarithm; ticks are at least `gap` of the axis apart."""
    getattr(axes, f"set_{axis}scale")("log")
    _show(axes, axis, 0.9 * min(values), 1.1 * max(values), DISTANCES, gap)


def _show(axes: Any, axis: Axis, low: float, high: float, ticks: Sequence[float], gap: float) -> None:
    getattr(axes, f"set_{axis}lim")(low, high)
    to_share, place = axes.transData + axes.transAxes.inverted(), "xy".index(axis)
    shown: list[float] = []
    last = np.inf
    for tick in (tick for tick in reversed(ticks) if low <= tick <= high):
        share = float(to_share.transform((tick, tick))[place])
        if last - share >= gap:
            shown.append(tick)
            last = share
    getattr(axes, f"set_{axis}ticks")(shown, labels=[f"{tick:g}" for tick in shown])
    getattr(axes, f"{axis}axis").minorticks_off()
