"""Votes of teachers: each is trained on its own part of the rows, answers yes or no, and never leaves.

Which part a row belongs to is a public rule about that row and its equals alone, so that one row more or less
changes the part of one teacher by one row and no other part. Proof: docs/proofs/teacher_votes.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import final

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.queries.base import IntArray
from triplea.schema import Encoded

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class Votes(ABC):
    """How many of `teachers` say yes to each of `questions`; asked through `door.vote`.

    Sensitivity (L2): sqrt(questions) for one row more or less, because one teacher changes each of its votes
    by at most one; twice that for replace-one, because the new row may belong to another teacher.
    """

    teachers: int
    questions: int
    key: int
    proof: str = "docs/proofs/teacher_votes.md"

    @abstractmethod
    def records(self, rows: Encoded) -> IntArray:
        """What a teacher may see of every row: whole numbers, one line per row."""

    @abstractmethod
    def verdicts(self, part: IntArray) -> np.ndarray:
        """Train one teacher on its part, and return its yes or no to every question."""

    @property
    def row_l2(self) -> float:
        """Add or remove one row."""
        return float(np.sqrt(self.questions))

    @property
    def swap_l2(self) -> float:
        """Replace one row."""
        return 2.0 * self.row_l2

    @final
    def counts(self, rows: Encoded) -> IntArray:
        """The number of teachers that say yes, for every question."""
        total = np.zeros(self.questions, dtype=np.int64)
        for part in parts_of(self.records(rows), teachers=self.teachers, key=self.key):
            total += np.asarray(self.verdicts(part), dtype=bool)
        return total


def parts_of(records: IntArray, *, teachers: int, key: int) -> list[IntArray]:
    """Every teacher's records, sorted. A record's teacher follows from what it holds and from its rank.

    Equal records are ranked 0, 1, 2, ...: as sets of (record, rank) pairs, two tables that differ by one row
    differ by one pair, and each pair has its teacher. `key` is public.
    """
    kinds, sizes = np.unique(records, axis=0, return_counts=True)
    kinds = kinds.reshape(len(sizes), records.shape[1])
    words = np.full(len(kinds), np.uint64(key))
    for column in kinds.T:
        words = _mixed(words ^ column.astype(np.uint64))
    ranks = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    owners = _mixed(np.repeat(words, sizes) + ranks.astype(np.uint64)) % np.uint64(teachers)
    order = np.argsort(owners, kind="stable")  # inside a part, records stay sorted
    ends = np.searchsorted(owners[order], np.arange(1, teachers).astype(np.uint64))
    return np.split(np.repeat(kinds, sizes, axis=0)[order], ends)


def _mixed(words: np.ndarray) -> np.ndarray:
    """A well-mixed permutation of 64-bit words (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        words = words + _GOLDEN
        words = (words ^ (words >> np.uint64(30))) * _MIX[0]
        words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return np.asarray(words ^ (words >> np.uint64(31)))


class CellTeachers(Votes):
    """Teachers that tell rows from generated ones by the cells of columns, given the class.

    `generated` are cells of generated rows, by which every teacher is trained beside its own part; `asked`
    are those to vote on. A teacher's opinion of a row is linear in its one-hot code, with the shares of its
    part minus those of the generated rows as weights; it says yes where the row does better than generated
    rows of its class do on average, and no where its part has no row of the class. (Likelihood ratios
    would favour common values: in a small part most cells are empty.)
    """

    def __init__(
        self,
        *,
        binnings: Mapping[str, Binning],
        label: str | None,
        generated: Mapping[str, np.ndarray],
        asked: Mapping[str, np.ndarray],
        teachers: int,
        key: int,
    ) -> None:
        self.binnings = dict(binnings)
        self.label = label
        self.features = [name for name in binnings if name != label]
        self.classes = binnings[label].cells if label is not None else 1
        sizes = [binnings[name].cells for name in self.features]
        self.width = sum(sizes)
        self.offsets = np.cumsum([0, *sizes[:-1]]).astype(np.int64)
        self.teachers, self.key = teachers, key
        self.places = self._places(self._matrix(asked))
        self.asked_classes = self.places[:, 0] // self.width
        self.questions = len(self.places)
        self.base = self._shares(self._matrix(generated))

    def records(self, rows: Encoded) -> IntArray:
        """The cell of every column, and of the label."""
        return self._matrix({name: binning.assign(rows[name]) for name, binning in self.binnings.items()})

    def verdicts(self, part: IntArray) -> np.ndarray:
        """Whether each asked row lies on the side of this part, seen from the mean of the generated rows."""
        shares = self._shares(part)
        weights = np.where(shares.any(axis=1, keepdims=True), shares - self.base, 0.0)
        average = (weights * self.base).sum(axis=1)
        scores = weights.ravel()[self.places].sum(axis=1)
        return np.asarray(scores > average[self.asked_classes])

    def _matrix(self, cells: Mapping[str, np.ndarray]) -> IntArray:
        names = [*self.features, self.label] if self.label is not None else self.features
        return np.stack([np.asarray(cells[name], dtype=np.int64) for name in names], axis=1)

    def _places(self, records: IntArray) -> IntArray:
        """Where the cells of a record stand in a table of classes x cells."""
        features = records[:, : len(self.features)] + self.offsets
        classes = records[:, -1:] if self.label is not None else 0
        return np.asarray(features + self.width * classes, dtype=np.int64)

    def _shares(self, records: IntArray) -> np.ndarray:
        """The shares of cells in each class, all zero for a class without records."""
        places = self._places(records)
        cells = np.bincount(places.ravel(), minlength=self.classes * self.width)
        rows = np.bincount(places[:, 0] // self.width, minlength=self.classes)
        return np.asarray(cells.reshape(self.classes, self.width) / np.maximum(rows, 1)[:, None])
