"""Scores on a line: one row per model or attack, a mark per situation, a bar for its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triplea.report import svg
from triplea.report.html import Html, tag
from triplea.report.numbers import fixed
from triplea.results import Score

_WIDTH, _ROW = 340.0, 46.0
MARKS: dict[str, Callable[[float, float], Html]] = {
    "real": lambda x, y: tag("circle", cx=svg.n(x), cy=svg.n(y), r="4.5", class_="mark-real"),
    "sample": lambda x, y: tag("circle", cx=svg.n(x), cy=svg.n(y), r="4", class_="mark-sample"),
    "synthetic": lambda x, y: svg.path(f"M{svg.n(x)} {svg.n(y - 6)}l6 6l-6 6l-6-6z", "mark-synthetic"),
    "floor": lambda x, y: svg.line(x, y - 8, x, y + 8, "mark-floor"),
}


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One mark: which kind, its score, and what it is called."""

    mark: str
    score: Score
    name: str


def dot_picture(
    rows: Sequence[tuple[str, Sequence[Dot]]], *, title: str, axis: str, low: float, high: float
) -> Html:
    """Draw rows of marks on one scale."""
    frame = svg.Frame(left=10, top=6, width=_WIDTH - 20, height=_ROW * len(rows), x_range=(low, high))
    parts, words = [], []
    for position, (label, dots) in enumerate(rows):
        middle = frame.top + position * _ROW + 30
        parts.append(svg.text(frame.left, middle - 15, svg.clipped(label, _WIDTH - 20), class_="strong"))
        parts.append(svg.line(frame.left, middle, frame.left + frame.width, middle, "grid"))
        known = [dot for dot in dots if math.isfinite(dot.score.value)]
        parts += [_dot(dot, frame, middle, label) for dot in known]
        words.append(f"{label}: " + ", ".join(f"{dot.name} {fixed(dot.score.value)}" for dot in known))
    axes = frame.x_axis(axis, grid=True, write=lambda value: f"{value:g}")
    return svg.picture(
        _WIDTH, frame.bottom + 36, axes, parts, title=title, desc="; ".join(words), class_="wide"
    )


def dot_legend(names: Sequence[tuple[str, str]]) -> Html:
    """Return the key: pairs of a mark and its meaning."""
    items = [
        tag("li", svg.picture(16, 16, MARKS[mark](8, 8), title=meaning, desc="key"), meaning)
        for mark, meaning in names
    ]
    return tag("ul", items, class_="legend")


def _dot(dot: Dot, frame: svg.Frame, middle: float, label: str) -> Html:
    x, score = frame.x, dot.score
    tip = tag("title", f"{label}, {dot.name}: {fixed(score.value)}")
    bar = None
    if score.low is not None and score.high is not None and dot.mark != "floor":
        bar = svg.line(x(score.low), middle, x(score.high), middle, f"interval {dot.mark}")
    return tag("g", tip, bar, MARKS[dot.mark](x(score.value), middle))
