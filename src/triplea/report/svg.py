"""The drawing board: scales, frames with axes, and pictures that a screen reader can name.

Pictures are about as wide as a phone, so that their text is as large there as on a desk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from triplea.report.html import Child, Html, tag
from triplea.report.numbers import nice_ticks, short

CHARACTER = 5.9  # mean width of a letter at 11 px, on the safe side


def linear(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the map from [low, high] to pixels; values outside are drawn at the border."""
    width = high - low or 1.0

    def place(value: float) -> float:
        return start + (end - start) * min(max((value - low) / width, 0.0), 1.0)

    return place


def n(value: float) -> str:
    """Write a coordinate: a tenth of a pixel is enough.

    >>> n(12.0), n(3.14159)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")


def picture(width: float, height: float, *children: Child, title: str, desc: str, class_: str = "") -> Html:
    """Return a drawing with a name and a description. It takes the width that it is given, up to its own."""
    return tag(
        "svg",
        tag("title", title),
        tag("desc", desc),
        children,
        viewBox=f"0 0 {n(width)} {n(height)}",
        width=n(width),
        height=n(height),
        role="img",
        class_=f"chart {class_}".strip(),
    )


def text(x: float, y: float, words: str, *, anchor: str = "start", class_: str | None = None) -> Html:
    """Return a line of text."""
    return tag(
        "text", words, x=n(x), y=n(y), text_anchor=None if anchor == "start" else anchor, class_=class_
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Html:
    """Return a straight line."""
    return tag("line", x1=n(x1), y1=n(y1), x2=n(x2), y2=n(y2), class_=class_)


def rect(
    x: float, y: float, width: float, height: float, class_: str, *, tip: str | None = None, **more: float
) -> Html:
    """Return a rectangle, with a tip that shows under the pointer."""
    inner = None if tip is None else tag("title", tip)
    size = {"width": n(max(width, 0)), "height": n(max(height, 0))}
    return tag("rect", inner, x=n(x), y=n(y), **size, class_=class_, **more)


def polyline(points: Iterable[tuple[float, float]], class_: str) -> Html:
    """Return an open line through points."""
    return tag("polyline", points=" ".join(f"{n(x)},{n(y)}" for x, y in points), class_=class_)


def path(commands: str, class_: str) -> Html:
    """Return a path."""
    return tag("path", d=commands, class_=class_)


def clipped(words: str, width: float) -> str:
    """Shorten a text to a width in pixels."""
    letters = max(int(width / CHARACTER), 2)
    return words if len(words) <= letters else words[: letters - 1].rstrip() + "…"


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The field of a chart: its place in the picture, and its two scales."""

    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)

    @property
    def x(self) -> Callable[[float], float]:
        """From values to pixels, left to right."""
        return linear(*self.x_range, self.left, self.left + self.width)

    @property
    def y(self) -> Callable[[float], float]:
        """From values to pixels, bottom to top."""
        return linear(*self.y_range, self.top + self.height, self.top)

    @property
    def bottom(self) -> float:
        """The lower border."""
        return self.top + self.height

    def x_axis(
        self,
        label: str,
        *,
        ticks: Sequence[float] | None = None,
        write: Callable[[float], str] = short,
        grid: bool = False,
    ) -> Html:
        """Return the lower axis: ticks with numbers, and what they count."""
        x, parts = self.x, []
        for value in nice_ticks(*self.x_range) if ticks is None else ticks:
            if grid:
                parts.append(line(x(value), self.top, x(value), self.bottom, "grid"))
            parts.append(text(x(value), self.bottom + 14, write(value), anchor="middle"))
        middle = self.left + self.width / 2
        name = text(middle, self.bottom + 30, label, anchor="middle", class_="axis")
        return tag(
            "g", parts, line(self.left, self.bottom, self.left + self.width, self.bottom, "base"), name
        )

    def y_axis(
        self, label: str, *, ticks: Sequence[float] | None = None, write: Callable[[float], str] = short
    ) -> Html:
        """Return the left axis: grid lines with numbers, and what they count, on top."""
        y, parts = self.y, []
        for value in nice_ticks(*self.y_range) if ticks is None else ticks:
            parts.append(line(self.left, y(value), self.left + self.width, y(value), "grid"))
            parts.append(text(self.left - 6, y(value) + 4, write(value), anchor="end"))
        name = text(max(self.left - 34, 0), self.top - 11, label, class_="axis") if label else None
        return tag("g", parts, name)


def bars(frame: Frame, edges: Sequence[float], heights: Sequence[float], class_: str) -> Html:
    """Return filled bars between neighbouring edges, each at least a pixel wide; none for a height of 0."""
    x, y, bottom = frame.x, frame.y, n(frame.bottom)
    shapes = (
        f"M{n(x(left) + 0.5)} {bottom}V{n(y(height))}H{n(max(x(right) - 0.5, x(left) + 1))}V{bottom}Z"
        for left, right, height in zip(edges, edges[1:], heights, strict=False)
        if height > 0
    )
    return path("".join(shapes), class_)


def steps(frame: Frame, edges: Sequence[float], heights: Sequence[float], class_: str) -> Html:
    """Return the outline of a histogram."""
    x, y, bottom = frame.x, frame.y, n(frame.bottom)
    walk = (f"V{n(y(height))}H{n(x(right))}" for right, height in zip(edges[1:], heights, strict=False))
    return path(f"M{n(x(edges[0]))} {bottom}{''.join(walk)}V{bottom}", class_)
