"""The smallest records: a number with its interval, and a note about something odd."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Score:
    """A number with a 95 % interval, if one was computed.

    `paper_metric` marks a number kept only because a paper reports it (ROC from hard labels, for one).
    """

    value: float
    low: float | None = None
    high: float | None = None
    paper_metric: bool = False
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something a reader must know about the numbers. `level` is "info" or "warning"."""

    code: str
    text: str
    level: str = "warning"
    column: str | None = None
