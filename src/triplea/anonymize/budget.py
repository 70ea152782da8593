"""The privacy budget: how much the released values together may tell about one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from triplea.anonymize.neighbours import Neighbours
from triplea.errors import BudgetError

# Beyond these a release is all noise, or none: more likely a slip than a wish.
LEAST_EPSILON, MOST_EPSILON = 1e-6, 500.0


def is_real_number(value: object) -> bool:
    """True for ints and floats, False for bools, strings and everything else."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """True for whole numbers of at least one."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The promise: for all neighbouring tables, P[out] <= exp(epsilon) P'[out] + delta.

    `epsilon` is from 1e-6 to 500, `delta` is in [0, 1); delta = 0 allows pure mechanisms only
    (Laplace and exponential).
    """

    epsilon: float
    delta: float
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE

    def __post_init__(self) -> None:
        """Refuse numbers that promise nothing."""
        if not is_real_number(self.epsilon) or not (LEAST_EPSILON <= self.epsilon <= MOST_EPSILON):
            raise BudgetError(
                f"epsilon: got {self.epsilon!r}, allowed is a number from "
                f"{LEAST_EPSILON:g} to {MOST_EPSILON:g}. Choose for example "
                "epsilon=1.0 (smaller protects more)."
            )
        if not is_real_number(self.delta) or not (0 <= self.delta < 1):
            raise BudgetError(
                f"delta: got {self.delta!r}, allowed is 0 <= delta < 1. Choose well below one over the "
                "number of rows, for example delta=1e-6."
            )
        try:
            object.__setattr__(self, "neighbours", Neighbours(self.neighbours))
        except ValueError:
            allowed = ", ".join(repr(n.value) for n in Neighbours)
            raise BudgetError(
                f"neighbours: got {self.neighbours!r}, allowed are {allowed}. "
                "The usual choice is 'add-or-remove-one'."
            ) from None
        object.__setattr__(self, "epsilon", float(self.epsilon))
        object.__setattr__(self, "delta", float(self.delta))

    def to_json(self) -> dict[str, Any]:
        """The budget as plain JSON values."""
        return {"epsilon": self.epsilon, "delta": self.delta, "neighbours": self.neighbours.value}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Budget:
        """Read what `to_json` wrote; validates again."""
        return cls(epsilon=record["epsilon"], delta=record["delta"], neighbours=record["neighbours"])
