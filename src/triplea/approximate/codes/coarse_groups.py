"""Coarser cells for counting pairs: as many as the noise of a pair's table leaves room for."""

from __future__ import annotations

import numpy as np

from triplea.schema import Column


def coarse_cells(column: Column, mass: np.ndarray, *, cells: int, floor: float) -> np.ndarray:
    """Groups of a column's cells: about so many of ordered ones, and all categories above the floor."""
    rows = float(mass.sum())
    if column.is_discrete:
        return merge_rare(mass, floor=floor * rows)
    return merge_neighbours(mass, target=rows / cells, missing=column.nullable, floor=floor * rows)


def merge_neighbours(masses: np.ndarray, *, target: float, missing: bool, floor: float) -> np.ndarray:
    """Number ordered cells by runs that hold about `target`; a heavy cell stays alone.

    With `missing`, the last cell is the missing value: its own group if it holds `floor`, else joined
    to the last run.
    """
    group = np.zeros(len(masses), dtype=np.int64)
    ordered = len(masses) - int(missing)
    held, current = 0.0, 0
    for i in range(ordered):
        if held > 0 and (held + masses[i] / 2 > target or masses[i] >= target):
            current, held = current + 1, 0.0
        group[i] = current
        held += float(masses[i])
    if current > 0 and held < target / 3:
        group[group == current] = current - 1
        current -= 1
    if missing:
        group[-1] = current + 1 if masses[-1] >= floor and ordered else current
    return group


def merge_rare(masses: np.ndarray, *, floor: float) -> np.ndarray:
    """Number unordered cells; all that hold less than `floor` share one group."""
    rare = masses < floor
    if rare.sum() <= 1:
        return np.arange(len(masses))
    return np.where(rare, (~rare).sum(), np.cumsum(~rare) - 1)
