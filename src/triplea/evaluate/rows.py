"""Real and synthetic rows in one form: category columns as codes, number columns as floats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Field:
    """What is publicly known of a column: its category `levels`, or its bounds if it holds numbers.

    Days and instants are numbers that count in `time_unit`.
    """

    name: str
    levels: tuple[str, ...] | None = None
    lower: float = 0.0
    upper: float = 1.0
    whole: bool = False
    time_unit: str | None = None

    @property
    def is_category(self) -> bool:
        """Whether the column holds categories and not numbers."""
        return self.levels is not None

    @property
    def width(self) -> float:
        """Length of the public range, never zero."""
        return max(self.upper - self.lower, 1e-12)


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Aligned rows: int64 codes with -1 for missing or unknown; float64 numbers with NaN for missing."""

    fields: tuple[Field, ...]
    values: Mapping[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.values[self.fields[0].name]) if self.fields else 0

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in schema order."""
        return tuple(field.name for field in self.fields)

    def field(self, name: str) -> Field:
        """Return the public description of one column."""
        return next(field for field in self.fields if field.name == name)

    def take(self, index: np.ndarray) -> Rows:
        """Return the rows at `index` (positions or a mask)."""
        return Rows(fields=self.fields, values={name: self.values[name][index] for name in self.names})

    def only(self, names: tuple[str, ...] | list[str]) -> Rows:
        """Return the named columns."""
        kept = tuple(field for field in self.fields if field.name in set(names))
        return Rows(fields=kept, values={field.name: self.values[field.name] for field in kept})

    def without(self, name: str) -> Rows:
        """Return all columns but one."""
        return self.only([other for other in self.names if other != name])

    def missing(self, name: str) -> np.ndarray:
        """Return a mask of the rows where the column is missing."""
        found = self.values[name]
        return found < 0 if self.field(name).is_category else np.isnan(found)

    def sample(self, count: int, rng: np.random.Generator) -> Rows:
        """Return at most `count` rows drawn without replacement; all of them if there are fewer."""
        if len(self) <= count:
            return self
        return self.take(np.sort(rng.choice(len(self), count, replace=False)))

    def bootstrap(self, count: int, rng: np.random.Generator) -> Rows:
        """Return `count` rows drawn with replacement."""
        return self.take(rng.integers(0, len(self), count))


def uniform_rows(fields: tuple[Field, ...], count: int, rng: np.random.Generator) -> Rows:
    """Draw rows that know nothing but the schema: each column uniform over its public domain."""
    values: dict[str, np.ndarray] = {}
    for field in fields:
        if field.levels is not None:
            values[field.name] = rng.integers(0, max(len(field.levels), 1), count)
        else:
            drawn = rng.uniform(field.lower, field.upper, count)
            values[field.name] = np.rint(drawn) if field.whole else drawn
    return Rows(fields=fields, values=values)
