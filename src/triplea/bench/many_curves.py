"""Pictures of a score against epsilon for more curves than one picture can hold.

Two of them: proved beside claimed, with every name at the end of its curve; and a panel a method, before
all proved methods in grey.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from triplea.bench.cells import REAL
from triplea.bench.curves import Curve, curves_of, spread_out
from triplea.bench.paper import is_better
from triplea.bench.plots import EPSILON, GREY, add, dress, svg
from triplea.bench.records import CLAIMED, PROVED
from triplea.bench.stretch import ceiling_of, stretch_distances, stretch_scores
from triplea.bench.summary import Line

BLUE, ORANGE, PALE, DARK = "#0072B2", "#D55E00", "#D8D8D8", "#555555"
HIGHLIGHTED = {"mosaic": BLUE, "naive-bayes": ORANGE}  # the default, and the floor that all should beat
LABEL_GAP = 0.033  # of the height
WIDE = 5  # panels beside each other


def draw_sides(lines: Sequence[Line], *, title: str) -> str:
    """Draw proved curves on the left, claimed ones on the right; each name stands at the end of its curve."""

    def fill(figure: Any) -> None:
        metric, curves = lines[0].metric, _drawable(lines)
        sides = figure.subplots(1, 2, sharey=True)
        for axes, guarantee in zip(sides, (PROVED, CLAIMED), strict=True):
            shown = [curve for curve in curves if curve.guarantee == guarantee]
            for curve in shown:
                add(axes, curve, HIGHLIGHTED.get(curve.method, GREY), strong=curve.method in HIGHLIGHTED)
            levels = [c for c in curves if c.is_level and c.method != REAL and guarantee == CLAIMED]
            for level in levels:
                axes.axhline(level.last, color="black", linestyle=":", linewidth=1)
            dress(axes, curves)
            _scale(axes, curves, metric)
            _name_ends(axes, [*shown, *levels])
            axes.set_xlabel(EPSILON)
            axes.set_title("Proved" if guarantee == PROVED else "Only claimed by a paper", fontsize=11)
        sides[0].set_ylabel(f"{metric}: {'higher' if is_better(metric, 1, 0) else 'lower'} is better")
        figure.suptitle(title + _ceiling(curves, metric))

    return svg(fill, size=(9.8, 6.6))


def draw_each(lines: Sequence[Line], *, title: str) -> str:
    """Draw a panel a method, best first, with all proved curves in grey behind it."""
    metric, curves = lines[0].metric, _drawable(lines)
    methods = by_score([curve for curve in curves if not curve.is_level], metric)
    rows = math.ceil(len(methods) / WIDE)

    def fill(figure: Any) -> None:
        panels = figure.subplots(rows, WIDE, sharex=True, sharey=True, squeeze=False).ravel()
        for axes, method in zip(panels, methods, strict=False):
            _panel(axes, method, curves, metric)
        for axes in panels[len(methods) :]:
            axes.set_visible(False)
        figure.supxlabel(EPSILON, fontsize=9)
        words = "blue proved, orange claimed, grey all proved methods"
        figure.suptitle(f"{title}{_ceiling(curves, metric)}\n{words}", fontsize=10)

    return svg(fill, size=(10, 1.0 + 1.7 * rows))


def by_score(curves: Sequence[Curve], metric: str) -> list[str]:
    """Name the methods, best at epsilon = 1 first; the proved variant decides where there is one."""
    sign = -1.0 if is_better(metric, 1.0, 0.0) else 1.0
    chosen: dict[str, Curve] = {}
    for curve in curves:
        if curve.method not in chosen or curve.guarantee == PROVED:
            chosen[curve.method] = curve
    return sorted(chosen, key=lambda method: sign * chosen[method].at(1.0))


def _panel(axes: Any, method: str, curves: Sequence[Curve], metric: str) -> None:
    for curve in curves:
        if curve.guarantee == PROVED:
            axes.plot(curve.epsilons, curve.values, color=PALE, linewidth=0.8, zorder=1)
    for curve in curves:
        if curve.method == method:
            add(axes, curve, BLUE if curve.guarantee == PROVED else ORANGE)
    dress(axes, curves)
    _scale(axes, curves, metric, gap=0.1)
    axes.set_title(method, fontsize=9)
    axes.tick_params(labelsize=7)


def _drawable(lines: Sequence[Line]) -> list[Curve]:
    """All curves, but for those at distance 0, such as the real rows from themselves: it has no logarithm."""
    upwards = is_better(lines[0].metric, 1.0, 0.0)
    return [curve for curve in curves_of(lines) if upwards or min(curve.values) > 0]


def _scale(axes: Any, curves: Sequence[Curve], metric: str, *, gap: float = 0.05) -> None:
    values = [value for curve in curves if curve.method != REAL for value in curve.values]
    if is_better(metric, 1.0, 0.0):
        stretch_scores(axes, values, ceiling_of(values, _real(curves)), gap=gap)
    else:
        stretch_distances(axes, values, gap=gap)


def _real(curves: Sequence[Curve]) -> float | None:
    return next((curve.last for curve in curves if curve.method == REAL), None)


def _ceiling(curves: Sequence[Curve], metric: str) -> str:
    """Words for what cannot be drawn on a scale of what is lacking to it."""
    real = _real(curves)
    return "" if real is None or not is_better(metric, 1.0, 0.0) else f"; real rows: {real:.3f}"


def _name_ends(axes: Any, curves: Sequence[Curve]) -> None:
    """Write names to the right of the last points, moved apart where they would overlap."""
    if not curves:
        return
    to_share = axes.transData + axes.transAxes.inverted()
    heights = [float(to_share.transform((curve.epsilons[-1] or 1.0, curve.last))[1]) for curve in curves]
    placed = spread_out(heights, gap=LABEL_GAP, low=0.0, high=1.0)
    for curve, height, place in zip(curves, heights, placed, strict=True):
        colour = "black" if curve.is_level else HIGHLIGHTED.get(curve.method, DARK)
        weight = "bold" if curve.method in HIGHLIGHTED else "normal"
        text = f"{curve.method} (NON-PRIVATE)" if curve.is_level else curve.method
        axes.plot(
            [1.0, 1.045],
            [height, place],
            transform=axes.transAxes,
            clip_on=False,
            color=colour,
            linewidth=0.6,
        )
        axes.text(
            1.05,
            place,
            text,
            transform=axes.transAxes,
            va="center",
            fontsize=8.5,
            color=colour,
            fontweight=weight,
        )
