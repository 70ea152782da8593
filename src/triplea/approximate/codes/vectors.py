"""Rows of mixed columns as numeric vectors in [-1, 1], and back. Public: built from the schema alone.

Every column contributes a block of entries whose L1 and L2 norms are at most 1, so a row of c columns has
L2 norm at most sqrt(c) and L1 norm at most c, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.number_code import half_range, middle
from triplea.schema import Column, Encoded, Kind, Schema, len_of

Floats = NDArray[np.float64]


class BlockKind(StrEnum):
    """How a column becomes entries."""

    NUMBER = "number"  # one entry in [-1, 1], linear in the value
    TWO = "two"  # one entry: -1 for the first value, 1 for the second
    CHOICE = "choice"  # one entry per value: 0 or 1
    CONSTANT = "constant"  # nothing to tell


@dataclass(frozen=True, kw_only=True)
class Block:
    """Where a column's entries are. `flag` is the entry that says "missing" (0 or 1), for numbers."""

    column: Column
    kind: BlockKind
    start: int
    width: int
    flag: int | None

    @property
    def entries(self) -> slice:
        """The value's entries, without the flag."""
        return slice(self.start, self.start + self.width)

    @property
    def stop(self) -> int:
        """The first entry after the block."""
        return self.start + self.width + (self.flag is not None)


class VectorCode:
    """Some columns of a schema as vectors: categories as one-hot blocks, numbers scaled by public bounds."""

    def __init__(self, schema: Schema, names: Sequence[str] | None = None) -> None:
        self.schema = schema
        self.names = tuple(schema.names if names is None else names)
        blocks = []
        start = 0
        for name in self.names:
            blocks.append(_block(schema.column(name), start))
            start = blocks[-1].stop
        self.blocks = tuple(blocks)
        self.width = start

    @property
    def filled(self) -> tuple[Block, ...]:
        """The blocks that have entries."""
        return tuple(block for block in self.blocks if block.stop > block.start)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """For every entry, the number of its block among the filled ones."""
        return np.repeat(np.arange(len(self.filled)), [b.stop - b.start for b in self.filled]).astype(
            np.int64
        )

    def norm_bounds(self, entries: NDArray[np.int64] | None = None) -> tuple[float, float]:
        """L2 and L1 bounds of the vectors of all rows, or of their part in some entries."""
        owners = self.owner if entries is None else self.owner[entries]
        touched = max(1, len(np.unique(owners)))
        return float(np.sqrt(touched)), float(touched)

    def encode(self, rows: Encoded) -> Floats:
        """Return one vector per row. A missing number is 0 with its flag set."""
        matrix = np.zeros((len_of(rows), self.width))
        for block in self.filled:
            _encode_block(block, rows[block.column.name], matrix)
        return matrix

    def decode(self, matrix: Floats, rng: np.random.Generator | None = None) -> Encoded:
        """Return the nearest allowed row to every vector: largest entry, sign, rounded and clipped number.

        With `rng`, categories are drawn instead, with the one-hot entries (clipped at 0) as weights.
        """
        return {block.column.name: _decode_block(block, matrix, rng) for block in self.blocks}


def _block(column: Column, start: int) -> Block:
    if column.kind in (Kind.CATEGORICAL, Kind.BOOLEAN):
        kind = {1: BlockKind.CONSTANT, 2: BlockKind.TWO}.get(column.cells, BlockKind.CHOICE)
        width = {1: 0, 2: 1}.get(column.cells, column.cells)
        return Block(column=column, kind=kind, start=start, width=width, flag=None)
    constant = half_range(column) == 0.0
    width = 0 if constant else 1
    kind = BlockKind.CONSTANT if constant else BlockKind.NUMBER
    flag = start + width if column.nullable else None
    return Block(column=column, kind=kind, start=start, width=width, flag=flag)


def _encode_block(block: Block, values: np.ndarray, matrix: Floats) -> None:
    column = block.column
    if block.kind is BlockKind.TWO:
        matrix[:, block.start] = 2.0 * np.clip(values, 0, 1) - 1.0
    elif block.kind is BlockKind.CHOICE:
        matrix[np.arange(len(values)), block.start + np.clip(values, 0, block.width - 1)] = 1.0
    else:
        missing = values >= column.size if column.size is not None else np.isnan(values)
        if block.width:
            half, centre = half_range(column), middle(column)
            scaled = np.where(missing, centre, values) / half - centre / half
            matrix[:, block.start] = np.where(missing, 0.0, np.clip(scaled, -1.0, 1.0))
        if block.flag is not None:
            matrix[:, block.flag] = missing


def _decode_block(block: Block, matrix: Floats, rng: np.random.Generator | None) -> np.ndarray:
    column = block.column
    values: np.ndarray
    if column.kind in (Kind.CATEGORICAL, Kind.BOOLEAN):
        if block.kind is BlockKind.CONSTANT:
            values = np.zeros(len(matrix), dtype=np.int64)
        elif block.kind is BlockKind.TWO:
            values = (matrix[:, block.start] > 0).astype(np.int64)
        else:
            values = _choices(matrix[:, block.entries], rng)
        return values
    number = matrix[:, block.start] if block.width else np.zeros(len(matrix))
    values = _numbers(column, np.clip(number, -1.0, 1.0))
    if block.flag is not None:
        gone = matrix[:, block.flag] > 0.5
        values = np.where(gone, column.missing_code if column.size is not None else np.nan, values)
    return values


def _choices(entries: Floats, rng: np.random.Generator | None) -> np.ndarray:
    if rng is None:
        return np.asarray(entries.argmax(axis=1))
    weights = np.maximum(entries, 0.0)
    weights[weights.sum(axis=1) == 0] = 1.0
    ends = np.cumsum(weights, axis=1)
    at = rng.random((len(entries), 1)) * ends[:, -1:]
    return np.asarray(np.minimum((ends <= at).sum(axis=1), entries.shape[1] - 1))


def _numbers(column: Column, scaled: Floats) -> np.ndarray:
    half, centre = half_range(column), middle(column)
    if column.size is None:
        lower, upper = (float(bound) for bound in column.bounds)
        return np.clip(centre + half * scaled, lower, upper)
    top = float(column.size - 1)
    limit = top if top <= column.size - 1 else float(np.nextafter(top, 0.0))  # floats above 2^53 may round up
    return np.clip(np.round(centre + half * scaled), 0.0, limit).astype(np.int64)
