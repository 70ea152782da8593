"""ROC and precision-recall curves, real against synthetic, one small picture per model."""

from __future__ import annotations

from collections.abc import Sequence

from triplea.report import svg
from triplea.report.html import Html, tag
from triplea.report.numbers import fixed
from triplea.results import Curve

_WIDTH = 300.0
_AXES = {"roc": ("false alarms", "hits"), "pr": ("recall", "precision")}
_NAMES = {"roc": "ROC curve", "pr": "Precision-recall curve"}


def curve_picture(curves: Sequence[Curve], *, kind: str, model: str, scores: dict[str, float]) -> Html:
    """Draw one model's curves: solid when trained on real rows, dashed when on synthetic ones."""
    frame = svg.Frame(left=40, top=26, width=_WIDTH - 50, height=220)
    x, y = frame.x, frame.y
    across, upward = _AXES[kind]
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    lines = [
        svg.polyline(
            ((x(a), y(b)) for a, b in zip(curve.x, curve.y, strict=True)), f"{curve.trained_on}-curve"
        )
        for curve in sorted(curves, key=lambda curve: curve.trained_on)
        if curve.kind == kind and curve.trained_on in ("real", "synthetic")
    ]
    parts = [
        frame.y_axis(upward, ticks=ticks, write=_tick),
        frame.x_axis(across, ticks=ticks, write=_tick, grid=True),
        svg.line(x(0), y(0), x(1), y(1), "diagonal") if kind == "roc" else None,
        lines,
        *(
            svg.text(
                x(0.97), y(0.16 - 0.09 * i), f"{name}: {fixed(value)}", anchor="end", class_=f"{name}-text"
            )
            for i, (name, value) in enumerate(scores.items())
        ),
    ]
    found = ", ".join(f"trained on {name} rows: {fixed(value)}" for name, value in scores.items())
    title = f"{_NAMES[kind]}, {model}"
    return svg.picture(_WIDTH, frame.bottom + 36, parts, title=title, desc=f"Area {found}.")


def line_legend() -> Html:
    """Return the key to the lines."""
    items = [
        tag(
            "li",
            svg.picture(30, 12, svg.line(1, 6, 29, 6, f"{name}-curve"), title=f"{name} line", desc="key"),
            f"trained on {name} rows",
        )
        for name in ("real", "synthetic")
    ]
    return tag("ul", items, class_="legend")


def _tick(value: float) -> str:
    return f"{value:g}"
