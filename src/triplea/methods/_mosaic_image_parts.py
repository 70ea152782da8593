"""Images, where noise is quiet: a class is several parts, each with a centre and a spread of its own.

Private: rounds of counts and sums of parts along the leading directions, then their sums along all known
directions, and their second moments along the leading ones.   Door: measured.
Public: which part a row is in, by centres released before.   Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.door import Door
from triplea.approximate.gaussians.centred_cells import CentredCells, ClassGaussians, centred_cells
from triplea.approximate.gaussians.class_estimates import whitened_covariances
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.part_vectors import PartVectors
from triplea.approximate.gaussians.spectra import noise_edge, power, with_block
from triplea.approximate.gaussians.vector_cells import NearestCells
from triplea.methods._mosaic_parts import PARTS, find_parts, part_cells
from triplea.queries.class_numbers import ClassSums
from triplea.queries.scatter import ClassScatter

Floats = NDArray[np.float64]
CENTRES, SPREADS = "counts and sums of parts in all patterns", "second moments of parts"
SHARES = {PARTS: 0.09, CENTRES: 0.09, SPREADS: 0.28}
LEADING = 24  # directions that say which part a row is in
OWN = 40  # directions in which a part has a spread of its own
MOST_PARTS = 12  # of a class
RADIUS = 1.1  # where a standard row has length 1
BANDS = 4  # of directions, in which centres are pulled to their class's by what noise explains


def spread_parts(
    door: Door, vectors: ClassVectors, classes: ClassGaussians, *, rng: np.random.Generator
) -> CentredCells:
    """Parts with centres and covariances, in the units of `vectors`: rows less the mean of their class."""
    rule = _leading_parts(door, vectors, classes, rng=rng)
    parts = PartVectors(vectors=vectors, rule=rule, centres=np.zeros((len(rule.owner), vectors.width)))
    cells = _centred(door, parts, classes)
    return _spread(door, parts, cells, classes=len(classes.rows))


def spread_cells(width: int) -> int:
    """How many numbers a class may release about its parts, in all rounds together."""
    own = min(OWN, width)
    return part_cells(min(LEADING, width), MOST_PARTS) + MOST_PARTS * (width + 1 + own * (own + 1) // 2)


def _leading_parts(
    door: Door, vectors: ClassVectors, classes: ClassGaussians, *, rng: np.random.Generator
) -> NearestCells:
    """Parts along the leading directions, each with as many rows as a spread of its own asks for."""
    assert vectors.projection is not None
    leading, own = min(LEADING, vectors.width), min(OWN, vectors.width)
    near = replace(vectors, projection=vectors.projection[:, :leading])
    short = replace(
        classes, means=classes.means[:, :leading], covariances=classes.covariances[:, :leading, :leading]
    )
    noise = door.count_noise(1, label=SPREADS) * _radius(own) ** 2 / float(np.sqrt(2.0))
    found = find_parts(door, near, short, least=noise_edge(noise, own), most=MOST_PARTS, rng=rng)
    return NearestCells(owner=found.owner, centres=found.centres)


def _centred(door: Door, parts: PartVectors, classes: ClassGaussians) -> CentredCells:
    """Centres of the parts in all directions, and the covariance that is left within those of a class."""
    sums = ClassSums(vectors=parts, radius=_radius(parts.width))
    released = door.measure(sums, label=CENTRES)
    counts, totals = sums.counts(released.values), sums.totals(released.values)
    stddev = float(np.max(released.stddev)) * sums.radius
    return centred_cells(counts, totals, parts.rule.owner, classes, stddev=stddev, bands=BANDS)


def _spread(door: Door, parts: PartVectors, cells: CentredCells, *, classes: int) -> CentredCells:
    """Give parts covariances of their own, measured where the one that a class's parts share is whitened."""
    width, own = cells.centres.shape[1], min(OWN, cells.centres.shape[1])
    shared = cells.covariances[np.searchsorted(cells.owner, np.arange(classes))]
    stretches = np.zeros((classes, width, own))
    stretches[:, :own] = [power(matrix[:own, :own], -0.5) for matrix in shared]
    around = replace(parts, centres=cells.centres, stretches=stretches)
    scatter = ClassScatter(vectors=around, radius=_radius(own))
    released = door.measure(scatter, label=SPREADS)
    seconds, stddev = scatter.matrices(released.values), float(np.max(released.stddev))

    covariances = cells.covariances.copy()
    for number, whole in enumerate(shared):
        mine = np.flatnonzero(cells.owner == number)
        root = power(whole[:own, :own], 0.5)
        for part, spread in zip(
            mine, whitened_covariances(seconds[mine], cells.rows[mine], stddev), strict=True
        ):
            covariances[part] = with_block(whole, root @ spread @ root)
    return replace(cells, covariances=covariances)


def _radius(width: int) -> float:
    """Vectors of this many standard entries are clipped to this length."""
    return RADIUS * float(np.sqrt(width))
