"""The certificate: what is guaranteed, for whom, by which questions, and what is not covered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from typing import Any

from triplea.anonymize.accountant import curve, epsilon_of
from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.ledger import LedgerEntry
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Mechanism
from triplea.errors import ReleaseError

VERSION = 1
CURVE_EPSILONS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
NOT_COVERED = (
    "The schema: bounds, categories, nullability and the target are treated as public knowledge.",
    "Timing, memory use and other side channels of the computer that made the release.",
    "Anything computed from the real rows outside this ledger, such as an evaluation report.",
    "What can be learned about people from the population as a whole, whether or not their row was used.",
)


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """A guarantee that can be checked without the data: `verify` recomputes it from the entries."""

    method: str
    variant: str
    parameters: dict[str, Any]
    budget: Budget
    unit: str
    entries: tuple[LedgerEntry, ...]
    epsilon_proved: float
    delta_curve: tuple[tuple[float, float], ...]
    warnings: tuple[str, ...]
    seeded: bool
    created: str
    versions: dict[str, str]
    rows: int
    schema_sha256: str
    notes: tuple[str, ...] = ()
    data_sha256: str | None = None
    model_sha256: str | None = None
    not_covered: tuple[str, ...] = field(default=NOT_COVERED)

    @property
    def charges(self) -> Sequence[Charge]:
        """The charges to price."""
        return [entry.charge for entry in self.entries]

    @property
    def proved(self) -> bool:
        """Whether a finite epsilon is proved."""
        return math.isfinite(self.epsilon_proved)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the guarantee is only claimed, or absent; empty when it is proved."""
        return tuple(reason for entry in self.entries for reason in entry.reasons)

    @property
    def sentence(self) -> str:
        """The guarantee in one sentence."""
        adding = self.budget.neighbours is Neighbours.ADD_OR_REMOVE_ONE
        relation = "adding or removing" if adding else "replacing"
        if self.proved:
            seeded = "NOT FOR RELEASE, the noise is seeded. With fresh noise this table would be"
            return (
                f"{seeded if self.seeded else 'This table is'} "
                f"(epsilon = {rounded_up(self.epsilon_proved, 4)}, "
                f"delta = {rounded_up(self.budget.delta, 3)})-differentially private "
                f"for {relation} {self.unit}: proved."
            )
        if any(charge.mechanism is Mechanism.CLEAR for charge in self.charges):
            return "NON-PRIVATE: made from rows read in the clear. No epsilon is proved or claimed."
        return (
            f"(epsilon = {self.budget.epsilon:.4g}, delta = {self.budget.delta:.3g}) is claimed by the paper "
            f"for {relation} {self.unit}, and NOT proved. Proved epsilon: infinite."
        )

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able form. An infinite epsilon is null, because JSON has no infinity."""
        return {
            "certificate": VERSION,
            "sentence": self.sentence,
            "method": self.method,
            "variant": self.variant,
            "parameters": self.parameters,
            "epsilon_target": self.budget.epsilon,
            "epsilon_proved": self.epsilon_proved if self.proved else None,
            "proved": self.proved,
            "delta": self.budget.delta,
            "neighbours": self.budget.neighbours.value,
            "unit": self.unit,
            "delta_curve": [list(point) for point in self.delta_curve],
            "entries": [entry.to_json() for entry in self.entries],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "not_covered": list(self.not_covered),
            "seeded": self.seeded,
            "created": self.created,
            "versions": self.versions,
            "rows": self.rows,
            "schema_sha256": self.schema_sha256,
            "data_sha256": self.data_sha256,
            "model_sha256": self.model_sha256,
        }

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> Certificate:
        """Rebuild what `to_json` gave; a damaged record is refused."""
        try:
            return cls(
                method=state["method"],
                variant=state["variant"],
                parameters=state["parameters"],
                budget=Budget(
                    epsilon=state["epsilon_target"], delta=state["delta"], neighbours=state["neighbours"]
                ),
                unit=state["unit"],
                entries=tuple(LedgerEntry.from_json(entry) for entry in state["entries"]),
                epsilon_proved=math.inf
                if state["epsilon_proved"] is None
                else float(state["epsilon_proved"]),
                delta_curve=tuple((float(e), float(d)) for e, d in state["delta_curve"]),
                warnings=tuple(state["warnings"]),
                notes=tuple(state["notes"]),
                not_covered=tuple(state["not_covered"]),
                seeded=state["seeded"],
                created=state["created"],
                versions=state["versions"],
                rows=state["rows"],
                schema_sha256=state["schema_sha256"],
                data_sha256=state["data_sha256"],
                model_sha256=state.get("model_sha256"),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ReleaseError(
                f"certificate.json is damaged or of another version (expected version {VERSION}): "
                f"{type(error).__name__}. Ask the owner for the original file."
            ) from error


def rounded_up(value: float, digits: int) -> str:
    """Write a bound with so many significant digits, and never smaller than it is.

    >>> rounded_up(0.99661, 4), rounded_up(1e-05, 3), rounded_up(0.0, 3)
    ('0.9967', '1e-05', '0')
    """
    exact = Decimal(repr(float(value)))
    unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return f"{float((exact / unit).to_integral_value(ROUND_CEILING) * unit):.{digits}g}"


def price(entries: Sequence[LedgerEntry], budget: Budget) -> tuple[float, tuple[tuple[float, float], ...]]:
    """Return the proved epsilon at the budget's delta, and the delta(epsilon) curve."""
    charges = [entry.charge for entry in entries]
    epsilon = epsilon_of(charges, delta=budget.delta, neighbours=budget.neighbours)
    if not math.isfinite(epsilon):
        return math.inf, ()
    points = curve(charges, epsilons=CURVE_EPSILONS, neighbours=budget.neighbours)
    return epsilon, tuple((float(e), float(d)) for e, d in points)
