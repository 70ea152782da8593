"""Moments of encoded rows by class and cell, and counts along directions: for MC-GEN and RON-Gauss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import Binning, each_value
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.exact_products import exact_dots, exact_product
from triplea.approximate.gaussians.partition import ProjectionTree
from triplea.queries.counts import Counts
from triplea.queries.moments import CellMoments, MomentPart
from triplea.schema import Encoded, Schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
MOST_WHOLE_CLASSES = 20  # an integer target of at most this many values has classes; a wider one is a number


@dataclass(frozen=True, kw_only=True)
class Classes:
    """Which class a row is in: the cell of one column, or the one class of a table without a label."""

    column: str | None
    binning: Binning | None

    @property
    def size(self) -> int:
        """Number of classes."""
        return self.binning.cells if self.binning is not None else 1

    def assign(self, rows: Encoded, n: int) -> np.ndarray:
        """Return the class of every row."""
        if self.column is None or self.binning is None:
            return np.zeros(n, dtype=np.int64)
        return self.binning.assign(rows[self.column]).astype(np.int64)


def classes_of(schema: Schema) -> Classes:
    """The target's values, if they are listed or few; else all rows are one class."""
    if schema.target is None:
        return Classes(column=None, binning=None)
    column = schema.column(schema.target)
    if column.is_discrete or (column.size is not None and column.size <= MOST_WHOLE_CLASSES):
        return Classes(column=column.name, binning=each_value(column))
    return Classes(column=None, binning=None)


def features_of(schema: Schema) -> tuple[str, ...]:
    """The columns that become vectors: all but the one that gives the classes."""
    label = classes_of(schema).column
    return tuple(name for name in schema.names if name != label)


class ClassMoments(CellMoments):
    """Moments of each feature set (some entries of the code) by class and by cell of the class's partition.

    Cells of a set are numbered class by class. Bounds and proof: those of `CellMoments`, one part per set.
    """

    def __init__(
        self,
        *,
        code: VectorCode,
        classes: Classes,
        sets: Sequence[Whole],
        trees: Sequence[Sequence[ProjectionTree]] | None = None,
        leaves: int = 1,
        weights: tuple[float, float, float],
        norm: Literal["L1", "L2"] = "L2",
    ) -> None:
        self.code = code
        self.classes = classes
        self.sets = tuple(sets)
        self.trees = trees
        self.leaves = leaves
        parts = [
            MomentPart(cells=classes.size * leaves, width=len(entries), radius=radius, reach=reach)
            for entries in self.sets
            for radius, reach in [code.norm_bounds(entries)]
        ]
        super().__init__(columns=columns_of(code, classes), parts=parts, weights=weights, norm=norm)

    def vectors(self, rows: Encoded) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the (class, leaf) cell and the entries of every row, set by set."""
        matrix = self.code.encode(rows)
        klass = self.classes.assign(rows, len(matrix))
        for place, entries in enumerate(self.sets):
            vectors = matrix[:, entries]
            leaf = np.zeros(len(matrix), dtype=np.int64)
            for number in range(self.classes.size if self.trees is not None else 0):
                members = klass == number
                leaf[members] = self.trees[place][number].assign(vectors[members])  # type: ignore[index]
            yield klass * self.leaves + leaf, vectors


class CentredScatter(CellMoments):
    """Second moments of rows that are centred by class, projected, and clipped to norm 1.

    Bounds and proof: those of `CellMoments` with one part.
    """

    def __init__(
        self,
        *,
        code: VectorCode,
        classes: Classes,
        centres: Floats,
        projection: Floats,
        radius: float,
        norm: Literal["L1", "L2"] = "L2",
    ) -> None:
        self.code = code
        self.classes = classes
        self.centres = centres
        self.projection = projection
        self.radius = radius
        width = len(projection)
        part = MomentPart(cells=classes.size, width=width, radius=1.0, reach=max(1.0, float(np.sqrt(width))))
        super().__init__(columns=columns_of(code, classes), parts=[part], weights=(0.0, 0.0, 1.0), norm=norm)

    def vectors(self, rows: Encoded) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the class and the projected vector of every row."""
        matrix = self.code.encode(rows)
        klass = self.classes.assign(rows, len(matrix))
        yield klass, exact_product((matrix - self.centres[klass]) / self.radius, self.projection.T)


class ProjectionCounts(Counts):
    """For each feature set, counts of rows by class and by equal bins along the class's direction.

    Rows beyond the ends count in the end bins. Bounds and proof: those of `Counts`, one histogram per set.
    """

    def __init__(
        self,
        *,
        code: VectorCode,
        classes: Classes,
        sets: Sequence[Whole],
        directions: Sequence[Floats],
        edges: Sequence[Floats],
    ) -> None:
        self.code = code
        self.classes = classes
        self.sets = tuple(sets)
        self.directions = tuple(directions)
        self.edges = tuple(edges)
        self.bins = self.edges[0].shape[1] - 1
        super().__init__(columns=columns_of(code, classes), sizes=[classes.size * self.bins] * len(self.sets))

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the (class, bin) of every row, set by set."""
        matrix = self.code.encode(rows)
        klass = self.classes.assign(rows, len(matrix))
        for entries, directions, edges in zip(self.sets, self.directions, self.edges, strict=True):
            value = exact_dots(matrix[:, entries], directions, klass)
            low, high = edges[klass, 0], edges[klass, -1]
            place = np.floor((value - low) / np.maximum(high - low, 1e-12) * self.bins)
            yield klass * self.bins + np.clip(place, 0, self.bins - 1).astype(np.int64)


def columns_of(code: VectorCode, classes: Classes) -> tuple[str, ...]:
    """The columns that a question about encoded rows reads."""
    label = () if classes.column is None else (classes.column,)
    return tuple(dict.fromkeys((*code.names, *label)))
