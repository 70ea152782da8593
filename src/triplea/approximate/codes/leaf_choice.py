"""Choosing a column's cells from noisy counts of its leaves: atoms, and intervals above the noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.leaf_cells import LeafCells

Floats = NDArray[np.float64]

FALSE_ATOMS = 0.5  # expected number of leaves per column that pass for atoms by noise alone
MOST_ATOMS = 24
WINDOW = 6  # an atom stands out of the median of this many leaves to either side
FINE_CELLS, MOST_ALIKE = 40, 0.3  # intervals to merge by value, and the share of the rows that one may hold
TAIL_CELLS = 12  # a column's rest is cut into at least this many cells, if the noise allows


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """How fine cells may be: the table's rows, the noise of a cell's later counts, the most intervals.

    With `by_value` intervals are long where values are alike, not where rows are few: for a number that is to
    be predicted, whose largest values matter most.
    """

    rows: float
    noise: float
    most: int
    by_value: bool = False


def choose_categories(leaves: Binning, counts: Floats, spread: float, rows: float) -> LeafCells:
    """Keep categories that stand out; the rarer ones share one cell, weighted by their likely counts."""
    kept = counts > max(3.0 * spread, 0.002 * rows)
    if (~kept).sum() <= 1:
        return LeafCells.one_per_leaf(leaves)
    cell_of = np.where(kept, np.cumsum(kept) - 1, kept.sum())
    weights = np.where(kept, 1.0, _likely(counts, spread))
    return LeafCells(leaves=leaves, cell_of=cell_of, weights=weights, exact=np.zeros(leaves.cells, bool))


def _likely(counts: Floats, spread: float) -> Floats:
    """Mean of a true count, which is not negative, given the noisy one: a normal one cut off at zero."""
    seen = counts / spread
    return np.asarray(spread * (seen + np.exp(norm.logpdf(seen) - norm.logcdf(seen))))


def choose_cells(
    leaves: Binning,
    levels: Sequence[Floats],
    spreads: Sequence[float],
    lengths: Sequence[int],
    detail: Resolution,
) -> LeafCells:
    """Give every atom a cell, and cut the rest into intervals of about equal mass.

    `levels` are noisy counts of runs of leaves, longest runs first and single leaves last.
    """
    count = leaves.intervals
    atoms = _find_atoms(levels[-1][:count], spreads[-1], detail)
    taken = np.where(atoms, levels[-1][:count], 0.0)
    missing = max(float(levels[-1][count]), 0.0) if leaves.nullable else 0.0
    rest = max(detail.rows - missing - float(taken.sum()), 0.0)
    masses = _push_down(levels, spreads, lengths, taken, atoms, rest=rest)
    interval = (
        _alike(masses, leaves, spreads[-1], detail)
        if detail.by_value
        else _equal_mass(masses, spreads[-1], detail)
    )
    cell_of = _number_cells(interval, atoms, leaves)
    floor = 1e-6 * (masses.sum() + 1.0) / count
    weights = np.where(atoms, 1.0, masses + floor)
    if leaves.nullable:
        weights, atoms = np.append(weights, 1.0), np.append(atoms, False)
    return LeafCells(leaves=leaves, cell_of=cell_of, weights=weights, exact=atoms)


def _find_atoms(counts: Floats, spread: float, detail: Resolution) -> NDArray[np.bool_]:
    """Leaves whose count stands out of their neighbours' and can carry later noise."""
    count = len(counts)
    around = _median_around(counts)
    above = counts - around
    strong = counts > 3.0 * detail.noise
    sure = 1.1 * spread * max(float(norm.isf(min(FALSE_ATOMS / max(count, 8), 0.5))), 2.0)
    atoms = (above > sure) & (counts > 2.0 * around) & strong
    if atoms.sum() > MOST_ATOMS:
        atoms &= counts >= np.sort(counts[atoms])[-MOST_ATOMS]
    return np.asarray(atoms)


def _median_around(counts: Floats) -> Floats:
    padded = np.concatenate([np.full(WINDOW, np.nan), counts, np.full(WINDOW, np.nan)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * WINDOW + 1)
    return np.asarray(np.maximum(np.nanmedian(windows, axis=1), 0.0))


def _push_down(
    levels: Sequence[Floats],
    spreads: Sequence[float],
    lengths: Sequence[int],
    taken: Floats,
    atoms: NDArray[np.bool_],
    *,
    rest: float,
) -> Floats:
    """Share all rows but the atoms' among long runs, and a run's among shorter ones, down to the leaves."""
    count = len(taken)
    masses: Floats = np.array([rest])
    before = count
    for counts, spread, length in zip(levels, spreads, lengths, strict=True):
        runs = -(-count // length)
        own = counts[:runs] - np.add.reduceat(taken, np.arange(0, count, length))
        parent = np.arange(runs) * length // before
        width = np.minimum(length, count - np.arange(runs) * length).astype(float)
        if length == 1:
            width = np.where(atoms, 0.0, width)
        masses, before = _share(masses, own, parent, width, spread, finest=length == 1), length
    return np.maximum(masses, 0.0)


def _share(
    masses: Floats, counts: Floats, parent: NDArray[np.int64], width: Floats, spread: float, *, finest: bool
) -> Floats:
    """Split each parent's mass among its children: by their own counts as far as those tell, else by width.

    Runs that differ by no more than their noise are taken for equal (the weight of James and Stein).
    """
    parents = len(masses)

    def total(values: Floats) -> Floats:
        return np.bincount(parent, values, parents).astype(np.float64)

    even = width / np.maximum(total(width), 1e-9)[parent]
    mended = counts + (masses - total(counts))[parent] * even
    uneven = total((mended - masses[parent] * even) ** 2)
    mended = np.where(mended > 2.0 * spread, mended, np.maximum(mended, 0.0) if finest else 0.0)
    children = np.bincount(parent, minlength=parents)
    filled = total(mended)
    trust = (
        masses / (masses + 4.0 * spread * children)
        if finest
        else np.clip(1.0 - (children - 1) * spread**2 / np.maximum(uneven, 1e-9), 0.0, 1.0)
    )
    trust = np.where(filled > 0.0, trust, 0.0)
    own = mended / np.maximum(filled, 1e-9)[parent]
    mixed = (trust[parent] * own + (1.0 - trust[parent]) * even) * masses[parent]
    return np.where(masses[parent] > 0, mixed, 0.0)


def _alike(masses: Floats, leaves: Binning, spread: float, detail: Resolution) -> NDArray[np.int64]:
    """Number the leaves by interval: fine ones of equal mass, merged where values are most alike (Ward)."""
    fine = _equal_mass(masses, spread, replace(detail, most=FINE_CELLS))
    middles = (leaves.edges[:-1] + leaves.edges[1:]) / 2.0
    mass = np.maximum(np.bincount(fine, masses), 1e-9)
    mean = np.bincount(fine, masses * middles) / mass
    merged, most = np.arange(len(mass)), MOST_ALIKE * float(mass.sum())
    while len(mass) > detail.most:
        both = mass[:-1] + mass[1:]
        lost = np.where(both <= most, mass[:-1] * mass[1:] / both * np.diff(mean) ** 2, np.inf)
        first = int(np.argmin(lost))
        mean[first] = mass[first : first + 2] @ mean[first : first + 2] / both[first]
        mass[first] = both[first]
        mass, mean = np.delete(mass, first + 1), np.delete(mean, first + 1)
        merged[merged > first] -= 1
    return np.asarray(merged[fine])


def _equal_mass(masses: Floats, spread: float, detail: Resolution) -> NDArray[np.int64]:
    """Number the leaves by interval; an interval holds several times the noise of its later counts."""
    total = float(masses.sum())
    largest = max(detail.rows / detail.most, 8.0 * detail.noise)
    target = float(np.clip(total / TAIL_CELLS, 5.0 * detail.noise, largest))
    intervals = int(np.clip(round(total / target), 1, detail.most)) if total >= 2.0 * spread else 1
    middle = np.cumsum(masses) - masses / 2.0
    return np.minimum((middle / max(total, 1e-9) * intervals).astype(np.int64), intervals - 1)


def _number_cells(
    interval: NDArray[np.int64], atoms: NDArray[np.bool_], leaves: Binning
) -> NDArray[np.int64]:
    """Number intervals and atoms in the order of their values, without gaps; missing comes last."""
    positions = np.arange(len(interval))
    raw = np.where(atoms, len(interval) + positions, interval)
    names, codes = np.unique(raw, return_inverse=True)
    centre = np.bincount(codes, positions) / np.bincount(codes)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(centre, kind="stable")] = np.arange(len(names))
    numbered = rank[codes]
    return np.append(numbered, len(names)) if leaves.nullable else numbered
