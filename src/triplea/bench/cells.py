"""One cell of a grid: a method on a data set at an epsilon with a seed, looked at by one evaluator."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

REAL = "real"  # no method at all: the real training rows themselves, the ceiling of every table
ONE_OVER_ROWS = "1/n"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What is run. `delta` is a number, or "1/n" for one over the training rows.

    The real rows have neither epsilon nor delta.
    """

    method: str
    dataset: str
    evaluator: str
    seed: int
    variant: str = "provable"
    epsilon: float | None = None
    delta: float | str | None = None
    neighbours: str = "add-or-remove-one"
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """A short name that depends on every field, and on nothing else."""
        return _digest(asdict(self))

    @property
    def release_id(self) -> str:
        """The same for all evaluators of one release."""
        return _digest({**asdict(self), "evaluator": None})

    @property
    def label(self) -> str:
        """A few words for a progress display."""
        variant = "" if self.variant == "provable" else f" ({self.variant})"
        epsilon = "" if self.epsilon is None else f", epsilon {self.epsilon:g}"
        return f"{self.method}{variant} on {self.dataset}{epsilon}, seed {self.seed}"

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "params": dict(self.params)}

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> Cell:
        """Rebuild a cell."""
        return cls(**state)


def by_release(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Put the cells that share a release together, so that it is made once."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.release_id, []).append(cell)
    return list(groups.values())


def _digest(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
