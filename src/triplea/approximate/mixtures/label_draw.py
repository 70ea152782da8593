"""Drawing labels with little luck: right in expectation for every row, and nearly right for every region.

Independent draws would add noise that a classifier then has to see through. Systematic draws along an
order in which similar rows are neighbours keep every row's probability and take most of that noise out.
"""

from __future__ import annotations

import numpy as np

LEAF_ROWS = 12
PROBE_ROWS = 512


def draw_labels(chances: np.ndarray, order: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one class per row from `chances`; runs of `order` get their expected numbers, to a rounding."""
    rows = len(chances)
    by_size = np.argsort(chances.sum(axis=0))
    labels = np.full(rows, by_size[-1])
    left, unassigned = order, np.ones(rows)
    for c in by_size[:-1]:
        wanted = np.minimum(chances[left, c] / np.maximum(unassigned[left], 1e-12), 1.0)
        reached = np.floor(np.cumsum(wanted) + rng.random())
        hit = np.diff(reached, prepend=0.0) > 0
        labels[left[hit]] = c
        unassigned -= chances[:, c]
        left = left[~hit]
    return labels


def similar_order(spreads: np.ndarray, key: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Order rows so that every box of a k-d tree over `spreads` is one run; within a box by `key`.

    `spreads` has one column per feature and says how rows differ in what matters for the label.
    """
    order = np.empty(len(key), dtype=np.int64)
    waiting = [(np.arange(len(key)), 0)]
    while waiting:
        members, position = waiting.pop()
        cut = _cut(members, spreads, rng) if len(members) > LEAF_ROWS else None
        if cut is None:
            order[position : position + len(members)] = members[np.argsort(key[members])]
            continue
        low, high = cut
        waiting += [(low, position), (high, position + len(low))]
    return order


def _cut(
    members: np.ndarray, spreads: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray] | None:
    """Halve a box along its widest feature, between different values; None where all rows are alike."""
    probe = members if len(members) <= PROBE_ROWS else members[rng.integers(0, len(members), PROBE_ROWS)]
    feature = int(np.argmax(spreads[probe].var(axis=0)))
    values = spreads[members, feature]
    ranked = np.argsort(values, kind="stable")
    lined = values[ranked]
    if lined[0] == lined[-1]:
        return None
    half = len(members) // 2
    first, last = np.searchsorted(lined, lined[half], "left"), np.searchsorted(lined, lined[half], "right")
    at = first if first > 0 and (half - first <= last - half or last == len(members)) else last
    return members[ranked[:at]], members[ranked[at:]]
