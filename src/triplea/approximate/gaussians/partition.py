"""Ways to cut the space of vectors into cells, known before rows are looked at or made of released values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.exact_products import exact_dots

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ProjectionTree:
    """A binary tree of cuts: node i sends x left when directions[i] . x <= cuts[i].

    `children[i]` holds the next nodes, left and right; a negative number -1 - j stands for leaf j. A tree
    without nodes has one leaf.
    """

    directions: Floats
    cuts: Floats
    children: Whole

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.cuts) + 1

    def assign(self, vectors: Floats) -> Whole:
        """Return the leaf of every vector; each is in exactly one, whatever others there are."""
        leaf = np.zeros(len(vectors), dtype=np.int64)
        if not len(self.cuts):
            return leaf
        at = np.zeros(len(vectors), dtype=np.int64)
        moving = np.arange(len(vectors))
        while len(moving):
            node = at[moving]
            value = exact_dots(vectors[moving], self.directions, node)
            following = self.children[node, (value > self.cuts[node]).astype(np.int64)]
            done = following < 0
            leaf[moving[done]] = -1 - following[done]
            at[moving] = following
            moving = moving[~done]
        return leaf

    def split(self, leaf: int, *, direction: Floats, cut: float) -> ProjectionTree:
        """Cut one leaf in two: the left part keeps its number, the right part is the new last leaf."""
        node, width = len(self.cuts), len(direction)
        children = np.vstack([self.children, [[-1 - leaf, -1 - self.leaves]]])
        children[:node][children[:node] == -1 - leaf] = node
        return ProjectionTree(
            directions=np.vstack([self.directions.reshape(-1, width), direction]),
            cuts=np.append(self.cuts, cut),
            children=children,
        )


def whole_space(width: int) -> ProjectionTree:
    """The tree of one leaf."""
    return ProjectionTree(
        directions=np.zeros((0, width)), cuts=np.zeros(0), children=np.zeros((0, 2), dtype=np.int64)
    )


def slabs(direction: Floats, cuts: Sequence[float] | Floats) -> ProjectionTree:
    """Parallel cuts along one direction, halving, so that a vector passes few nodes."""
    ordered = np.unique(np.asarray(cuts, dtype=float))
    tree = whole_space(len(direction))
    pending = [(0, 0, len(ordered))]  # leaf, and the cuts that lie within it
    while pending:
        leaf, first, last = pending.pop(0)
        if first < last:
            middle = (first + last) // 2
            right = tree.leaves
            tree = tree.split(leaf, direction=direction, cut=float(ordered[middle]))
            pending += [(leaf, first, middle), (right, middle + 1, last)]
    return tree


def random_tree(width: int, leaves: int, *, rng: np.random.Generator, reach: float = 1.0) -> ProjectionTree:
    """A data-free tree: random directions, cuts uniform within `reach` of the middle of the public range.

    Leaves are split in turn, so that depths differ by at most one.
    """
    tree = whole_space(width)
    while tree.leaves < leaves:
        direction = rng.standard_normal(width)
        direction /= max(float(np.linalg.norm(direction)), 1e-300)
        turn = tree.leaves - (1 << (tree.leaves.bit_length() - 1))
        tree = tree.split(turn, direction=direction, cut=float(rng.uniform(-reach, reach)))
    return tree


def quantile_cuts(counts: Floats, edges: Floats, parts: int) -> Floats:
    """Cut points that give `parts` cells of equal mass, from non-negative counts between edges."""
    mass = np.maximum(counts, 0.0)
    if mass.sum() <= 0:
        mass = np.ones(len(counts))
    cumulative = np.concatenate([[0.0], np.cumsum(mass)]) / mass.sum()
    wanted = np.arange(1, parts) / parts
    found: Floats = np.interp(wanted, cumulative, edges)
    return found
