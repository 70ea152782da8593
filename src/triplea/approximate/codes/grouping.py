"""Cells put together: rare cells share a group, and a draw from it goes back to its cells by their shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from triplea.approximate.codes.binning import Binning


@dataclass(frozen=True, kw_only=True)
class GroupedBinning(Binning):
    """A binning whose cells are the groups of a finer one.

    `groups[i]` is the group of fine cell i and `shares[i]` its weight within that group.
    """

    groups: np.ndarray
    shares: np.ndarray

    @property
    def cells(self) -> int:
        """Number of groups."""
        return int(self.groups.max()) + 1

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Return the group of every encoded value."""
        return np.asarray(self.groups[super().assign(values)])

    def draw(self, cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a fine cell within each group by the shares, then a value within the fine cell."""
        order = np.argsort(self.groups, kind="stable")
        totals = np.bincount(self.groups, weights=self.shares, minlength=self.cells)
        within = self.shares[order] / totals[self.groups[order]]
        ends = np.cumsum(within)  # group g ends at g + 1, up to rounding
        first = np.searchsorted(self.groups[order], np.arange(self.cells))
        last = np.append(first[1:], len(order)) - 1
        found = np.searchsorted(ends, cell + rng.random(len(cell)), side="right")
        return super().draw(order[np.clip(found, first[cell], last[cell])], rng)

    def state(self) -> dict[str, Any]:
        """Return a JSON-able description."""
        return {**super().state(), "groups": self.groups.tolist(), "shares": self.shares.tolist()}


def group_rare(binning: Binning, counts: np.ndarray, *, least: float) -> Binning:
    """Put the cells with counts below `least` into one group, if they are two or more."""
    rare = counts < least
    if rare.sum() < 2 or rare.all():
        return binning
    groups = np.where(rare, 0, np.cumsum(~rare))
    return GroupedBinning(
        edges=binning.edges,
        atoms=binning.atoms,
        nullable=binning.nullable,
        countable=binning.countable,
        groups=groups.astype(np.int64),
        shares=np.maximum(counts, 1e-3),
    )


def binning_from_state(state: dict[str, Any]) -> Binning:
    """Rebuild a plain or a grouped binning."""
    plain = Binning.from_state(state)
    if "groups" not in state:
        return plain
    return GroupedBinning(
        edges=plain.edges,
        atoms=plain.atoms,
        nullable=plain.nullable,
        countable=plain.countable,
        groups=np.asarray(state["groups"], dtype=np.int64),
        shares=np.asarray(state["shares"], dtype=np.float64),
    )
