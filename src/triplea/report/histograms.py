"""Real over synthetic, one column at a time: bars for what is real, an outline for what is synthetic."""

from __future__ import annotations

from triplea.report import svg
from triplea.report.html import Html, table, tag
from triplea.report.numbers import fixed, nice_ticks, share, short
from triplea.results import ColumnFidelity

_WIDTH = 300.0
_CATEGORIES = 8
_MISSING = "missing"


def column_picture(column: ColumnFidelity) -> Html:
    """Draw one column: a histogram of numbers, or bars of categories."""
    return _numbers(column) if column.edges is not None else _categories(column)


def column_table(column: ColumnFidelity) -> Html:
    """List every cell of one column."""
    rows = [
        (tag("bdi", label), share(real), share(ours))
        for label, real, ours in zip(column.labels, column.real, column.synthetic, strict=True)
        if real or ours or label != _MISSING
    ]
    return table(f"{column.name}: share of rows", ("value", "real", "synthetic"), rows)


def summary_of(column: ColumnFidelity) -> str:
    """Say in words what the picture shows, for those who do not see it."""
    gap = max(range(len(column.real)), key=lambda i: abs(column.real[i] - column.synthetic[i]))
    return (
        f"Total variation {fixed(column.total_variation)}. Largest gap at {column.labels[gap]}: real "
        f"{share(column.real[gap])}, synthetic {share(column.synthetic[gap])}."
    )


def _numbers(column: ColumnFidelity) -> Html:
    edges = column.edges or (0.0, 1.0)
    real, ours = column.real[:-1], column.synthetic[:-1]
    missing = (column.real[-1], column.synthetic[-1])
    room = 34.0 if any(missing) else 0.0
    top = max(*real, *ours, *missing, 1e-9)
    frame = svg.Frame(
        left=36, top=10, width=_WIDTH - 44 - room, height=104,
        x_range=(edges[0], edges[-1]), y_range=(0, top * 1.04),
    )  # fmt: skip
    parts = [
        frame.y_axis("", ticks=nice_ticks(0, top, 3), write=share),
        svg.bars(frame, edges, real, "real-area"),
        svg.steps(frame, edges, ours, "synthetic-line"),
        _ends(column, frame),
        _missing_bars(frame, missing, left=_WIDTH - room + 4) if room else "",
    ]
    return svg.picture(
        _WIDTH, frame.bottom + 20, parts, title=f"Histogram of {column.name}", desc=summary_of(column)
    )


def _ends(column: ColumnFidelity, frame: svg.Frame) -> Html:
    """The horizontal axis: round numbers, or the two ends of a time span."""
    base = svg.line(frame.left, frame.bottom, frame.left + frame.width, frame.bottom, "base")
    if column.edge_labels is None:
        x, parts, last = frame.x, [base], -100.0
        for value in nice_ticks(*frame.x_range):
            if x(value) - last > 30 and x(value) < frame.left + frame.width + 4:
                parts.append(svg.text(x(value), frame.bottom + 14, short(value), anchor="middle"))
                last = x(value)
        return tag("g", parts)
    first, last_label = (
        svg.clipped(label, 120) for label in _days(column.edge_labels[0], column.edge_labels[-1])
    )
    right = frame.left + frame.width
    return tag(
        "g",
        base,
        svg.text(frame.left, frame.bottom + 14, first),
        svg.text(right, frame.bottom + 14, last_label, anchor="end"),
    )


def _days(first: str, last: str) -> tuple[str, str]:
    """Two times without their hours, which have no room side by side, unless they are of one day."""
    days = first.partition("T")[0], last.partition("T")[0]
    return days if days[0] != days[1] else (first, last)


def _missing_bars(frame: svg.Frame, missing: tuple[float, float], *, left: float) -> Html:
    y = frame.y
    real, ours = missing
    return tag(
        "g",
        svg.rect(left, y(real), 22, frame.bottom - y(real), "real-area"),
        svg.path(
            f"M{svg.n(left)} {svg.n(frame.bottom)}V{svg.n(y(ours))}h22V{svg.n(frame.bottom)}",
            "synthetic-line",
        ),
        svg.line(left - 3, frame.bottom, left + 25, frame.bottom, "base"),
        svg.text(left + 11, frame.bottom + 14, "none", anchor="middle"),
    )


def _categories(column: ColumnFidelity) -> Html:
    rows = _largest(column)
    top = max(max(real, ours) for _, real, ours in rows) or 1.0
    left, high = 112.0, 26.0
    x = svg.linear(0, top, left, _WIDTH - 46)
    parts = []
    for position, (label, real, ours) in enumerate(rows):
        y = position * high + 3
        tip = f"{label}: real {share(real)}, synthetic {share(ours)}"
        parts.append(svg.text(left - 8, y + 13, svg.clipped(label, left - 10), anchor="end"))
        parts.append(svg.rect(left, y + 1, x(real) - left, 9, "real-area", tip=tip))
        parts.append(svg.rect(left, y + 11, x(ours) - left, 7, "synthetic-bar", tip=tip))
        gone = ours == 0 and real > 0
        words = "gone" if gone else share(ours)
        parts.append(svg.text(max(x(real), x(ours)) + 5, y + 14, words, class_="strong" if gone else None))
    parts.append(svg.line(left, 0, left, len(rows) * high, "base"))
    return svg.picture(
        _WIDTH, len(rows) * high + 2, parts, title=f"Shares of {column.name}", desc=summary_of(column)
    )


def _largest(column: ColumnFidelity) -> list[tuple[str, float, float]]:
    """The categories with the largest shares; the others together."""
    cells = [
        (label, real, ours)
        for label, real, ours in zip(column.labels, column.real, column.synthetic, strict=True)
        if real or ours or (len(column.labels) <= _CATEGORIES and label != _MISSING)
    ]
    cells.sort(key=lambda cell: -max(cell[1], cell[2]))
    if len(cells) <= _CATEGORIES:
        return cells or [("no rows", 0.0, 0.0)]
    kept, rest = cells[: _CATEGORIES - 1], cells[_CATEGORIES - 1 :]
    return [*kept, (f"{len(rest)} others", sum(c[1] for c in rest), sum(c[2] for c in rest))]
