"""Rows as inputs of a network, all entries 0 or 1, and back. Public: made of binnings.

A column of two cells is one entry, a column of more cells a one-hot block, a column of one cell nothing.
Single entries come first, then the blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import Binning
from triplea.approximate.networks.dense import softmax
from triplea.schema import Encoded, len_of

Cells = dict[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How many single entries come first, and the widths of the blocks after them; hashable."""

    singles: int
    blocks: tuple[int, ...]

    @property
    def width(self) -> int:
        """Entries in all."""
        return self.singles + sum(self.blocks)


class RowCode:
    """The code of some columns, in the order of their binnings."""

    def __init__(self, binnings: Mapping[str, Binning]) -> None:
        self.binnings = dict(binnings)
        singles = [name for name, binning in self.binnings.items() if binning.cells == 2]
        blocks = [name for name, binning in self.binnings.items() if binning.cells > 2]
        widths = tuple(self.binnings[name].cells for name in blocks)
        self.layout = Layout(singles=len(singles), blocks=widths)
        starts = len(singles) + np.cumsum([0, *widths])
        self.entries = {name: slice(place, place + 1) for place, name in enumerate(singles)}
        self.entries |= {
            name: slice(int(start), int(start) + width)
            for name, start, width in zip(blocks, starts, widths, strict=False)
        }

    def encode(self, rows: Encoded) -> NDArray[np.float32]:
        """Return one vector per row."""
        return self.encode_cells(self.cells(rows), len_of(rows))

    def bits(self, rows: Encoded) -> NDArray[np.bool_]:
        """The same in a quarter of the memory."""
        return self._filled(self.cells(rows), np.zeros((len_of(rows), self.layout.width), dtype=np.bool_))

    def cells(self, rows: Encoded) -> Cells:
        """The cell of every row in every column that has entries."""
        return {name: self.binnings[name].assign(rows[name]) for name in self.entries}

    def encode_cells(self, cells: Mapping[str, np.ndarray], rows: int) -> NDArray[np.float32]:
        """Return one vector per row, from the cells of all columns."""
        return self._filled(cells, np.zeros((rows, self.layout.width), dtype=np.float32))

    def _filled(self, cells: Mapping[str, np.ndarray], matrix: NDArray[Any]) -> NDArray[Any]:
        every = np.arange(len(matrix))
        for name, entries in self.entries.items():
            if entries.stop - entries.start == 1:
                matrix[:, entries.start] = cells[name]
            else:
                matrix[every, entries.start + cells[name]] = 1
        return matrix

    def shares(self, logits: np.ndarray, name: str) -> np.ndarray:
        """The probabilities of one column's cells, for every row of logits."""
        entries = self.entries.get(name)
        if entries is None:
            return np.ones((len(logits), 1))
        if entries.stop - entries.start == 1:
            return softmax(np.concatenate([np.zeros((len(logits), 1)), logits[:, entries]], axis=1))
        return softmax(logits[:, entries])

    def draw(self, logits: np.ndarray, rng: np.random.Generator) -> Cells:
        """Draw a cell for every column, independently given the logits."""
        return {name: _drawn(self.shares(logits, name), rng) for name in self.binnings}

    def likeliest(self, logits: np.ndarray) -> Cells:
        """The most probable cell of every column."""
        return {name: self.shares(logits, name).argmax(axis=1) for name in self.binnings}

    def bias(self, shares: Mapping[str, np.ndarray], *, least: float) -> NDArray[np.float32]:
        """The logits whose probabilities are the given ones, none below `least`."""
        logits = np.zeros(self.layout.width, dtype=np.float32)
        for name, entries in self.entries.items():
            logs = np.log(np.maximum(shares[name], least))
            logits[entries] = logs[1:] - logs[:1] if entries.stop - entries.start == 1 else logs
        return logits


def _drawn(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    ends = np.cumsum(shares, axis=1)
    at = rng.random((len(shares), 1)) * ends[:, -1:]
    return np.asarray(np.minimum((ends <= at).sum(axis=1), shares.shape[1] - 1))
