"""Trading labels between similar rows, until cells of one feature and of two have the labels they should.

A classifier reads labels cell by cell; what sampling adds to a cell's labels by chance, it takes for signal.
Trades keep each class's number of labels and go between rows that are neighbours in an order of similar rows,
so the label's distribution given the features stays what it was.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

PAIRED_FEATURES = 14  # all pairs of so many features are watched, of those that say most about the label
SINGLE_WEIGHT = 5.0  # of a feature's cell, against a pair's
ROUNDS = 80
OFFERED = 0.3  # share of neighbours that may trade in a round
FARTHEST = 6  # neighbours are at most so many places apart
BLOCK = 50_000  # rows balanced together


def balance_labels(
    labels: np.ndarray, chances: np.ndarray, cells: np.ndarray, order: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return labels, traded between rows near each other in `order`, that miss their expectations by less."""
    balanced = labels.copy()
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        watch = _Watch(cells[block], chances[block], balanced[block])
        for distance in np.arange(ROUNDS) % FARTHEST + 1:
            watch.trade(int(distance), rng)
        balanced[block] = watch.labels
    return balanced


class _Watch:
    """How far each watched cell is from its expected number of labels, class by class."""

    def __init__(self, cells: np.ndarray, chances: np.ndarray, labels: np.ndarray) -> None:
        self.labels = labels.copy()
        self.classes = chances.shape[1]
        self.index, singles, self.size = _watched(cells, chances)
        missed = np.eye(self.classes)[labels] - chances
        self.missed = self._by_cell(self.index, missed)
        variance = self._by_cell(self.index, chances * (1.0 - chances)).sum(axis=1)
        self.weight = 1.0 / np.maximum(variance, 1.0)
        self.weight[:singles] *= SINGLE_WEIGHT

    def trade(self, distance: int, rng: np.random.Generator) -> None:
        """Let some neighbours exchange labels where that brings their cells nearer to what is expected."""
        first = np.flatnonzero(rng.random(max(len(self.labels) - distance, 0)) < OFFERED)
        first = _apart(first[self.labels[first] != self.labels[first + distance]], distance)
        second = first + distance
        gives, takes = self.labels[first], self.labels[second]
        at_first, at_second = self.index[first], self.index[second]
        differ = at_first != at_second  # cells that both rows share keep their labels
        nearer_first = self.missed[at_first, takes[:, None]] - self.missed[at_first, gives[:, None]] + 1.0
        nearer_second = self.missed[at_second, gives[:, None]] - self.missed[at_second, takes[:, None]] + 1.0
        change = self.weight[at_first] * nearer_first + self.weight[at_second] * nearer_second
        better = (change * differ).sum(axis=1) < 0
        self._exchange(first[better], second[better], rng)

    def _exchange(self, first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> None:
        """Make the trades if together they bring the cells nearer; too many at once overshoot: then fewer."""
        while len(first):
            gives, takes = self.labels[first].copy(), self.labels[second].copy()
            passed = np.eye(self.classes)[takes] - np.eye(self.classes)[gives]
            moved = self._by_cell(self.index[first], passed) - self._by_cell(self.index[second], passed)
            if float((self.weight @ (moved * (2.0 * self.missed + moved))).sum()) < 0:
                self.labels[first], self.labels[second] = takes, gives
                self.missed += moved
                return
            half = rng.random(len(first)) < 0.5
            first, second = first[half], second[half]

    def _by_cell(self, index: np.ndarray, values: np.ndarray) -> np.ndarray:
        flat, watched = index.ravel(), index.shape[1]
        sums = [np.bincount(flat, np.repeat(values[:, c], watched), self.size) for c in range(self.classes)]
        return np.stack(sums, axis=1)


def _watched(cells: np.ndarray, chances: np.ndarray) -> tuple[np.ndarray, int, int]:
    """The watched cells of every row: one per feature, then one per pair of the most telling features."""
    sizes = cells.max(axis=0, initial=0) + 1
    columns = [cells[:, f] for f in range(cells.shape[1])]
    telling = sorted(_most_telling(cells, chances)[:PAIRED_FEATURES])
    columns += [cells[:, a] * sizes[b] + cells[:, b] for a, b in combinations(telling, 2)]
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(int)
    index = np.stack([column + start for column, start in zip(columns, starts[:-1], strict=True)], axis=1)
    return index.astype(np.int32), int(starts[cells.shape[1]]), int(starts[-1])


def _most_telling(cells: np.ndarray, chances: np.ndarray) -> list[int]:
    """Features by how much their cells differ in the chances of the classes."""
    spread = []
    for column in cells.T:
        count = np.maximum(np.bincount(column), 1)
        means = np.stack([np.bincount(column, chance) / count for chance in chances.T], axis=1)
        spread.append(float(means[column].var(axis=0).sum()))
    return [int(f) for f in np.argsort(spread, kind="stable")[::-1]]


def _apart(first: np.ndarray, distance: int) -> np.ndarray:
    """Drop offers until no row is in two of them."""
    taken = set()
    kept = []
    for i in first.tolist():
        if i not in taken:
            kept.append(i)
            taken.add(i + distance)
    return np.asarray(kept, dtype=np.int64)
