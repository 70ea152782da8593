"""Records of a release: what was made, what is guaranteed, and what was paid for it. All of it is public."""

from __future__ import annotations

from dataclasses import dataclass, field

PROVED, CLAIMED, NONE = "proved", "claimed", "none"


@dataclass(frozen=True, kw_only=True)
class PaidQuestion:
    """One entry of the ledger. `share` is its part of the budget; None if it has no proved price."""

    label: str
    mechanism: str
    share: float | None
    proof: str
    times: int = 1
    sensitivity: float | None = None
    norm: str | None = None
    noise_from: float | None = None
    noise_to: float | None = None
    numbers: int | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The promise. `status` is "proved", "claimed" (by a paper only) or "none" (rows read in the clear).

    `curve` holds pairs (epsilon, delta): all of them hold at once.
    """

    status: str
    sentence: str
    epsilon: float
    epsilon_proved: float | None
    delta: float
    neighbours: str
    unit: str
    curve: tuple[tuple[float, ...], ...] = ()
    questions: tuple[PaidQuestion, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is not proved; empty when it is."""
        return tuple(reason for question in self.questions for reason in question.reasons)


@dataclass(frozen=True, kw_only=True)
class PublicColumn:
    """A column as the schema describes it."""

    name: str
    kind: str
    domain: str
    nullable: bool
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReleaseFacts:
    """What may be said about a release to anybody: schema, certificate, and nothing else."""

    name: str | None
    method: str
    variant: str
    rows: int
    target: str | None
    columns: tuple[PublicColumn, ...]
    guarantee: Guarantee
    created: str
    parameters: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    data_sha256: str | None = None
