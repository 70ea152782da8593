"""Badges for a README: what is claimed, and what an audit measured."""

from __future__ import annotations

from triplea.audit.verdicts import CONSISTENT, AuditReport, rounded_down
from triplea.report.html import Html, tag

LETTER, PAD, HEIGHT = 6.4, 8.0, 20.0
GOOD, BAD, PLAIN = "#00694f", "#a03000", "#565d66"


def badge_text(report: AuditReport) -> tuple[str, str]:
    """The two halves of a badge."""
    claimed = (
        "no claim" if report.claim.kind == "none" else f"ε = {report.claim.epsilon:g} {report.claim.kind}"
    )
    name = report.method if report.variant == "provable" else f"{report.method} ({report.variant})"
    return f"{name}: {claimed}", f"measured ≥ {rounded_down(report.measured, 2)}"


def badge(report: AuditReport) -> Html:
    """One small picture in two colours; the words say all, the colour only helps."""
    left, right = badge_text(report)
    widths = [PAD * 2 + LETTER * len(text) for text in (left, right)]
    colours = (PLAIN, GOOD if report.status == CONSISTENT else BAD)
    parts, start = [], 0.0
    for text, width, colour in zip((left, right), widths, colours, strict=True):
        parts.append(tag("rect", x=start, y=0, width=width, height=HEIGHT, fill=colour))
        middle = start + width / 2
        parts.append(tag("text", text, x=middle, y=14, fill="#fff", text_anchor="middle"))
        start += width
    return tag(
        "svg", tag("title", f"{left}, {right}"), tag("g", parts, font_family=FONT, font_size=11),
        xmlns="http://www.w3.org/2000/svg", width=start, height=HEIGHT, role="img",
    )  # fmt: skip


FONT = "Verdana, DejaVu Sans, sans-serif"


def badge_line(reports: list[AuditReport], *, folder: str, link: str) -> str:
    """Markdown that shows the badges side by side, each with its words for those who do not see it."""
    shown = []
    for report in reports:
        words = ", ".join(badge_text(report))
        shown.append(f"[![{words}]({folder}/{file_name(report)})]({link})")
    return "\n".join(shown)


def file_name(report: AuditReport) -> str:
    """Where a badge lies."""
    return f"audit-{report.method}-{report.variant}.svg"
