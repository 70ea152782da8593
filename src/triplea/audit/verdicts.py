"""What an audit found: the claim, the lower bound beside it, and the verdict in one sentence."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from triplea.audit.bounds import allowed_misses, gaussian_misses

FORMAT = "triplea-audit/1"
CONSISTENT, VIOLATED, NO_CLAIM = "consistent", "violated", "no claim"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a method promises: (epsilon, delta), and where all noise is Gaussian its exact mu.

    `curve` holds further proved pairs (epsilon, delta). `kind` is "proved", "claimed" or "none".
    """

    epsilon: float
    delta: float
    kind: str
    neighbours: str
    mu: float | None = None
    curve: tuple[tuple[float, float], ...] = ()

    def misses(self, alpha: float) -> float:
        """The least rate of misses that the claim allows at a rate of false alarms."""
        if self.mu is not None:
            return gaussian_misses(alpha, self.mu)
        pairs = ((self.epsilon, self.delta), *self.curve)
        return max(allowed_misses(alpha, epsilon, delta) for epsilon, delta in pairs)


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A lower bound by one test: its name, the counted errors and what follows from them."""

    test: str
    epsilon: float
    risk: float
    alarms: int
    misses: int
    runs: int
    mu: float | None = None
    mu_estimate: float | None = None

    @property
    def alpha(self) -> float:
        """The measured rate of false alarms."""
        return self.alarms / self.runs

    @property
    def beta(self) -> float:
        """The measured rate of misses."""
        return self.misses / self.runs


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What the page draws: a histogram of the statistic on both tables, and the rates at many thresholds."""

    edges: tuple[float, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    threshold: float
    alphas: tuple[float, ...]
    betas: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class WhiteBox:
    """What record and replay said about pairs of tables, and the smallest pair that broke a bound."""

    pairs: int
    questions: int
    used: float
    findings: tuple[str, ...] = ()
    smallest: dict[str, Any] | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, kw_only=True)
class OneRun:
    """Guesses about canaries of a single run, and the bound that follows."""

    canaries: int
    guesses: int
    correct: int
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class AuditReport:
    """One method and variant, attacked."""

    method: str
    variant: str
    claim: Claim
    pair: str
    why: str
    confidence: float
    bounds: tuple[Bound, ...]
    runs: int
    seconds: float
    white_box: WhiteBox | None = None
    one_run: OneRun | None = None
    picture: Picture | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    repeated: bool = False
    created: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> Bound | None:
        """The test with the largest bound."""
        return max(self.bounds, key=lambda bound: bound.epsilon, default=None)

    @property
    def measured(self) -> float:
        """The largest lower bound on epsilon."""
        return max((bound.epsilon for bound in self.bounds), default=0.0)

    @property
    def status(self) -> str:
        """`violated`, `no claim` or `consistent`."""
        if violates(self.bounds, self.claim) or not (self.white_box is None or self.white_box.ok):
            return VIOLATED
        if self.one_run is not None and self.one_run.epsilon > self.claim.epsilon:
            return VIOLATED
        return NO_CLAIM if self.claim.kind == "none" else CONSISTENT

    @property
    def verdict(self) -> str:
        """The finding in one sentence."""
        percent = f"{100 * self.confidence:g} %"
        if self.status == VIOLATED and violates(self.bounds, self.claim):
            return f"violated: measured epsilon >= {rounded_down(self.measured, 1)} at {percent}"
        if self.status == VIOLATED and self.white_box is not None and self.white_box.findings:
            return f"violated: {self.white_box.findings[0]}"
        if self.status == VIOLATED and self.one_run is not None:
            return f"violated: measured epsilon >= {rounded_down(self.one_run.epsilon, 1)} at {percent}"
        measured = f"measured >= {rounded_down(self.measured, 2)}"
        if self.status == NO_CLAIM:
            return f"no claim: rows are read in the clear ({measured})"
        return f"consistent with epsilon = {self.claim.epsilon:g} ({measured})"

    @property
    def tightness(self) -> float | None:
        """The measured mu as a share of the theoretical one, where all noise is Gaussian."""
        found = [bound.mu for bound in self.bounds if bound.mu is not None]
        return max(found) / self.claim.mu if found and self.claim.mu else None

    def to_json(self) -> dict[str, Any]:
        """Plain values; infinite numbers are written as text by the caller."""
        derived = {"status": self.status, "verdict": self.verdict, "measured": self.measured}
        return {"format": FORMAT, **derived, "tightness": self.tightness, **asdict(self)}

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> AuditReport:
        """Rebuild what `to_json` gave; unknown keys of later versions are left out."""
        known = {name: state[name] for name in cls.__dataclass_fields__ if name in state}
        claim = {**known["claim"], "curve": tuple(map(tuple, known["claim"]["curve"]))}
        parts: dict[str, Any] = {
            "claim": Claim(**claim),
            "bounds": tuple(Bound(**bound) for bound in known["bounds"]),
        }
        kinds: dict[str, Any] = {"white_box": WhiteBox, "one_run": OneRun, "picture": Picture}
        for name, kind in kinds.items():
            if known.get(name) is not None:
                parts[name] = kind(**{k: _tupled(v) for k, v in known[name].items()})
        return cls(**{**known, **parts})


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def violates(bounds: tuple[Bound, ...], claim: Claim) -> bool:
    """Whether a bound lies above the claim: on epsilon, or on mu where the claim has one."""
    return any(
        bound.epsilon > claim.epsilon if bound.mu is None or claim.mu is None else bound.mu > claim.mu
        for bound in bounds
    )


def rounded_down(value: float, digits: int) -> str:
    """A lower bound must stay one when it is written.

    >>> rounded_down(0.839, 2), rounded_down(7.96, 1)
    ('0.83', '7.9')
    """
    if math.isinf(value):
        return "infinity"
    return f"{math.floor(value * 10**digits + 1e-9) / 10**digits:.{digits}f}"
