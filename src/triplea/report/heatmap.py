"""Association matrices as heat maps: real, synthetic, and what differs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from triplea.report import svg
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.numbers import fixed
from triplea.results import Association

_WIDTH, _LABEL, _LEAST_NAMED = 340.0, 92.0, 9
_WITH_TIPS = 24
_LEVELS = 12


def heat_maps(association: Association) -> Html:
    """Draw the three matrices side by side."""
    difference = tuple(
        tuple(ours - real for real, ours in zip(*rows, strict=True))
        for rows in zip(association.real, association.synthetic, strict=True)
    )
    panels = (
        ("Real", association.real, "Strength of association of every pair of columns, real rows"),
        ("Synthetic", association.synthetic, "The same for the synthetic rows"),
        (
            "Synthetic minus real",
            difference,
            "Where the synthetic rows lost association (a bar) or invented it",
        ),
    )
    figures = [
        tag(
            "figure",
            tag("figcaption", tag("strong", name)),
            _matrix(association.columns, values, name, words),
        )
        for name, values, words in panels
    ]
    return tag("div", figures, class_="panels")


def largest_differences(association: Association, *, most: int = 10) -> Html:
    """List the pairs of columns whose association changed most."""
    names = association.columns
    pairs = [
        (names[i], names[j], association.real[i][j], association.synthetic[i][j])
        for i in range(len(names))
        for j in range(i)
    ]
    pairs = [pair for pair in pairs if math.isfinite(pair[2]) and math.isfinite(pair[3])]
    pairs.sort(key=lambda pair: -abs(pair[3] - pair[2]))
    rows = [
        (join(name_of(a), " and ", name_of(b)), fixed(real, 2), fixed(ours, 2), _signed(ours - real))
        for a, b, real, ours in pairs[:most]
    ]
    return table("Pairs of columns that changed most", ("pair", "real", "synthetic", "difference"), rows)


def _matrix(columns: Sequence[str], values: Sequence[Sequence[float]], title: str, desc: str) -> Html:
    size = len(columns)
    named = (_WIDTH - _LABEL) / size >= _LEAST_NAMED
    left = _LABEL if named else 0.0
    cell = (_WIDTH - left) / size
    bottom = size * cell
    cells = (_cells if size <= _WITH_TIPS else _merged)(columns, values, left, cell)
    labels = []
    for i, column in enumerate(columns if named else ()):
        labels.append(svg.text(left - 6, (i + 0.5) * cell + 4, svg.clipped(column, left - 8), anchor="end"))
        place = f"translate({svg.n(left + (i + 0.5) * cell + 4)} {svg.n(bottom + 8)}) rotate(-90)"
        labels.append(tag("text", svg.clipped(column, 84), transform=place, text_anchor="end"))
    height = bottom + (_LABEL if named else 4)
    return svg.picture(_WIDTH, height, cells, labels, title=title, desc=desc, class_="heat")


def _cells(columns: Sequence[str], values: Sequence[Sequence[float]], left: float, cell: float) -> list[Html]:
    found = []
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            style, strength = _shade(value)
            tip = f"{columns[i]} and {columns[j]}: {fixed(value, 2)}"
            place = (left + j * cell + 0.5, i * cell + 0.5, cell - 1, cell - 1)
            found.append(svg.rect(*place, style, tip=tip, fill_opacity=strength))
            if style == "minus" and strength > 0.15:  # not by colour alone
                middle = i * cell + cell / 2
                found.append(
                    svg.line(left + (j + 0.3) * cell, middle, left + (j + 0.7) * cell, middle, "sign")
                )
    return found


def _merged(
    columns: Sequence[str], values: Sequence[Sequence[float]], left: float, cell: float
) -> list[Html]:
    """Large matrices: one path per shade, which keeps the file small."""
    shades: dict[tuple[str, float], list[str]] = {}
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            style, strength = _shade(value)
            step = round(strength * _LEVELS) / _LEVELS
            if step:
                square = f"M{left + j * cell:.1f} {i * cell:.1f}h{cell:.1f}v{cell:.1f}h-{cell:.1f}z"
                shades.setdefault((style, step), []).append(square)
    return [
        tag("path", d="".join(squares), class_=style, fill_opacity=step)
        for (style, step), squares in shades.items()
    ]


def _shade(value: float) -> tuple[str, float]:
    if not math.isfinite(value):
        return "unknown", 1.0
    return ("plus" if value >= 0 else "minus"), round(min(abs(value), 1.0), 3)


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + fixed(value, 2)
