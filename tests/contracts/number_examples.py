"""Examples of the queries about vectors of numbers: moments, directions, and parts of classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.class_vectors import ClassVectors, GroupedVectors
from triplea.approximate.gaussians.part_vectors import PartVectors
from triplea.approximate.gaussians.partition import random_tree
from triplea.approximate.gaussians.vector_cells import HashedVectors, NearestCells
from triplea.queries import SumQuery
from triplea.queries.class_moments import (
    CentredScatter,
    ClassMoments,
    ProjectionCounts,
    classes_of,
    features_of,
)
from triplea.queries.cluster_sums import ClusterSums
from triplea.schema import Schema


def moment_examples(schema: Schema) -> Sequence[SumQuery]:
    """All rows of a class together, and feature sets with random cells; noise balanced for either norm."""
    code, classes = VectorCode(schema, features_of(schema)), classes_of(schema)
    sets = [np.arange(3), np.arange(3, 4), np.arange(4, code.width)]
    rng = np.random.default_rng(0)
    trees = [[random_tree(len(part), 3, rng=rng) for _ in range(classes.size)] for part in sets]
    split = {"sets": sets, "trees": trees, "leaves": 3}
    whole = {"sets": [np.arange(code.width)]}
    return [
        ClassMoments(code=code, classes=classes, weights=weights, norm=norm, **kind)
        for kind in (split, whole)
        for weights, norm in (((0.1, 0.4, 0.5), "L2"), ((0.1, 0.4, 0.5), "L1"), ((0.2, 0.8, 0.0), "L2"))
    ]


def scatter_examples(schema: Schema) -> Sequence[SumQuery]:
    code, classes = VectorCode(schema, features_of(schema)), classes_of(schema)
    rng = np.random.default_rng(0)
    centres = rng.uniform(-1, 1, (classes.size, code.width))
    return [
        CentredScatter(
            code=code, classes=classes, centres=centres, projection=np.eye(code.width)[:p], radius=radius
        )
        for p, radius in ((1, 1.0), (5, 0.01), (code.width, 1.0), (code.width, 1e9))
    ]


def projection_examples(schema: Schema) -> Sequence[SumQuery]:
    code, classes = VectorCode(schema, features_of(schema)), classes_of(schema)
    directions = np.random.default_rng(0).normal(size=(classes.size, code.width))
    edges = np.linspace([-1.0] * classes.size, [2.0] * classes.size, 9, axis=1)
    sets = [np.arange(code.width)] * 2
    return [
        ProjectionCounts(
            code=code, classes=classes, sets=sets, directions=[directions] * 2, edges=[edges, 0 * edges]
        )
    ]


def number_vectors(schema: Schema) -> list[ClassVectors]:
    """Vectors of all numbers: as they are, curved and centred by class, and projected."""
    layout = NumberLayout.of(schema)
    width, rng = len(layout.numbers), np.random.default_rng(3)
    plain = NumberCode.plain(layout.numbers)
    curved = NumberCode(
        columns=layout.numbers, centres=rng.normal(size=width), spreads=rng.random(width) / 99, curved=True
    )
    centres = rng.normal(size=(layout.classes, width))
    return [
        ClassVectors(layout=layout, code=plain, centres=np.zeros((1, width))),
        ClassVectors(layout=layout, code=curved, centres=centres),
        ClassVectors(layout=layout, code=plain, centres=centres, projection=rng.normal(size=(width, 3)) * 7),
    ]


def grouped_vectors(schema: Schema) -> list[GroupedVectors]:
    """Vectors of classes, and of their parts: as they are, and stretched by class."""
    found: list[GroupedVectors] = [*number_vectors(schema)]
    rng = np.random.default_rng(6)
    for vectors, leading, directions in zip(number_vectors(schema), (1, 2, 3), (None, 4, 2), strict=True):
        owner = np.repeat(np.arange(vectors.layout.classes), 2)
        centres = rng.normal(size=(len(owner), vectors.width))
        stretches = (
            None
            if directions is None
            else rng.normal(size=(vectors.layout.classes, vectors.width, directions))
        )
        rule = NearestCells(owner=owner, centres=centres[:, :leading])
        found.append(PartVectors(vectors=vectors, rule=rule, centres=centres, stretches=stretches))
    return found


def cluster_sums(schema: Schema) -> list[ClusterSums]:
    """Cells around centres, and by a hash."""
    found, rng = [], np.random.default_rng(5)
    for vectors in number_vectors(schema):
        owner = np.repeat(np.arange(vectors.layout.classes), 2)
        centres = rng.normal(size=(len(owner), vectors.width))
        for rule in (NearestCells(owner=owner, centres=centres), HashedVectors(owner=owner, key=9)):
            found.append(ClusterSums(vectors=vectors, cells=rule, radius=1.3))
    return found
