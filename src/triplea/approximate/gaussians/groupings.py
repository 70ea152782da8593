"""Ways to put vectors into groups of a least size: the Approximate stage as published.

A grouping looks at all vectors at once, so one vector can regroup everybody. It is for the published variants
and for released or public points; nothing it returns has a bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.microaggregation import mdav

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@runtime_checkable
class Grouping(Protocol):
    """Anything that cuts vectors into groups of at least `least`, numbered from 0."""

    def groups(self, vectors: Floats, least: int, *, rng: np.random.Generator) -> Whole:
        """Return the group of every vector: a partition without empty groups; needs n >= least."""


@dataclass(frozen=True, kw_only=True)
class RandomGroups:
    """DPMix: groups of vectors drawn at random, as many as fit."""

    def groups(self, vectors: Floats, least: int, *, rng: np.random.Generator) -> Whole:
        """Deal the vectors out in random order."""
        return rng.permutation(np.arange(len(vectors)) % max(1, len(vectors) // least))


@dataclass(frozen=True, kw_only=True)
class Microaggregated:
    """MDAV: groups of `least` vectors (the last ones up to twice as many), from the outside inwards."""

    def groups(self, vectors: Floats, least: int, *, rng: np.random.Generator) -> Whole:
        """Group by microaggregation; it draws nothing."""
        del rng
        return mdav(vectors, least)


def centroids(vectors: Floats, group: Whole) -> tuple[Floats, Whole]:
    """The mean and the size of every group."""
    sizes = np.bincount(group)
    means = np.stack([np.bincount(group, column) for column in vectors.T], axis=1) / sizes[:, None]
    return means, sizes
