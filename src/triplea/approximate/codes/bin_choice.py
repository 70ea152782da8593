"""Choosing cells for a numeric column from released counts: exact values that matter, and intervals.

Real columns mix a continuous part with values that carry meaning of their own (no capital gain, forty
hours, a price tag). Such atoms keep a cell each; the rest is cut into intervals of about equal mass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from triplea.approximate.codes.binning import Binning, whole_parts
from triplea.approximate.codes.dyadic import consistent_leaves, range_edges, to_simplex
from triplea.schema import Column

Floats = NDArray[np.float64]

FALSE_ATOMS = 0.5  # expected number of values per column that pass for atoms by noise alone


def find_atoms(candidates: Floats, counts: Floats, stddev: float) -> tuple[Floats, Floats]:
    """Return the candidate values whose noisy count stands out of the noise, and those counts."""
    threshold = stddev * norm.isf(min(FALSE_ATOMS / len(candidates), 0.5))
    chosen = counts > threshold
    return candidates[chosen], counts[chosen]


def bins_from_values(column: Column, counts: Floats, stddev: float, *, most: int) -> Binning:
    """Merge adjacent values of a countable column into at most about `most` cells of similar mass.

    `counts` has one noisy count per value. A cell also holds enough rows to stand out of the noise.
    """
    clean = to_simplex(counts, max(float(counts.sum()), 1.0))
    edges = _equal_mass_edges(clean, target=max(clean.sum() / most, 2.0 * stddev))
    return Binning(edges=edges, nullable=column.nullable, countable=True)


def bins_from_tree(
    column: Column, levels: Sequence[Floats], *, most: int, atoms: Floats, atom_counts: Floats, stddev: float
) -> Binning:
    """Cut the public range at the borders of dyadic leaves, after taking the atoms' rows away."""
    leaves = consistent_leaves([counts[: 2 ** (level + 1)] for level, counts in enumerate(levels)])
    borders = range_edges(column, len(leaves))
    home = np.clip(np.searchsorted(borders, atoms, side="right") - 1, 0, len(leaves) - 1)
    rest = np.maximum(leaves - np.bincount(home, weights=atom_counts, minlength=len(leaves)), 0.0)
    cuts = _equal_mass_edges(rest, target=max(rest.sum() / most, 2.0 * stddev))
    if column.size is not None:
        edges = np.unique(whole_parts(column.size, len(leaves))[cuts])
        return Binning(edges=edges, atoms=atoms.astype(np.int64), nullable=column.nullable, countable=True)
    return Binning(
        edges=borders[cuts], atoms=np.asarray(atoms, dtype=float), nullable=column.nullable, countable=False
    )


def _equal_mass_edges(masses: Floats, *, target: float) -> Floats:
    """Walk from left to right and close a cell once it holds `target`; a heavy entry gets its own cell."""
    edges, held = [0], 0.0
    for i, mass in enumerate(masses):
        if mass >= target and held > 0 and edges[-1] != i:
            edges.append(i)
            held = 0.0
        held += float(mass)
        if held >= target:
            edges.append(i + 1)
            held = 0.0
    if edges[-1] != len(masses):
        edges.append(len(masses))
    return np.asarray(edges, dtype=np.int64)
