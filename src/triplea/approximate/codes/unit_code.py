"""Rows as vectors in [0, 1], scaled by what the rows hold: for published algorithms only.

The scaling reads rows (smallest and largest value, or all quantiles), as the papers do; so it is no part of
any provable method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from triplea.schema import Column, Encoded, Schema, dump_schema, load_schema

Floats = NDArray[np.float64]
KNOTS = 201  # quantiles that the normal-quantile scaling keeps
TAIL = 3.0  # its normal scores are cut at plus and minus this unless told otherwise, then scaled to [0, 1]
CODES, SCALINGS = ("ordinal", "one-hot"), ("min-max", "normal-quantile")


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitCode:
    """The columns, which of them are one-hot, and for all others the knots that map values to [0, 1].

    A column of numbers: knots[i] is the value at place i / (knots - 1). With two knots it is min-max scaling.
    """

    columns: tuple[Column, ...]
    one_hot: tuple[bool, ...]
    knots: Floats
    normal: bool
    tail: float = TAIL

    @classmethod
    def fitted(
        cls,
        schema: Schema,
        names: Sequence[str],
        rows: Encoded,
        *,
        codes: str,
        scaling: str,
        tail: float = TAIL,
    ) -> UnitCode:
        """Scale by the rows' own values. A missing number counts as the median."""
        columns = tuple(schema.column(name) for name in names)
        one_hot = tuple(codes == "one-hot" and column.is_discrete and column.cells > 2 for column in columns)
        normal = scaling == "normal-quantile"
        at = np.linspace(0.0, 1.0, KNOTS if normal else 2)
        knots = [_quantiles(_numbers(column, rows[column.name]), at) for column in columns]
        lines = np.array(knots).reshape(len(columns), -1)
        return cls(columns=columns, one_hot=one_hot, knots=lines, normal=normal, tail=tail)

    @property
    def widths(self) -> list[int]:
        """How many entries each column has."""
        return [c.cells if hot else 1 for c, hot in zip(self.columns, self.one_hot, strict=True)]

    @property
    def width(self) -> int:
        """How many entries a vector has."""
        return sum(self.widths)

    @property
    def is_number(self) -> NDArray[np.bool_]:
        """For every entry, whether it is a number; else it is part of a one-hot column."""
        return np.repeat(~np.array(self.one_hot, dtype=bool), self.widths)

    def encode(self, rows: Encoded) -> Floats:
        """One vector in [0, 1] per row."""
        blocks = [
            np.eye(column.cells)[np.clip(rows[column.name], 0, column.cells - 1)]
            if hot
            else self._scaled(_numbers(column, rows[column.name]), knots)[:, None]
            for column, hot, knots in zip(self.columns, self.one_hot, self.knots, strict=True)
        ]
        return np.concatenate(blocks, axis=1) if blocks else np.zeros((0, 0))

    def decode(self, vectors: Floats, *, rng: np.random.Generator) -> Encoded:
        """Rows from vectors: numbers by the inverse scaling, categories drawn by their one-hot entries."""
        rows: Encoded = {}
        start = 0
        for column, hot, knots, width in zip(
            self.columns, self.one_hot, self.knots, self.widths, strict=True
        ):
            block = vectors[:, start : start + width]
            rows[column.name] = (
                _drawn(block, rng) if hot else _values(column, self._unscaled(block[:, 0], knots))
            )
            start += width
        return rows

    def _scaled(self, values: Floats, knots: Floats) -> Floats:
        if not self.normal:
            span = knots[-1] - knots[0]
            return np.clip((values - knots[0]) / span, 0.0, 1.0) if span > 0 else np.full(len(values), 0.5)
        low, high = (np.searchsorted(knots, values, side=side) for side in ("left", "right"))
        place = np.clip((low + high - 1) / (2.0 * (len(knots) - 1)), 0.0, 1.0)  # the middle of equal knots
        return np.asarray(np.clip(ndtri(np.clip(place, 1e-6, 1 - 1e-6)) / self.tail, -1.0, 1.0) / 2.0 + 0.5)

    def _unscaled(self, places: Floats, knots: Floats) -> Floats:
        inside = np.clip(places, 0.0, 1.0)
        if self.normal:
            inside = ndtr((inside - 0.5) * 2.0 * self.tail)
        return np.interp(inside, np.linspace(0.0, 1.0, len(knots)), knots)

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return a JSON-able description and the arrays that go with it."""
        listed = dump_schema(Schema(columns=self.columns))["columns"] if self.columns else []
        flags = {"one_hot": list(self.one_hot), "normal": self.normal, "tail": self.tail}
        return {"columns": listed, **flags}, {"knots": self.knots}

    @classmethod
    def from_state(cls, description: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> UnitCode:
        """Rebuild what `state` gave."""
        listed = description["columns"]
        columns = load_schema({"columns": listed}).columns if listed else ()
        hot = tuple(bool(flag) for flag in description["one_hot"])
        normal, tail = bool(description["normal"]), float(description.get("tail", TAIL))
        return cls(columns=columns, one_hot=hot, knots=arrays["knots"], normal=normal, tail=tail)


def _numbers(column: Column, values: np.ndarray) -> Floats:
    """Codes or numbers as floats; a missing category is one more code, a missing number is the median."""
    numbers = values.astype(np.float64)
    if column.is_discrete:
        return numbers
    missing = values >= column.size if column.size is not None else np.isnan(numbers)
    if missing.any():
        numbers[missing] = np.median(numbers[~missing]) if (~missing).any() else 0.0
    return numbers


def _quantiles(values: Floats, at: Floats) -> Floats:
    return np.quantile(values, at) if len(values) else np.zeros(len(at))


def _values(column: Column, numbers: Floats) -> np.ndarray:
    if column.size is None:
        lower, upper = (float(bound) for bound in column.bounds)
        return np.clip(numbers, lower, upper)
    top = column.cells - 1 if column.is_discrete else column.size - 1
    return np.clip(np.rint(numbers), 0, top).astype(np.int64)


def nearest_shares(lines: Floats) -> Floats:
    """Project every line onto the probability simplex (Euclidean distance).

    >>> nearest_shares(np.array([[0.9, 0.3, -0.2]]))
    array([[0.8, 0.2, 0. ]])
    """
    ordered = np.sort(lines, axis=1)[:, ::-1]
    excess = (np.cumsum(ordered, axis=1) - 1.0) / np.arange(1, lines.shape[1] + 1)
    last = (ordered > excess).cumsum(axis=1).argmax(axis=1)
    return np.asarray(np.maximum(lines - excess[np.arange(len(lines)), last][:, None], 0.0))


def _drawn(weights: Floats, rng: np.random.Generator) -> np.ndarray:
    """A category for every line, by the distribution that is nearest to it: what noise added is cut off."""
    ends = np.cumsum(nearest_shares(weights), axis=1)
    spot = rng.random((len(weights), 1)) * ends[:, -1:]
    return np.asarray(np.minimum((ends <= spot).sum(axis=1), weights.shape[1] - 1), dtype=np.int64)
