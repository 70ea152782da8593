"""The Markov field whose tables agree best with noisy ones, by mirror descent in NumPy.

The field over the measured groups that minimises the squared distance to the noisy tables, each in units of
its noise (McKenna et al. 2019). `mbi_fit` has the `mbi` package solve the same problem; this one needs no
compilation, so it serves between rounds, where the groups change every time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.graphs.clique_tree import CliqueTree, Group

Floats = NDArray[np.float64]
Potentials = dict[Group, Floats]
FASTER, SLOWER = 1.1, 0.5  # how the step length answers to success and failure
LEAST_GAIN = 1e-5  # of the misfit, by which a step must improve to be worth another


@dataclass(frozen=True, kw_only=True)
class NoisyTable:
    """A released table of counts over a group of columns."""

    group: Group
    counts: Floats
    stddev: float


def fit_field(
    tables: Sequence[NoisyTable],
    *,
    tree: CliqueTree,
    rows: float,
    steps: int,
    start: Mapping[Group, Floats] | None = None,
) -> Potentials:
    """Log tables of the groups, after at most `steps` steps that each lower the misfit."""
    merged = merge_repeats(tables)
    potentials = {group: np.zeros(table.counts.shape) for group, table in merged.items()}
    potentials.update({group: table for group, table in (start or {}).items() if group in potentials})
    length = min(table.stddev**2 for table in merged.values()) / rows
    misfit, slopes, margins = _misfit(potentials, merged, tree, rows)
    stale = 0
    for _ in range(steps):
        tried = {group: table - length * slopes[group] for group, table in potentials.items()}
        found, next_slopes, next_margins = _misfit(tried, merged, tree, rows)
        gain = sum(float(np.vdot(slopes[g], margins[g] - next_margins[g])) for g in slopes)
        if misfit - found < 0.5 * gain or not np.isfinite(found):
            length *= SLOWER
            continue
        stale = stale + 1 if misfit - found < LEAST_GAIN * misfit else 0
        potentials, misfit, slopes, margins = tried, found, next_slopes, next_margins
        length *= FASTER
        if stale >= 5:
            break
    return potentials


def merge_repeats(tables: Sequence[NoisyTable]) -> dict[Group, NoisyTable]:
    """Average what was measured more than once, by precision."""
    merged: dict[Group, NoisyTable] = {}
    for table in tables:
        known = merged.get(table.group)
        if known is not None:
            trust = known.stddev**2 / (known.stddev**2 + table.stddev**2)
            counts = trust * table.counts + (1.0 - trust) * known.counts
            table = NoisyTable(  # noqa: PLW2901
                group=table.group, counts=counts, stddev=float(np.sqrt(trust) * table.stddev)
            )
        merged[table.group] = table
    return merged


def _misfit(
    potentials: Mapping[Group, Floats], tables: Mapping[Group, NoisyTable], tree: CliqueTree, rows: float
) -> tuple[float, Potentials, Potentials]:
    """Half the squared distance in units of noise, its slope for every table, and the field's counts."""
    joint = tree.joint(tree.conditionals(potentials))
    total, slopes, margins = 0.0, {}, {}
    for group, table in tables.items():
        margins[group] = rows * tree.margin(joint, group)
        gap = margins[group] - table.counts
        slopes[group] = gap / table.stddev**2
        total += 0.5 * float(np.vdot(gap, slopes[group]))
    return total, slopes, margins
