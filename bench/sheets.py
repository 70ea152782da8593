"""Sheets of small pictures as one SVG file that stands alone: for figures in the documentation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triplea.report import svg
from triplea.report.html import Html, tag
from triplea.report.numbers import nice_ticks, share, short

STYLE = """
text{font:11px system-ui,sans-serif;fill:#333}text.head{font-weight:600;font-size:12px}
text.note{fill:#666}text.gone{fill:#b03a00;font-weight:600}
.paper{fill:#fff}.field{fill:none;stroke:#bbb}.grid{stroke:#e6e6e6}.base{stroke:#777}
.real{fill:#9dbad5}.ours{fill:none;stroke:#d55e00;stroke-width:1.4}.bar{fill:#d55e00}
.diagonal{stroke:#888;stroke-dasharray:3 3}
.dots{stroke-linecap:round;stroke-width:2.4;fill:none;stroke-opacity:.55}
.cloud{stroke-linecap:round;stroke-width:1.9;fill:none;stroke-opacity:.4}
.blue{stroke:#0072b2}.orange{stroke:#d55e00}.green{stroke:#009e73}
.marks{stroke-linecap:round;fill:none;stroke-width:4.6;stroke-opacity:.8}.key{stroke-linecap:round;stroke-width:7}
"""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A heading and what is drawn under it, in its own coordinates."""

    head: str
    body: Html


def sheet(
    panels: Sequence[Panel], *, columns: int, size: tuple[float, float], legend: Html | None, title: str
) -> str:
    """Panels in rows, with a white ground, so that the picture can be read on any page."""
    wide, high = size
    top = 8.0 if legend is None else 30.0
    lines = math.ceil(len(panels) / columns)
    width, height = 10 + columns * wide, top + lines * (high + 22) + 6
    parts = [svg.rect(0, 0, width, height, "paper")]
    if legend is not None:
        parts.append(tag("g", legend, transform="translate(14 18)"))
    for place, panel in enumerate(panels):
        x, y = 10 + place % columns * wide, top + place // columns * (high + 22)
        head = svg.text(4, 13, panel.head, class_="head")
        body = tag("g", panel.body, transform="translate(0 20)")
        parts.append(tag("g", head, body, transform=f"translate({svg.n(x)} {svg.n(y)})"))
    style = tag("style", Html(STYLE))
    drawing = svg.picture(width, height, style, parts, title=title, desc=title)
    return str(drawing).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def legend(entries: Sequence[tuple[str, str]]) -> Html:
    """A key: classes of marks and their meaning."""
    parts, x = [], 0.0
    for class_, words in entries:
        if class_ in ("real", "bar"):
            parts.append(svg.rect(x, -8, 12, 9, class_))
        elif class_ == "ours":
            parts.append(svg.line(x, -4, x + 12, -4, "ours"))
        else:
            parts.append(svg.path(f"M{svg.n(x + 6)} -4h.01", f"key {class_}"))
        parts.append(svg.text(x + 18, 0, words))
        x += 34 + 6.2 * len(words)
    return tag("g", parts)


def histogram(
    edges: Sequence[float],
    real: Sequence[float],
    ours: Sequence[float],
    *,
    size: tuple[float, float],
    log: bool,
) -> Html:
    """Bars for real rows, an outline for synthetic ones; `log`: shares on a logarithmic scale."""
    low = 1e-5
    bend: Callable[[float], float] = (lambda v: math.log10(max(v, low) / low)) if log else (lambda v: v)
    top = max(bend(value) for value in (*real, *ours)) * 1.04
    frame = svg.Frame(
        left=44,
        top=4,
        width=size[0] - 62,
        height=size[1] - 26,
        x_range=(edges[0], edges[-1]),
        y_range=(0, top),
    )
    x, y = frame.x, frame.y
    marks = [low, 1e-3, 1e-1] if log else nice_ticks(0, top, 3)
    parts = []
    for value in marks:
        parts.append(svg.line(frame.left, y(bend(value)), frame.left + frame.width, y(bend(value)), "grid"))
        parts.append(svg.text(frame.left - 5, y(bend(value)) + 4, share(value), anchor="end"))
    for i, value in enumerate(real):
        if bend(value) > 0:
            left, right = x(edges[i]) + 0.4, x(edges[i + 1]) - 0.4
            parts.append(svg.rect(left, y(bend(value)), right - left, frame.bottom - y(bend(value)), "real"))
    steps = f"M{svg.n(x(edges[0]))} {svg.n(frame.bottom)}"
    for i, value in enumerate(ours):
        steps += f"V{svg.n(y(bend(value)))}H{svg.n(x(edges[i + 1]))}"
    parts.append(svg.path(steps + f"V{svg.n(frame.bottom)}", "ours"))
    parts.append(svg.line(frame.left, frame.bottom, frame.left + frame.width, frame.bottom, "base"))
    for value in nice_ticks(edges[0], edges[-1], 3):
        if x(value) < frame.left + frame.width - 8:
            parts.append(svg.text(x(value), frame.bottom + 14, short(value), anchor="middle"))
    return tag("g", parts)


def bars(
    labels: Sequence[str], real: Sequence[float], ours: Sequence[float], *, size: tuple[float, float]
) -> Html:
    """Two bars a category; a category that the synthetic rows do not have is called gone."""
    left, line_height = 104.0, size[1] / max(len(labels), 1)
    x = svg.linear(0, max(*real, *ours), left, size[0] - 58)
    parts = []
    for place, (label, p, q) in enumerate(zip(labels, real, ours, strict=True)):
        y = place * line_height
        half = (line_height - 5) / 2
        parts.append(svg.text(left - 6, y + line_height / 2 + 3, svg.clipped(label, left - 8), anchor="end"))
        parts.append(svg.rect(left, y + 1, x(p) - left, half, "real"))
        parts.append(svg.rect(left, y + 1 + half, x(q) - left, half, "bar"))
        words, style = ("gone", "gone") if q == 0 and p > 0 else (share(q), "note")
        parts.append(svg.text(max(x(p), x(q)) + 4, y + line_height / 2 + 3, words, class_=style))
    parts.append(svg.line(left, 0, left, size[1], "base"))
    return tag("g", parts)


def scatter(
    points: Sequence[tuple[float, float, str]],
    *,
    size: tuple[float, float],
    low: float = 0.0,
    high: float = 1.0,
    root: bool = False,
    marks: str = "marks",
    names: tuple[str, str] = ("real", "synthetic"),
) -> Html:
    """Real against synthetic around the diagonal; points outside are drawn at the border."""
    bend: Callable[[float], float] = (lambda v: math.sqrt(max(v, 0.0))) if root else (lambda v: v)
    ends = (bend(low), bend(high))
    frame = svg.Frame(left=40, top=4, width=size[0] - 58, height=size[1] - 44, x_range=ends, y_range=ends)
    x, y = frame.x, frame.y
    ticks = [v for v in ((0.0, 0.01, 0.1, 0.25, 0.5, 1.0) if root else nice_ticks(low, high, 4)) if v <= high]
    parts = [svg.rect(frame.left, frame.top, frame.width, frame.height, "field")]
    for value in ticks:
        at = bend(value)
        write = share(value) if root else short(value)
        parts.append(svg.line(frame.left, y(at), frame.left + frame.width, y(at), "grid"))
        parts.append(svg.line(x(at), frame.top, x(at), frame.bottom, "grid"))
        parts.append(svg.text(frame.left - 5, y(at) + 4, write, anchor="end"))
        if not root or value >= 0.1:  # small shares would stand on each other
            parts.append(svg.text(x(at), frame.bottom + 13, write, anchor="middle"))
    parts.append(svg.line(x(ends[0]), y(ends[0]), x(ends[1]), y(ends[1]), "diagonal"))
    for colour in sorted({point[2] for point in points}):
        drawn = "".join(
            f"M{svg.n(x(bend(p)))} {svg.n(y(bend(q)))}h.01" for p, q, mine in points if mine == colour
        )
        parts.append(svg.path(drawn, f"{marks} {colour}"))
    parts.append(
        svg.text(
            frame.left + frame.width / 2, frame.bottom + 28, f"→ {names[0]}, ↑ {names[1]}", anchor="middle"
        )
    )
    return tag("g", parts)


def cloud(
    points: Sequence[tuple[float, float]],
    *,
    size: tuple[float, float],
    ranges: tuple[tuple[float, float], tuple[float, float]],
    colour: str,
) -> Html:
    """Points on fixed axes without numbers."""
    frame = svg.Frame(
        left=4, top=2, width=size[0] - 14, height=size[1] - 8, x_range=ranges[0], y_range=ranges[1]
    )
    drawn = "".join(f"M{svg.n(frame.x(p))} {svg.n(frame.y(q))}h.01" for p, q in points)
    border = svg.rect(frame.left, frame.top, frame.width, frame.height, "field")
    return tag("g", border, svg.path(drawn, f"cloud {colour}"))
