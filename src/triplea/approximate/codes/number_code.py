"""Numeric columns as the entries of a vector, and back. Public: bounds from the schema, the rest released.

An entry is z = (u - centre) / spread, or the arsinh of that where `curved`, with u the value's place in its
public range, in [-1, 1]. The arsinh is linear near the centre and logarithmic far out, so that a heavy tail
neither dominates a clipped vector nor loses its order. With `knots` the arsinh is bent once more, so that a
column's bulk is normal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.normal_scores import bent, unbent
from triplea.schema import Column, Encoded, Schema, dump_schema, load_schema

Floats = NDArray[np.float64]
FARTHEST = 50.0  # sinh(50) exceeds every public range that floats can scale, and is still finite


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberCode:
    """The columns, and the centre and spread of each in units of half its public range."""

    columns: tuple[Column, ...]
    centres: Floats
    spreads: Floats
    curved: bool
    knots: Floats | None = None

    @classmethod
    def plain(cls, columns: Sequence[Column]) -> NumberCode:
        """The code that costs nothing: places in the public ranges."""
        width = len(columns)
        return cls(columns=tuple(columns), centres=np.zeros(width), spreads=np.ones(width), curved=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(column.name for column in self.columns)

    def encode(self, rows: Encoded) -> Floats:
        """Return one vector per row; a missing value is NaN."""
        n = len(rows[self.names[0]]) if self.columns else 0
        matrix = np.empty((n, len(self.columns)))
        for place, column in enumerate(self.columns):
            matrix[:, place] = self._entries(place, places(column, rows[column.name]))
        return matrix

    def entry(self, name: str, value: int | float) -> float:
        """The entry of one encoded value."""
        place = self.names.index(name)
        return float(self._entries(place, places(self.columns[place], np.asarray([value])))[0])

    def decode(self, matrix: Floats) -> Encoded:
        """Return the nearest allowed value to every entry."""
        rows: Encoded = {}
        for place, column in enumerate(self.columns):
            spots = np.clip(self._spots(place, matrix[:, place]), -1.0, 1.0)
            rows[column.name] = values_at(column, spots)
        return rows

    def _entries(self, place: int, spots: Floats) -> Floats:
        z = (spots - self.centres[place]) / self.spreads[place]
        z = np.arcsinh(z) if self.curved else z
        return z if self.knots is None else bent(z, self.knots[place])

    def _spots(self, place: int, entries: Floats) -> Floats:
        z = entries if self.knots is None else unbent(entries, self.knots[place])
        z = np.sinh(np.clip(z, -FARTHEST, FARTHEST)) if self.curved else z
        return np.asarray(self.centres[place] + self.spreads[place] * z)

    def state(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """Return a JSON-able description and the arrays that go with it."""
        listed = dump_schema(Schema(columns=self.columns))["columns"] if self.columns else []
        arrays = {"centres": self.centres, "spreads": self.spreads}
        if self.knots is not None:
            arrays["knots"] = self.knots
        return {"columns": listed, "curved": self.curved}, arrays

    @classmethod
    def from_state(cls, state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> NumberCode:
        """Rebuild what `state` gave."""
        columns = load_schema({"columns": state["columns"]}).columns if state["columns"] else ()
        return cls(
            columns=columns,
            centres=arrays["centres"],
            spreads=arrays["spreads"],
            curved=state["curved"],
            knots=arrays.get("knots"),
        )


def half_range(column: Column) -> float:
    """Half the public range of a column's encoded values; halved first, so that it cannot overflow."""
    if column.size is not None:
        return (column.size - 1) / 2.0
    lower, upper = column.bounds
    return upper / 2.0 - lower / 2.0


def middle(column: Column) -> float:
    """The middle of the public range of a column's encoded values."""
    if column.size is not None:
        return (column.size - 1) / 2.0
    lower, upper = column.bounds
    return upper / 2.0 + lower / 2.0


def places(column: Column, values: np.ndarray) -> Floats:
    """Place of every encoded value in the public range, in [-1, 1]; NaN for missing."""
    missing = values >= column.size if column.size is not None else np.isnan(values)
    half = half_range(column) or 1.0  # bounds that were found under the budget may coincide
    spots = np.clip((values.astype(np.float64) - middle(column)) / half, -1.0, 1.0)
    return np.asarray(np.where(missing, np.nan, spots))


def values_at(column: Column, spots: Floats) -> np.ndarray:
    """The encoded values at places in [-1, 1]: whole codes for a countable column."""
    wanted = middle(column) + half_range(column) * spots
    if column.size is None:
        lower, upper = (float(bound) for bound in column.bounds)
        return np.clip(wanted, lower, upper)
    codes = np.rint(np.minimum(wanted, 2.0**62)).astype(np.int64)  # floats near 2^63 would wrap around
    return np.clip(codes, 0, column.size - 1)
