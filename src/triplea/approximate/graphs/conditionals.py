"""From noisy joint counts to conditional tables, as post-processing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.graphs.factors import Factor
from triplea.approximate.mixtures.denoise import class_tables

Group = tuple[str, ...]


def conditional_tables(
    tables: Mapping[Group, np.ndarray], network: Sequence[Group], *, rows: float, stddev: float
) -> list[Factor]:
    """P(child | parents) for every group (parents..., child), from the smallest table that holds it.

    Parent cells are first given non-negative totals that add up to `rows`; within each, the child's counts
    are pulled towards its overall distribution by as much as noise explains.
    """
    factors = []
    for group in network:
        holder = min(
            (names for names in tables if set(group) <= set(names)), key=lambda names: tables[names].size
        )
        joint = _margin(tables[holder], holder, group)
        noise = stddev * float(np.sqrt(tables[holder].size / joint.size))
        lines = joint.reshape(-1, joint.shape[-1])
        totals = to_simplex(lines.sum(axis=1), max(rows, 1.0))
        clean = class_tables(lines, np.maximum(totals, 1e-6), noise)
        factors.append(Factor(names=group, values=clean.reshape(joint.shape)))
    return factors


def _margin(table: np.ndarray, names: Group, wanted: Group) -> np.ndarray:
    """Sum out the columns that are not wanted and put the axes in the wanted order."""
    gone = tuple(axis for axis, name in enumerate(names) if name not in wanted)
    left = [name for name in names if name in wanted]
    return np.asarray(table.sum(axis=gone).transpose([left.index(name) for name in wanted]))
