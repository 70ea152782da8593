"""The privacy-utility picture: a score against epsilon, one line a method."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from typing import Any

from triplea.bench.records import CLAIMED, NON_PRIVATE, PROVED
from triplea.bench.summary import HEADLINES, Line
from triplea.errors import MissingExtra

# Okabe and Ito's colours can be told apart by people who do not see all colours.
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#8C6D31",
    "#7B4173",
    "#637939",
)
MARKERS = "osD^vP*X<>"
STYLES: dict[str, dict[str, Any]] = {
    PROVED: {"linestyle": "-", "fill": True},
    CLAIMED: {"linestyle": "--", "fill": False},
    NON_PRIVATE: {"linestyle": ":", "fill": False},
}
WORDS = {PROVED: "proved", CLAIMED: "claimed", NON_PRIVATE: "NON-PRIVATE"}


def pictures_of(lines: Sequence[Line]) -> dict[tuple[str, str], list[Line]]:
    """Return the lines of every data set and evaluator that was run at two or more epsilons."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        first = HEADLINES.get(line.setting.evaluator, ("",))[0]
        if line.metric == first and line.statistic == "mean":
            found.setdefault((line.setting.dataset, line.setting.evaluator), []).append(line)
    return {
        key: chosen
        for key, chosen in found.items()
        if len({line.setting.epsilon for line in chosen} - {None}) > 1
    }


def draw(lines: Sequence[Line], *, title: str) -> str:
    """Draw one picture as SVG: proved methods solid and filled, claimed ones dashed and hollow."""
    figures = _matplotlib("matplotlib.figure")
    settings = _matplotlib("matplotlib").rc_context({"svg.hashsalt": "triplea", "svg.fonttype": "none"})
    with settings:
        figure = figures.Figure(figsize=(8, 5), layout="constrained")
        axes = figure.add_subplot()
        methods = list(
            dict.fromkeys(line.setting.method for line in lines if line.setting.epsilon is not None)
        )
        for setting in dict.fromkeys(_curve(line) for line in lines):
            points = sorted((line for line in lines if _curve(line) == setting), key=_epsilon)
            _add(axes, points, place=methods.index(setting[1]) if setting[1] in methods else None)
        axes.set_xscale("log")
        epsilons = sorted({_epsilon(line) for line in lines} - {0.0})
        axes.set_xticks(epsilons, labels=[f"{epsilon:g}" for epsilon in epsilons])
        axes.minorticks_off()
        axes.set_xlabel("epsilon (smaller protects more)")
        axes.set_ylabel(lines[0].metric)
        axes.set_title(title)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": "triplea"})
    return drawn.getvalue()


def _add(axes: Any, points: Sequence[Line], *, place: int | None) -> None:
    first = points[0].setting
    label = f"{first.name}, {WORDS[first.guarantee]}"
    if place is None:  # the real rows have no epsilon: a level
        axes.axhline(points[0].value, color="#777777", linestyle=":", label=label)
        return
    colour, style = COLOURS[place % len(COLOURS)], STYLES[first.guarantee]
    axes.errorbar(
        [_epsilon(line) for line in points],
        [line.value for line in points],
        yerr=[line.spread or 0.0 for line in points],
        color=colour,
        linestyle=style["linestyle"],
        marker=MARKERS[place % len(MARKERS)],
        markerfacecolor=colour if style["fill"] else "white",
        capsize=2,
        label=label,
    )


def _curve(line: Line) -> tuple[str, str]:
    return line.setting.name + line.setting.guarantee, line.setting.method


def _epsilon(line: Line) -> float:
    return line.setting.epsilon or 0.0


def _matplotlib(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(package="matplotlib", extra="report", purpose="drawing a picture") from None
