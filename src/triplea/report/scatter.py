"""Clouds of points: principal components, and the dimension-wise plots around their diagonal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from triplea.report import svg
from triplea.report.html import Html, name_of, table, tag
from triplea.report.numbers import fixed, share
from triplea.results import DimensionPoint, Projection

_WIDTH = 340.0
_CLASSES = 6
_SHAPES: dict[str, Callable[[float, float], str]] = {
    "dot": lambda x, y: f"M{svg.n(x)} {svg.n(y)}h.01",
    "cross": lambda x, y: f"M{svg.n(x - 2)} {svg.n(y - 2)}l4 4m-4 0l4-4",
    "plus": lambda x, y: f"M{svg.n(x - 2.4)} {svg.n(y)}h4.8m-2.4-2.4v4.8",
    "box": lambda x, y: f"M{svg.n(x - 1.8)} {svg.n(y - 1.8)}h3.6v3.6h-3.6z",
    "wedge": lambda x, y: f"M{svg.n(x - 2.2)} {svg.n(y + 1.8)}h4.4l-2.2-4z",
    "dash": lambda x, y: f"M{svg.n(x - 2.4)} {svg.n(y)}h4.8",
}
_GLYPHS = tuple(_SHAPES)


def projection_panels(projection: Projection) -> Html:
    """Draw real and synthetic rows over each other, then each alone, by class if there are few."""
    frame = _plane(projection)
    both = [
        _cloud(frame, projection.real, "dot", "real-points"),
        _cloud(frame, projection.synthetic, "cross", "synthetic-points"),
    ]
    figures = [_panel("Both", both, projection, frame, "Real rows as dots, synthetic rows as crosses")]
    classes = sorted({*projection.real_classes, *projection.synthetic_classes})
    for name, points, labels in (
        ("Real", projection.real, projection.real_classes),
        ("Synthetic", projection.synthetic, projection.synthetic_classes),
    ):
        if 1 < len(classes) <= _CLASSES:
            clouds = [
                _cloud(
                    frame,
                    [point for point, label in zip(points, labels, strict=True) if label == wanted],
                    _GLYPHS[place],
                    f"class{place} {_GLYPHS[place]}",
                )
                for place, wanted in enumerate(classes)
            ]
        else:
            clouds = [_cloud(frame, points, "dot", "real-points" if name == "Real" else "synthetic-dots")]
        figures.append(_panel(name, clouds, projection, frame, f"{name} rows alone"))
    legend = _class_legend(classes) if 1 < len(classes) <= _CLASSES else None
    return tag("div", tag("div", figures, class_="panels"), legend)


def dimension_picture(points: Sequence[DimensionPoint], *, title: str, what: str, root: bool = False) -> Html:
    """Draw real (x) against synthetic (y); on the diagonal both agree. `root`: square-root scales."""
    values = [value for point in points for value in (point.real, point.synthetic) if math.isfinite(value)]
    low = 0.0 if root else max(min(0.0, *values, 0.0), -1.0)
    bend: Callable[[float], float] = (lambda v: math.sqrt(max(v, 0.0))) if root else (lambda v: v)
    frame = svg.Frame(
        left=44, top=26, width=_WIDTH - 54, height=_WIDTH - 90, x_range=(low, 1.0), y_range=(low, 1.0)
    )
    ticks = [bend(value) for value in (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)] if root else None
    write = (lambda v: share(v * v)) if root else (lambda v: fixed(v, 2))
    x, y = frame.x, frame.y
    marks = []
    for point in points:
        if math.isfinite(point.real) and math.isfinite(point.synthetic):
            shape = "box" if point.metric == "R2" else "dot"
            mark = _SHAPES[shape](x(bend(point.real)), y(bend(point.synthetic)))
            tip = tag("title", _tip(point, root=root))
            marks.append(tag("path", tip, d=mark, class_=f"point {shape}"))
    parts = [
        frame.y_axis(f"synthetic: {what}", ticks=ticks, write=write),
        frame.x_axis(f"real: {what}", ticks=ticks, write=write, grid=True),
        svg.line(x(low), y(low), x(1.0), y(1.0), "diagonal"),
        marks,
    ]
    desc = f"{len(points)} points; on the diagonal the synthetic rows agree with the real ones."
    return svg.picture(_WIDTH, frame.bottom + 36, parts, title=title, desc=desc)


def farthest_points(points: Sequence[DimensionPoint], *, caption: str, shares: bool, most: int = 8) -> Html:
    """List the points farthest from the diagonal."""
    known = [point for point in points if math.isfinite(point.real) and math.isfinite(point.synthetic)]
    known.sort(key=lambda point: -abs(point.synthetic - point.real))
    write = share if shares else fixed
    rows = [
        (
            tag("span", name_of(point.column), None if point.label == point.column else f" = {point.label}"),
            write(point.real),
            write(point.synthetic),
            *(() if shares else ("R²" if point.metric == "R2" else point.metric,)),
        )
        for point in known[:most]
    ]
    headers = ("column", "real", "synthetic", *(() if shares else ("score",)))
    return table(caption, headers, rows)


def _plane(projection: Projection) -> svg.Frame:
    """Axes that hold both clouds, but for the outermost half percent."""
    ranges = []
    for axis in (0, 1):
        values = sorted(point[axis] for point in (*projection.real, *projection.synthetic))
        cut = len(values) // 200
        low, high = values[cut], values[-1 - cut]
        margin = (high - low) * 0.04 or 1.0
        ranges.append((low - margin, high + margin))
    return svg.Frame(
        left=8, top=6, width=_WIDTH - 16, height=_WIDTH - 80, x_range=ranges[0], y_range=ranges[1]
    )


def _panel(name: str, clouds: list[Html], projection: Projection, frame: svg.Frame, desc: str) -> Html:
    first, second = (share(value) for value in projection.explained[:2])
    border = svg.rect(frame.left, frame.top, frame.width, frame.height, "field")
    label = svg.text(frame.left, frame.bottom + 16, f"→ {first} of the variance, ↑ {second}")
    drawing = svg.picture(
        _WIDTH, frame.bottom + 22, border, clouds, label, title=f"Principal components: {name}", desc=desc
    )
    return tag("figure", tag("figcaption", tag("strong", name)), drawing)


def _cloud(frame: svg.Frame, points: Sequence[Sequence[float]], shape: str, class_: str) -> Html:
    x, y, glyph = frame.x, frame.y, _SHAPES[shape]
    return svg.path("".join(glyph(x(point[0]), y(point[1])) for point in points), f"points {class_}")


def _class_legend(classes: Sequence[str]) -> Html:
    items = [
        tag(
            "li",
            svg.picture(
                14, 14, _key(i),
                title=_GLYPHS[i], desc="key",
            ),
            name_of(name or "missing"),
        )
        for i, name in enumerate(classes)
    ]  # fmt: skip
    return tag("ul", items, class_="legend")


def _key(place: int) -> Html:
    mark = svg.path(_SHAPES[_GLYPHS[place]](0, 0), f"points class{place} {_GLYPHS[place]}")
    return tag("g", mark, transform="translate(7 7) scale(1.9)")


def _tip(point: DimensionPoint, *, root: bool) -> str:
    write = share if root else fixed
    name = point.column if point.label == point.column else f"{point.column} = {point.label}"
    return f"{name}: real {write(point.real)}, synthetic {write(point.synthetic)}"
