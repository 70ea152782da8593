"""Up to about 200 numbers: a covariance for every class.

Private: scales, then by class counts and sums, squares, second moments.   Door: four measurements.
Public: estimates pulled towards the table's by what noise explains.   Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.door import Door
from triplea.approximate.codes.column_scales import centre_and_spread, masses
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_estimates import (
    class_counts,
    class_covariances,
    class_means,
    class_variances,
    without_gaps,
)
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.number_fit import NumberFit
from triplea.queries.class_numbers import ClassSquares, ClassSums
from triplea.queries.dyadic import DyadicCounts
from triplea.queries.pooled_counts import PooledCounts, same_range
from triplea.queries.scatter import ClassScatter
from triplea.queries.stacked import Stacked

Floats = NDArray[np.float64]
SCALES, SUMS, SQUARES, SECOND = (
    "scales of the numbers",
    "counts and sums by class",
    "squares by class",
    "second moments by class",
)
SHARES = {SCALES: 0.05, SUMS: 0.45, SQUARES: 0.15, SECOND: 0.35}
DEPTH = 12  # 4,096 cells of the public range
SUM_RADIUS, SQUARE_RADIUS, SECOND_RADIUS = 1.5, 2.0, 1.1  # in units of sqrt(numbers): a standard row has 1
MOST_CELLS = 4_000_000  # beyond, classes share their correlations


def fit_narrow(door: Door, layout: NumberLayout, present: Floats, *, rng: np.random.Generator) -> NumberFit:
    """Ask the four questions, one after the other, each about what the last one left open."""
    del rng
    root = float(np.sqrt(len(layout.numbers)))
    code = _scaled_code(door, layout)

    vectors = ClassVectors(layout=layout, code=code, centres=np.zeros((1, len(layout.numbers))))
    sums = ClassSums(vectors=vectors, radius=SUM_RADIUS * root)
    released = door.measure(sums, label=SUMS)
    counts = class_counts(sums.counts(released.values))
    noise = float(np.max(released.stddev)) * sums.radius
    means = class_means(sums.totals(released.values), counts, noise, present=present)

    vectors = ClassVectors(layout=layout, code=code, centres=means)
    squares = door.measure(ClassSquares(vectors=vectors, clip_norm=SQUARE_RADIUS * root), label=SQUARES)
    pooled, variances = class_variances(
        squares.values, counts, float(np.max(squares.stddev)), present=present
    )

    scatter = ClassScatter(vectors=vectors, radius=SECOND_RADIUS * root, pooled=shares_correlations(layout))
    second = door.measure(scatter, label=SECOND)
    seen = present if scatter.cells > 1 else (counts @ present / counts.sum())[None, :]
    covariances = class_covariances(
        without_gaps(scatter.matrices(second.values), seen),
        counts,
        float(np.min(second.stddev)),
        variances,
        pooled_variances=pooled,
    )
    gaussians = LatentGaussians(offset=np.zeros(len(layout.numbers)), means=means, covariances=covariances)
    return NumberFit(counts=counts, code=code, gaussians=gaussians)


def shares_correlations(layout: NumberLayout) -> bool:
    """Whether there are too many classes for second moments of their own."""
    return layout.classes * len(layout.numbers) ** 2 > MOST_CELLS


def narrow_cells(layout: NumberLayout) -> int:
    """How many numbers are released."""
    width = len(layout.numbers)
    seconds = (1 if shares_correlations(layout) else layout.classes) * width * (width + 1) // 2
    scales = (1 << DEPTH) * (1 if same_range(layout.numbers) else width)
    return scales + layout.classes * (2 * width + 1) + seconds


def _scaled_code(door: Door, layout: NumberLayout) -> NumberCode:
    """Median and spread of every column from noisy histograms; one for all if their ranges are the same."""
    columns = layout.numbers
    if same_range(columns):
        shared = door.measure(PooledCounts(columns=columns, depth=DEPTH), label=SCALES)
        histograms = np.repeat(shared.values[None, :], len(columns), axis=0)
        stddev = float(np.max(shared.stddev))
    else:
        query = Stacked(parts=[DyadicCounts(column=column, levels=(DEPTH,)) for column in columns])
        released = door.measure(query, label=SCALES)
        histograms = np.array([part[: 2**DEPTH] for part in query.split_parts(released.values)])
        stddev = float(np.max(released.stddev))
    found = [
        centre_and_spread(column, mass)
        for column, mass in zip(columns, masses(histograms, stddev), strict=True)
    ]
    centres, spreads = np.array(found).T
    return NumberCode(columns=columns, centres=centres, spreads=spreads, curved=True)
