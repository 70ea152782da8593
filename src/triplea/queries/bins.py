"""One question that yields cells for every numeric column of a table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from triplea.approximate.codes.bin_choice import bins_from_tree, bins_from_values, find_atoms
from triplea.approximate.codes.binning import Binning, each_value
from triplea.queries.counts import Counts
from triplea.queries.dyadic import DyadicCounts
from triplea.queries.stacked import Stacked
from triplea.queries.values import ValueCounts, candidate_values
from triplea.schema import Column, Schema

FREE_VALUES = 16  # integer columns of at most this many values keep them all, at no cost
FEW_VALUES = 512  # up to here one histogram of all values serves both atoms and intervals
MOST_VALUES = 2**18  # up to here exact values are counted
ATOM_WEIGHT = 8.0  # the exact-value histogram gets this many times a tree level's share
DEPTH_BESIDE_ATOMS = 4
DEPTH_ALONE = 8


class BinCounts(Stacked):
    """Counts from which every numeric column's cells are chosen; categorical columns keep their categories.

    Bounds and proof: those of `Counts`. `most` limits the number of intervals of a column.
    """

    def __init__(self, *, schema: Schema, most: int | Mapping[str, int] = 32) -> None:
        self.schema = schema
        self.most = dict(most) if isinstance(most, Mapping) else {name: most for name in schema.names}
        self.numeric = [column for column in schema.columns if needs_bins(column)]
        parts: list[Counts] = []
        scales: list[float] = []
        for column in self.numeric:
            for part, weight in _questions(column):
                parts.append(part)
                scales.append(1.0 / np.sqrt(weight))
        super().__init__(parts=parts, scales=scales)

    @property
    def needed(self) -> bool:
        """Whether any column needs this question at all."""
        return bool(self.numeric)

    def choose(self, values: np.ndarray, stddev: float | np.ndarray) -> dict[str, Binning]:
        """Turn the released counts into a binning for every column of the schema."""
        spread = np.broadcast_to(np.asarray(stddev, dtype=float), values.shape)
        answers = iter(zip(self.parts, self.split_parts(values), self.split_parts(spread), strict=True))
        chosen = {column.name: each_value(column) for column in self.schema.columns if not needs_bins(column)}
        for column in self.numeric:
            chosen[column.name] = self._choose_one(column, [next(answers) for _ in _questions(column)])
        return {name: chosen[name] for name in self.schema.names}

    def _choose_one(self, column: Column, answers: list[tuple[Counts, np.ndarray, np.ndarray]]) -> Binning:
        exact, counts, spread = answers[0]
        most = self.most[column.name]
        if len(answers) == 1:
            return bins_from_values(column, counts, float(spread[0]), most=most)
        assert isinstance(exact, ValueCounts)
        atoms, atom_counts = find_atoms(exact.candidates, counts, float(spread[0]))
        tree, levels, tree_spread = answers[1]
        return bins_from_tree(
            column,
            tree.split(levels),
            most=most,
            atoms=atoms,
            atom_counts=atom_counts,
            stddev=float(tree_spread[0]),
        )


def needs_bins(column: Column) -> bool:
    """Whether a column has too many values, or uncountably many, to keep them all."""
    return not column.is_discrete and (column.size is None or column.size > FREE_VALUES)


def _questions(column: Column) -> list[tuple[Counts, float]]:
    """What to count for one column, and the relative weight of each count."""
    candidates = candidate_values(column, most=MOST_VALUES)
    exact = ValueCounts(column=column, candidates=candidates)
    if column.size is not None and column.size <= FEW_VALUES:
        return [(exact, 1.0)]
    thorough = len(candidates) > FEW_VALUES
    depth = DEPTH_BESIDE_ATOMS if thorough else DEPTH_ALONE
    tree = DyadicCounts(column=column, levels=range(1, depth + 1))
    return [(exact, ATOM_WEIGHT if thorough else 1.0), (tree, 1.0)]
