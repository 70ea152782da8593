"""The privacy-utility picture: a score against epsilon, one curve a method.

Proved curves are solid with filled points, claimed ones dashed with hollow points.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable, Sequence
from typing import Any

from triplea.bench.curves import Curve, curves_of
from triplea.bench.records import CLAIMED, NON_PRIVATE, PROVED
from triplea.bench.summary import Line
from triplea.errors import MissingExtra

# Okabe and Ito's colours can be told apart by people who do not see all colours.
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
    "#56B4E9", "#000000", "#8C6D31", "#7B4173", "#637939",
)  # fmt: skip
GREY = "#8A8A8A"
MARKERS = "osD^vP*X<>"
DASHES = {PROVED: "-", CLAIMED: "--", NON_PRIVATE: ":"}
WORDS = {PROVED: "proved", CLAIMED: "claimed", NON_PRIVATE: "NON-PRIVATE"}
EPSILON = "epsilon (smaller protects more)"


def draw(lines: Sequence[Line], *, title: str) -> str:
    """Draw all curves in one picture with a legend."""

    def fill(figure: Any) -> None:
        axes = figure.add_subplot()
        curves = curves_of(lines)
        methods = list(dict.fromkeys(curve.method for curve in curves if not curve.is_level))
        for curve in curves:
            label = f"{curve.name}, {WORDS[curve.guarantee]}"
            if curve.is_level:
                axes.axhline(curve.last, color=GREY, linestyle=":", label=label)
                continue
            place = methods.index(curve.method)
            add(axes, curve, COLOURS[place % len(COLOURS)], marker=MARKERS[place % len(MARKERS)], label=label)
        dress(axes, curves)
        axes.set_xlabel(EPSILON)
        axes.set_ylabel(lines[0].metric)
        figure.suptitle(title, fontsize=11)  # centred over the legend too, or long ones are cut off
        axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))

    return svg(fill, size=(8, 5))


def add(
    axes: Any, curve: Curve, colour: str, *, marker: str = "o", strong: bool = False, label: str | None = None
) -> None:
    """Add a curve with the spread over seeds."""
    axes.errorbar(
        curve.epsilons,
        curve.values,
        yerr=curve.spreads,
        color=colour,
        linestyle=DASHES[curve.guarantee],
        linewidth=2.2 if strong else 1.2,
        elinewidth=0.8,
        marker=marker,
        markersize=5 if strong else 3.5,
        markerfacecolor=colour if curve.guarantee == PROVED else "white",
        capsize=2,
        label=label,
        zorder=3 if strong else 2,
    )


def dress(axes: Any, curves: Sequence[Curve]) -> None:
    """An x axis of the measured epsilons, light grid lines, no box."""
    epsilons = sorted({epsilon for curve in curves if not curve.is_level for epsilon in curve.epsilons})
    axes.set_xscale("log")
    axes.set_xticks(epsilons, labels=[f"{epsilon:g}" for epsilon in epsilons])
    axes.minorticks_off()
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def svg(fill: Callable[[Any], None], *, size: tuple[float, float]) -> str:
    """Let `fill` draw on an empty figure of `size` inches, and return it as text; the same every time."""
    figures = _matplotlib("matplotlib.figure")
    with _matplotlib("matplotlib").rc_context({"svg.hashsalt": "triplea", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=size, layout="constrained")
        fill(figure)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": "triplea"})
    return drawn.getvalue()


def _matplotlib(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(package="matplotlib", extra="report", purpose="drawing a picture") from None
