"""Drawings of an audit: the statistic on both tables, and the two kinds of errors against each other."""

from __future__ import annotations

import numpy as np

from triplea.audit.verdicts import AuditReport, Picture
from triplea.report import svg
from triplea.report.html import Html, tag
from triplea.report.numbers import nice_ticks, share, short

_WIDTH = 400.0
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def histogram(picture: Picture) -> Html:
    """Bars for the runs on D, an outline for those on D', a mark at the threshold."""
    totals = [max(sum(counts), 1) for counts in (picture.first, picture.second)]
    first, second = (
        [count / total for count in counts]
        for counts, total in zip((picture.first, picture.second), totals, strict=True)
    )
    top = max(*first, *second, 1e-9)
    edges = picture.edges
    frame = svg.Frame(
        left=44, top=26, width=_WIDTH - 56, height=220, x_range=(edges[0], edges[-1]), y_range=(0, top * 1.04)
    )
    mark = frame.x(picture.threshold)
    parts = [
        frame.y_axis("share of runs", ticks=nice_ticks(0, top, 3), write=share),
        frame.x_axis("statistic", ticks=nice_ticks(*frame.x_range), write=short),
        svg.bars(frame, edges, first, "real-area"),
        svg.steps(frame, edges, second, "synthetic-line"),
        svg.line(mark, frame.top - 4, mark, frame.bottom, "mark"),
    ]
    right = sum(v for e, v in zip(edges[1:], second, strict=True) if e > picture.threshold)
    wrong = sum(v for e, v in zip(edges[1:], first, strict=True) if e > picture.threshold)
    desc = f"Above the threshold: about {share(wrong)} of the runs on D and {share(right)} of those on D'."
    return svg.picture(
        _WIDTH, frame.bottom + 36, parts, title="Histogram of the statistic on both tables", desc=desc
    )


def trade_off(found: AuditReport) -> Html:
    """The claim's line, the measured errors of all thresholds, and the point that was counted."""
    frame = svg.Frame(left=44, top=26, width=_WIDTH - 56, height=220)
    x, y = frame.x, frame.y
    picture, best = found.picture, found.best
    assert picture is not None
    alphas = np.concatenate([np.linspace(0.0, 0.02, 21), np.linspace(0.03, 1.0, 98)])
    claimed = [(x(float(a)), y(found.claim.misses(float(a)))) for a in alphas]
    measured = [(x(a), y(b)) for a, b in zip(picture.alphas, picture.betas, strict=True)]
    parts = [
        frame.y_axis("misses on D'", ticks=_TICKS, write=_tick),
        frame.x_axis("false alarms on D", ticks=_TICKS, write=_tick, grid=True),
        svg.line(x(0), y(1), x(1), y(0), "diagonal"),
        svg.polyline(claimed, "real-curve") if found.claim.kind != "none" else None,
        svg.polyline(measured, "synthetic-curve"),
        tag("circle", cx=svg.n(x(best.alpha)), cy=svg.n(y(best.beta)), r=4, class_="mark-synthetic")
        if best is not None
        else None,
    ]
    desc = "Lower left is a better attack. The diagonal is guessing."
    if best is not None:
        desc += f" Counted: {share(best.alpha)} false alarms, {share(best.beta)} misses."
    return svg.picture(
        _WIDTH, frame.bottom + 36, parts, title="Claimed and measured trade-off curves", desc=desc
    )


def histogram_legend() -> Html:
    """The key to the histogram."""
    box = svg.rect(1, 2, 26, 9, "real-area")
    outline = svg.path("M1 11V2H27V11", "synthetic-line")
    items = [
        tag("li", svg.picture(30, 12, mark, title=title, desc="key"), words)
        for mark, title, words in ((box, "filled", "runs on D"), (outline, "outline", "runs on D'"))
    ]
    return tag("ul", items, class_="legend")


def trade_off_legend() -> Html:
    """The key to the curves."""
    items = [
        tag("li", svg.picture(30, 12, svg.line(1, 6, 29, 6, name), title=title, desc="key"), words)
        for name, title, words in (
            ("real-curve", "solid line", "claimed: no attack may lie below"),
            ("synthetic-curve", "dashed line", "measured"),
            ("diagonal", "dotted line", "guessing"),
        )
    ]
    return tag("ul", items, class_="legend")


def _tick(value: float) -> str:
    return f"{value:g}"
