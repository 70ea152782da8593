"""Which of some public rules knows the rows' classes best? A choice for the exponential mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triplea.approximate.codes.binning import CellMap
from triplea.approximate.mixtures.class_rules import ClassRule
from triplea.queries.base import FloatArray, IntArray, Scores
from triplea.queries.counts import Counts
from triplea.schema import Encoded

STEP = 2.0**-20


class Hits(Counts):
    """One histogram per rule over the classes: a row counts in its class if the rule names that class."""

    def __init__(self, *, rules: Sequence[ClassRule], label: str, classes: CellMap) -> None:
        self.rules = tuple(rules)
        self.label, self.classes = label, classes
        columns = dict.fromkeys([label, *(name for rule in rules for name in rule.columns)])
        super().__init__(columns=tuple(columns), sizes=[classes.cells] * len(self.rules))

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the class of every row that a rule gets right, rule by rule."""
        klass = self.classes.assign(rows[self.label])
        for rule in self.rules:
            yield np.where(rule.assign(rows) == klass, klass, -1)


class RightClasses(Scores):
    """For every rule: the rows that it puts into their own class, each counted with its class's weight.

    Weights are public and lie between 0 and 1, in steps of 2^-20 that sums of floats keep exactly. A row adds
    its weight or nothing to a score, so a score moves by at most 1 when a row is added, removed or replaced.
    Proof: docs/proofs/right_classes.md.
    """

    proof = "docs/proofs/right_classes.md"
    row_bound = 1.0
    swap_bound = 1.0

    def __init__(
        self, *, rules: Sequence[ClassRule], label: str, classes: CellMap, weights: FloatArray
    ) -> None:
        self.sums = Hits(rules=rules, label=label, classes=classes)
        self.size = len(self.sums.rules)
        self.weights: FloatArray = np.floor(np.clip(np.nan_to_num(weights), 0.0, 1.0) / STEP) * STEP

    def scores(self, units: IntArray) -> FloatArray:
        """Weigh the hits of every rule."""
        return np.asarray(units.reshape(self.size, -1) @ self.weights, dtype=np.float64)


def even_weights(rows: np.ndarray) -> FloatArray:
    """Weights under which all classes count alike: the smallest class's rows over each class's own.

    >>> even_weights(np.array([50.0, 200.0]))
    array([1.  , 0.25])
    """
    held = np.maximum(np.asarray(rows, dtype=np.float64), 1.0)
    return np.asarray(held.min(initial=np.inf) / held)
