"""Rows as numbers in [0, 1] and as codes: what features are computed from and what a generator puts out.

A numeric column becomes one coordinate: its place in its public range, or on a scale of released cells that
hold about equally many rows. Where a value can be an exact number of its own (an atom) or missing, a block of
states says so. A discrete column is a block of its categories. Everything here is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.schema import Encoded, Schema, len_of

NEAR = 0.05  # how close, on the unit scale, a generated number must be to a given one
MIDDLE = 0.5  # where a missing number stands; its state tells it apart


class Coordinates(Protocol):
    """Turns rows into coordinates (n x numbers, float32) and block codes (n x blocks), and back."""

    numbers: int
    blocks: tuple[int, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""

    def encode(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and codes of rows."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a column lives: its coordinate, its block, or both."""

    name: str
    binning: Binning
    number: int | None = None
    block: int | None = None

    @property
    def states(self) -> int:
        """Cells of the block: categories, or (an ordinary value, atoms ..., missing)."""
        own = self.binning
        return own.cells if self.number is None else 1 + len(own.atoms) + int(own.nullable)


class MixedCoordinates:
    """The coordinates of a table with columns of all kinds, from one public binning per column.

    Columns in `discrete` are blocks with a state for every cell; the others are numbers on the scale of their
    binning's intervals.
    """

    def __init__(self, *, binnings: Mapping[str, Binning], discrete: Sequence[str]) -> None:
        self.binnings = dict(binnings)
        self.discrete = tuple(name for name in self.binnings if name in set(discrete))
        places: list[Place] = []
        blocks: list[int] = []
        numbers = 0
        for name, binning in self.binnings.items():
            number = None if name in self.discrete else numbers
            has_block = number is None or binning.nullable or len(binning.atoms) > 0
            place = Place(name=name, binning=binning, number=number, block=len(blocks) if has_block else None)
            numbers += number is not None
            if has_block:
                blocks.append(place.states)
            places.append(place)
        self.places = tuple(places)
        self.numbers = numbers
        self.blocks = tuple(blocks)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(self.binnings)

    @property
    def anchors(self) -> dict[int, tuple[int, np.ndarray]]:
        """For every number with states: its block and the coordinate of every state but the first."""
        found = {}
        for place in self.places:
            if place.number is not None and place.block is not None:
                atoms = place.binning.atoms
                spots = _scaled(place.binning, atoms) if len(atoms) else np.zeros(0)
                missing = [MIDDLE] if place.binning.nullable else []
                found[place.number] = (place.block, np.concatenate([spots, missing]).astype(np.float32))
        return found

    def encode(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (n x numbers, float32, all finite) and codes (n x blocks) of rows."""
        n = len_of(rows)
        numbers = np.empty((n, self.numbers), dtype=np.float32)
        codes = np.zeros((n, len(self.blocks)), dtype=np.int32)
        for place in self.places:
            values = rows[place.name]
            if place.number is None:
                codes[:, place.block] = place.binning.assign(values)
                continue
            missing = _missing(place.binning, values)
            spots = _scaled(place.binning, np.where(missing, place.binning.edges[0], values))
            numbers[:, place.number] = np.where(missing, MIDDLE, spots)
            if place.block is not None:
                codes[:, place.block] = _states(place.binning, values, missing)
        return numbers, codes

    def decode(self, numbers: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> Encoded:
        """Rows in the columns' own ranges, whatever the numbers; blocks of several values draw one."""
        rows: Encoded = {}
        for place in self.places:
            if place.number is None:
                rows[place.name] = place.binning.draw(codes[:, place.block], rng)
                continue
            values = _unscaled(place.binning, numbers[:, place.number].astype(np.float64))
            if place.block is not None:
                values = _with_states(place.binning, values, codes[:, place.block])
            rows[place.name] = values
        return rows

    def log_chances(
        self, numbers: np.ndarray, chances: list[np.ndarray], fixed: Mapping[str, int | float]
    ) -> np.ndarray:
        """How likely each point and its chances of codes give the wanted values, as logarithms."""
        wanted = {p.name: np.full(1, fixed.get(p.name, p.binning.edges[0])) for p in self.places}
        spots, codes = self.encode(wanted)
        logs = np.zeros(len(numbers))
        for place in (place for place in self.places if place.name in fixed):
            code = 0
            if place.block is not None:
                code = int(codes[0, place.block])
                logs += np.log(chances[place.block][:, code] + 1e-12)
            if place.number is not None and code == 0:
                gap = (numbers[:, place.number] - spots[0, place.number]) / NEAR
                logs -= 0.5 * np.minimum(gap**2, 1e4)
        return logs

    def arrays(self) -> dict[str, np.ndarray]:
        """None: the description is complete."""
        return {}

    def state(self) -> dict[str, Any]:
        """A JSON-able description."""
        kept = {name: binning.state() for name, binning in self.binnings.items()}
        return {"binnings": kept, "discrete": list(self.discrete)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> MixedCoordinates:
        """Rebuild what `state` described."""
        binnings = {name: Binning.from_state(kept) for name, kept in state["binnings"].items()}
        return cls(binnings=binnings, discrete=state["discrete"])


def whole_range(schema: Schema, name: str) -> Binning:
    """The public range of a column as one interval: the scale that costs nothing."""
    column = schema.column(name)
    if column.size is not None:
        return Binning(edges=np.array([0, column.size]), nullable=column.nullable, countable=True)
    lower, upper = column.bounds
    return Binning(edges=np.array([float(lower), float(upper)]), nullable=column.nullable, countable=False)


def _missing(binning: Binning, values: np.ndarray) -> np.ndarray:
    return np.asarray(values >= binning.edges[-1] if binning.countable else np.isnan(values))


def _scaled(binning: Binning, values: np.ndarray) -> np.ndarray:
    """Place in [0, 1]: intervals count equally, values lie evenly within theirs; a code sits mid-cell."""
    edges = binning.edges
    index = np.clip(np.searchsorted(edges[1:-1], values, side="right"), 0, binning.intervals - 1)
    low, width = edges[index], (edges[index + 1] - edges[index]).astype(np.float64)
    above = (values - low).astype(np.float64) + (0.5 if binning.countable else 0.0)
    inside = np.divide(above, width, out=np.full(len(values), MIDDLE), where=width > 0)
    return np.asarray((index + np.clip(inside, 0.0, 1.0)) / binning.intervals)


def _unscaled(binning: Binning, spots: np.ndarray) -> np.ndarray:
    """The inverse of `_scaled`; every result lies in the binning's range."""
    edges = binning.edges
    spread = np.clip(np.nan_to_num(spots), 0.0, 1.0) * binning.intervals
    index = np.minimum(spread.astype(np.int64), binning.intervals - 1)
    low, high = edges[index], edges[index + 1]
    inside = np.clip(spread - index, 0.0, 1.0)
    if not binning.countable:
        return np.asarray(np.clip(low + inside * (high - low), low, high))
    step = np.floor(inside * (high - low)).astype(np.int64)
    return np.asarray(low + np.minimum(step, high - low - 1))


def _states(binning: Binning, values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    state = np.zeros(len(values), dtype=np.int32)
    atoms = binning.atoms
    if len(atoms):
        near = np.minimum(np.searchsorted(atoms, values), len(atoms) - 1)
        state = np.where(atoms[near] == values, near + 1, 0).astype(np.int32)
    return np.where(missing & binning.nullable, 1 + len(atoms), np.where(missing, 0, state))


def _with_states(binning: Binning, values: np.ndarray, state: np.ndarray) -> np.ndarray:
    atoms = binning.atoms
    if len(atoms):
        index = np.clip(state - 1, 0, len(atoms) - 1)
        values = np.where((state >= 1) & (state <= len(atoms)), atoms[index].astype(values.dtype), values)
    if binning.nullable:
        gone = int(binning.edges[-1]) if binning.countable else np.nan
        values = np.where(state == 1 + len(atoms), gone, values)
    return values
