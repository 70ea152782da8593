"""Weights for two features together: coarse cells of pairs of features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, kw_only=True)
class CrossedWeights:
    """One weight per class for every pair of groups, over some pairs of features.

    `groups` gives the group of every cell of every feature, one feature after the other; `starts` is where
    each pair's weights begin, and at its end how many there are.
    """

    pairs: np.ndarray
    groups: np.ndarray
    starts: np.ndarray
    weights: np.ndarray

    @classmethod
    def nothing(
        cls, pairs: np.ndarray, groups: np.ndarray, offsets: np.ndarray, classes: int
    ) -> CrossedWeights:
        """Weights of zero for these pairs."""
        widths = _widths(groups, offsets)
        starts = np.concatenate([[0], np.cumsum(widths[pairs[:, 0]] * widths[pairs[:, 1]])]).astype(int)
        return cls(pairs=pairs, groups=groups, starts=starts, weights=np.zeros((int(starts[-1]), classes)))

    def places(self, cells: np.ndarray, offsets: np.ndarray) -> Iterator[np.ndarray]:
        """Pair by pair, which weight each row takes; `offsets` is where each feature's cells begin."""
        widths = _widths(self.groups, offsets)
        for (first, second), start in zip(self.pairs, self.starts[:-1], strict=True):
            left = self.groups[offsets[first] + cells[:, first]]
            right = self.groups[offsets[second] + cells[:, second]]
            yield start + left * widths[second] + right


def _widths(groups: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    return np.array([int(groups[start:end].max(initial=-1)) + 1 for start, end in pairwise(offsets)])
