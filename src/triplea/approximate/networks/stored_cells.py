"""Rows that were made once and are stored as cells. For methods without privacy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.row_code import Cells
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded


class StoredCells(Model):
    """A list of rows, each as likely as any other; as many as there are come without repetition."""

    kind = "stored-cells"

    def __init__(self, *, cells: Cells, binnings: Mapping[str, Binning]) -> None:
        self.cells = dict(cells)
        self.binnings = dict(binnings)

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, from those that hold the given cells, or from all where none does."""
        fixed = dict(where or {})
        stored = len(next(iter(self.cells.values())))
        fits = np.ones(stored, dtype=bool)
        for name, value in fixed.items():
            fits &= self.cells[name] == self.binnings[name].assign(np.asarray([value]))[0]
        pool = np.flatnonzero(fits) if fits.any() else np.arange(stored)
        rounds = [rng.permutation(pool) for _ in range(-(-n // len(pool)))] or [pool[:0]]
        chosen = np.concatenate(rounds)[:n]
        rows = {name: binning.draw(self.cells[name][chosen], rng) for name, binning in self.binnings.items()}
        for name, value in fixed.items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return rows

    def state(self) -> State:
        """Return binnings as JSON, cells as arrays."""
        names = {f"cells_{index}": part for index, part in enumerate(self.cells.values())}
        return {"binnings": {name: binning.state() for name, binning in self.binnings.items()}}, names

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        binnings = {name: Binning.from_state(state) for name, state in description["binnings"].items()}
        return cls(cells={name: arrays[f"cells_{i}"] for i, name in enumerate(binnings)}, binnings=binnings)
