"""What was asked, what it cost, and where its bound is proved: one entry per question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from triplea.anonymize.charges import Charge

NOT_ASKED = "not asked"  # the question of an entry that was planned and paid for, and never put to the rows


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """One question that was charged. Everything here is public: it describes the asking, not the rows."""

    charge: Charge
    question: str
    proof: str
    sensitivity: float | None = None
    norm: str | None = None
    noise_from: float | None = None
    noise_to: float | None = None
    numbers: int | None = None
    reasons: tuple[str, ...] = ()

    @property
    def was_asked(self) -> bool:
        """Whether rows were read for it."""
        return self.question != NOT_ASKED

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able form."""
        return {
            "charge": self.charge.to_json(),
            "question": self.question,
            "proof": self.proof,
            "sensitivity": self.sensitivity,
            "norm": self.norm,
            "noise_from": self.noise_from,
            "noise_to": self.noise_to,
            "numbers": self.numbers,
            "reasons": list(self.reasons),
        }

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> LedgerEntry:
        """Rebuild what `to_json` gave."""
        fields = {**state, "charge": Charge.from_json(state["charge"]), "reasons": tuple(state["reasons"])}
        return cls(**fields)


@dataclass
class Ledger:
    """The questions of one release, in the order they were charged."""

    entries: list[LedgerEntry] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # what a reader of the certificate must know besides

    def asked(self, label: str) -> int:
        """How often a label was charged so far."""
        return sum(entry.charge.label == label for entry in self.entries)

    @property
    def charges(self) -> Sequence[Charge]:
        """Every single charge, ready for the accountant."""
        return [entry.charge for entry in self.entries]
