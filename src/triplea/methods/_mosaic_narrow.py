"""Up to about 200 numbers: a covariance for every class.

Private: sizes of classes, scales, then by class counts and sums, squares, second moments.   Door: measured.
Public: estimates pulled towards the table's by what noise explains.   Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.door import Door
from triplea.approximate.codes.column_scales import masses, scaled_code
from triplea.approximate.codes.dyadic import climbing_masses
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
from triplea.queries.marginals import Marginals
from triplea.queries.pooled_counts import PooledCounts, same_range
from triplea.queries.scatter import ClassScatter
from triplea.queries.stacked import Stacked

Floats = NDArray[np.float64]
SIZES, SCALES, SUMS, SQUARES, SECOND = (
    "sizes of the classes",
    "scales of the numbers",
    "counts and sums by class",
    "squares by class",
    "second moments by class",
)
SHARES = {SIZES: 0.01, SCALES: 0.05, SUMS: 0.44, SQUARES: 0.15, SECOND: 0.35}
ALONE = 0.95  # of the rows: in a class as large as this, columns have the shape that they have in the table
SHARP = 0.08  # of the rows: noise may move quantiles by this much at most, or the bend is mostly noise
DEPTH = 12  # 4,096 cells of the public range
LEVELS = tuple(range(1, DEPTH + 1))
SUM_RADIUS, SQUARE_RADIUS, SECOND_RADIUS = 1.5, 2.0, 1.1  # in units of sqrt(numbers): a standard row has 1
MOST_CELLS = 4_000_000  # beyond, classes share their correlations


def fit_narrow(door: Door, layout: NumberLayout, present: Floats, *, rng: np.random.Generator) -> NumberFit:
    """Ask the questions, one after the other, each about what the last one left open."""
    del rng
    root = float(np.sqrt(len(layout.numbers)))
    code = _scaled_code(door, layout, _sizes(door, layout))

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


def narrow_shares(layout: NumberLayout) -> dict[str, float]:
    """Each question's share of the budget; without classes, there are no sizes to ask for."""
    if layout.label is not None:
        return SHARES
    asked = SHARES | {SUMS: SHARES[SUMS] + SHARES[SIZES]}
    return {label: share for label, share in asked.items() if label != SIZES}


def shares_correlations(layout: NumberLayout) -> bool:
    """Whether there are too many classes for second moments of their own."""
    return layout.classes * len(layout.numbers) ** 2 > MOST_CELLS


def narrow_cells(layout: NumberLayout) -> int:
    """How many numbers are released."""
    width = len(layout.numbers)
    seconds = (1 if shares_correlations(layout) else layout.classes) * width * (width + 1) // 2
    scales = (1 << DEPTH) * (1 if same_range(layout.numbers) else 2 * width)
    return scales + layout.classes * (2 * width + 2) + seconds


def _sizes(door: Door, layout: NumberLayout) -> Floats:
    """Numbers of rows by class; without classes nothing is asked."""
    if layout.label is None:
        return np.zeros(0)
    name = layout.label.name
    query = Marginals(groups=[(name,)], binnings={name: layout.binnings()[name]})
    return class_counts(door.measure(query, label=SIZES).values)


def _scaled_code(door: Door, layout: NumberLayout, sizes: Floats) -> NumberCode:
    """Quantiles of every column from noisy counts.

    Columns of the same range share one histogram: it says how wide they are, not what shape each one has.
    """
    columns = layout.numbers
    if same_range(columns):
        shared = door.measure(PooledCounts(columns=columns, depth=DEPTH), label=SCALES)
        found = masses(shared.values[None, :], float(np.max(shared.stddev)))
        return scaled_code(columns, np.repeat(found, len(columns), axis=0))
    parts = [DyadicCounts(column=column, levels=LEVELS) for column in columns]
    query = Stacked(parts=parts)
    released = door.measure(query, label=SCALES)
    found = np.array(
        [
            climbing_masses(part.levels_of(counts))
            for part, counts in zip(parts, query.split_parts(released.values), strict=True)
        ]
    )
    return scaled_code(columns, found, bend=_tells_shapes(sizes, float(np.max(released.stddev))))


def _tells_shapes(sizes: Floats, stddev: float) -> bool:
    """Whether columns have the shapes of a class in the whole table, and noise leaves them visible."""
    rows = float(sizes.sum())
    alone = len(sizes) > 0 and float(sizes.max()) >= ALONE * rows
    return alone and stddev * float(np.sqrt(DEPTH)) < SHARP * rows
