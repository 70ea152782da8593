"""The two witnesses of a replay: one writes down what the door saw, the other forces it and compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

ROUNDING = 1e-9  # relative: the exact answers are whole numbers times a grid, compared in floating point
Exact = np.ndarray | Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One question that both runs asked: how far the exact answers lie apart, and how far they may."""

    label: str
    norm: str
    measured: float
    allowed: float

    @property
    def holds(self) -> bool:
        """Whether the priced bound covers the distance; a distance that is no number is never covered."""
        return self.measured <= self.allowed * (1 + ROUNDING)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A way in which the two runs can be told apart that the price does not cover."""

    what: str
    label: str | None = None
    measured: float | None = None
    allowed: float | None = None

    def __str__(self) -> str:
        where = f"at {self.label!r}: " if self.label is not None else ""
        return where + self.what


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question as the first run asked it."""

    label: str
    norm: str
    bound: float
    exact: Exact
    released: Any


class Recorder:
    """A witness that writes everything down and changes nothing."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def saw(
        self, *, label: str, exact: np.ndarray, released: np.ndarray, bound: float, norm: str
    ) -> np.ndarray:
        """Keep a noisy sum or a choice."""
        copies = exact.copy(), released.copy()
        self.questions.append(
            Question(label=label, norm=norm, bound=bound, exact=copies[0], released=copies[1])
        )
        return released

    def saw_keys(
        self, *, label: str, exact: Mapping[str, int], released: tuple[str, ...], bound: float
    ) -> tuple[str, ...]:
        """Keep the counts of unlisted categories."""
        self.questions.append(
            Question(label=label, norm="keys", bound=bound, exact=dict(exact), released=released)
        )
        return released


class _Diverged(Exception):
    """The second run asks something else than the first: nothing recorded can be handed out."""


@dataclass
class Replayer:
    """A witness that hands out recorded answers and compares the exact ones."""

    recorded: list[Question]
    steps: list[Step] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    diverged: bool = False

    def saw(
        self, *, label: str, exact: np.ndarray, released: np.ndarray, bound: float, norm: str
    ) -> np.ndarray:
        """Hand out the recorded answer to a sum or a choice."""
        before = self._next(label=label, norm=norm, bound=bound, exact=exact)
        if np.shape(before.released) != np.shape(released):
            self._diverge(
                label, f"the answer has shape {np.shape(released)}, before {np.shape(before.released)}"
            )
        return np.array(before.released)

    def saw_keys(
        self, *, label: str, exact: Mapping[str, int], released: tuple[str, ...], bound: float
    ) -> tuple[str, ...]:
        """Hand out the recorded categories."""
        del released
        shown: tuple[str, ...] = self._next(label=label, norm="keys", bound=bound, exact=exact).released
        return shown

    def unasked(self, error: object) -> list[Finding]:
        """The question that the first run asked and the second did not, unless an error says why."""
        if self.diverged or error is not None or len(self.steps) == len(self.recorded):
            return []
        label = self.recorded[len(self.steps)].label
        return [Finding(what="the question was asked of the first table only", label=label)]

    def _next(self, *, label: str, norm: str, bound: float, exact: Exact) -> Question:
        if len(self.steps) == len(self.recorded):
            self._diverge(label, "the question was asked of the second table only")
        before = self.recorded[len(self.steps)]
        if (before.label, before.norm) != (label, norm):
            self._diverge(
                label, f"the first table was asked {before.label!r} ({before.norm}) instead, not {norm}"
            )
        if _shape(before.exact) != _shape(exact):
            self._diverge(label, f"the exact answer has shape {_shape(exact)}, before {_shape(before.exact)}")
        if before.bound != bound:
            self._note(label, f"the price rests on the bound {bound:.6g}, before on {before.bound:.6g}")
        step = Step(
            label=label, norm=norm, measured=_distance(before.exact, exact, norm), allowed=before.bound
        )
        self.steps.append(step)
        if not step.holds:
            what = f"the exact answers differ by {step.measured:.6g} ({norm}), priced were {step.allowed:.6g}"
            self.findings.append(
                Finding(what=what, label=label, measured=step.measured, allowed=step.allowed)
            )
        return before

    def _note(self, label: str, what: str) -> None:
        self.findings.append(Finding(what=what, label=label))

    def _diverge(self, label: str, what: str) -> NoReturn:
        self._note(label, what)
        self.diverged = True
        raise _Diverged


def _shape(exact: Exact) -> tuple[int, ...]:
    return () if isinstance(exact, Mapping) else exact.shape


def _distance(before: Exact, after: Exact, norm: str) -> float:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        names = sorted({*before, *after})
        gap = np.array([before.get(name, 0) - after.get(name, 0) for name in names], dtype=float)
    else:
        with np.errstate(invalid="ignore"):  # infinity minus infinity is no number, and counts as such
            gap = np.ravel(np.asarray(before, dtype=float) - np.asarray(after, dtype=float))
    if not np.all(np.isfinite(gap)):
        return float("inf")
    orders = {"L1": 1, "L2": 2, "keys": 2, "max": np.inf}
    return float(np.linalg.norm(gap, ord=orders[norm])) if gap.size else 0.0
