"""More than about 200 numbers: one covariance for all classes, but in few directions one for each, and parts.

Private: the centre, lengths, squares, then counts and sums by class, and second moments twice: of all
entries, and by class of few directions that matter; along these, counts and sums of parts.
Door: six measurements, and a few rounds for parts.   Public: columns bent to stay in their ranges, spectra
without noise.   Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.approximate.codes.bounded_shapes import bounded_code
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.centred_cells import CentredCells, ClassGaussians
from triplea.approximate.gaussians.class_estimates import (
    class_counts,
    covariance_edge,
    gap_variances,
    without_gaps,
)
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.clean_spectrum import clean_spectrum
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.number_fit import NumberFit
from triplea.approximate.gaussians.spectra import floored, pulled, pulled_by_parts, signal_part
from triplea.methods._mosaic_parts import PARTS, SHARE, asked, find_parts, part_cells
from triplea.queries.class_numbers import LENGTH_CELLS, ClassSquares, ClassSums, LengthCounts
from triplea.queries.scatter import ClassScatter

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
CENTRE, LENGTHS, SQUARES, SUMS, ALL, FEW = (
    "centre of the numbers",
    "lengths of the vectors",
    "squares of the numbers",
    "counts and sums by class",
    "second moments of all numbers",
    "second moments of few directions",
)
SHARES = {CENTRE: 0.03, LENGTHS: 0.01, SQUARES: 0.04, SUMS: 0.54, ALL: 0.14, FEW: 0.24}
LENGTH_QUANTILE = 0.33  # a third of the rows is shorter than the length by which squares are scaled
SQUARE_NORM = 2.0  # of a row's squares, in units of those of a row of equal entries with that length
LONGEST = 4.0  # in units of that length: rows count as no longer where what clipping takes is given back
LEAST_VARIANCE = 0.05  # of a column, in units of a typical one
RADIUS = 0.8  # in units of sqrt(numbers), where a standard row has 1: less noise, more bias
LEAST_SPREAD = 0.1  # mean variance in the bent code, where columns have about 1: less is made by noise
FARTHEST = 3.0  # that a class's mean lies from the table's, in standard deviations
ROOM = 2.5  # rows vary more along the classes' differences than a flat spectrum says: leave them room
MOST_KNOWN = 40  # eigenvectors that are looked at by class
MOST_ENTRIES = 4_000_000  # of covariances by class; beyond, classes share one
LEAST_EIGENVALUE = 0.06  # in units of a typical one
BLOCKS = 10  # pieces of columns into which the classes' differences are cut


@dataclass(frozen=True, kw_only=True, eq=False)
class WideSums:
    """Released sizes and means of the classes, and the noise of an entry of a sum."""

    counts: Floats
    means: Floats
    noise: float


@dataclass(frozen=True, kw_only=True, eq=False)
class WideSpectrum:
    """Eigenvalues of all rows, without noise; eigenvectors, the known ones first; and how many are known."""

    values: Floats
    directions: Floats
    known: int


def fit_wide(
    door: Door, layout: NumberLayout, present: Floats, sizes: Floats, *, rng: np.random.Generator
) -> NumberFit:
    """Bend the columns, compare the classes, and look closer where they differ."""
    width = len(layout.numbers)
    code = _bent_code(door, layout, sizes @ present / sizes.sum())
    vectors = ClassVectors(layout=layout, code=code, centres=np.zeros((1, width)))
    sums = _class_sums(door, vectors, present)
    spectrum = _spectrum(door, vectors, sums, present)
    centres, basis, deviations = _telling(sums, spectrum)

    few = replace(vectors, centres=centres, projection=basis / deviations)
    spreads = _measured_spreads(door, few, sums.counts)
    whitened = np.broadcast_to(spreads, (len(sums.counts), *spreads.shape[1:]))
    classes = ClassGaussians(
        rows=sums.counts, means=np.zeros((len(sums.counts), few.width)), covariances=whitened
    )
    parts = find_parts(door, few, classes, rng=rng)

    stretch = basis * deviations
    rest = np.eye(width) - basis @ basis.T
    outside = rest @ ((spectrum.directions * spectrum.values) @ spectrum.directions.T) @ rest
    floor = LEAST_EIGENVALUE * float(spectrum.values.mean())
    inside, families = spreads_of(parts, shared=len(spreads) == 1)
    gaussians = standardized(
        parts.rows / sums.counts.sum(),
        centres[parts.owner] + parts.centres @ stretch.T,
        np.array([floored(outside + stretch @ each @ stretch.T, floor) for each in inside]),
        families,
    )
    return NumberFit(counts=parts.rows, code=code, gaussians=gaussians, owner=parts.owner)


def standardized(shares: Floats, means: Floats, covariances: Floats, families: Whole) -> LatentGaussians:
    """Gaussians whose columns have variance 1 over all rows: the shapes of columns belong to the code."""
    overall = shares @ means
    within = np.array([np.diag(matrix) for matrix in covariances])[families]
    scale = np.sqrt(shares @ ((means - overall) ** 2 + within))
    return LatentGaussians(
        offset=np.zeros(len(scale)),
        means=means / scale,
        covariances=covariances / np.outer(scale, scale),
        families=families,
    )


def spreads_of(parts: CentredCells, *, shared: bool) -> tuple[Floats, Whole]:
    """Covariances, one per class (its parts have the same) or one for all, and the one that each part has."""
    if shared:
        weights = parts.rows / parts.rows.sum()
        return np.tensordot(weights, parts.covariances, axes=1)[None], np.zeros_like(parts.owner)
    first = np.searchsorted(parts.owner, np.unique(parts.owner))
    return parts.covariances[first], parts.owner


def wide_shares(budget: Budget) -> dict[str, float]:
    """Each question's share of the budget: what parts take, the questions about classes and spreads give."""
    if not asked(budget):
        return SHARES
    left = 1.0 - SHARE / sum(SHARES[label] for label in (SUMS, ALL, FEW))
    return {**SHARES, **{label: left * SHARES[label] for label in (SUMS, ALL, FEW)}, PARTS: SHARE}


def _bent_code(door: Door, layout: NumberLayout, present: Floats) -> NumberCode:
    """A column's mean and variance, and with them its shape; `present` says how often it is not missing.

    Where rows differ much in length, as where one direction outweighs all others, long ones lose most of
    their squares to clipping; the released lengths say how much, and it is given back to all columns.
    """
    width = len(layout.numbers)
    everybody = ClassVectors(
        layout=replace(layout, label=None),
        code=NumberCode.plain(layout.numbers),
        centres=np.zeros((1, width)),
    )
    sums = ClassSums(vectors=everybody, radius=float(np.sqrt(width)))
    released = door.measure(sums, label=CENTRE)
    rows = max(float(sums.counts(released.values)[0]), 1.0) * present
    noise = float(np.max(released.stddev)) * sums.radius / float(rows.mean())
    means = pulled_by_parts(
        sums.totals(released.values)[0] / rows, towards=np.zeros(width), variance=noise**2
    )
    centre = np.clip(means, -1.0, 1.0)

    vectors = replace(everybody, centres=centre[None, :])
    lengths = LengthCounts(vectors=vectors)
    released = door.measure(lengths, label=LENGTHS)
    heard = (released.values, float(np.max(released.stddev)))
    length = lengths.quantile(*heard, LENGTH_QUANTILE)
    radius = length * float(np.sqrt(SQUARE_NORM))
    kept = lengths.kept(*heard, radius=radius, longest=LONGEST * length)
    typical = length**2 / width
    squares = ClassSquares(vectors=vectors, clip_norm=SQUARE_NORM * typical * float(np.sqrt(width)))
    released = door.measure(squares, label=SQUARES)
    noise = float(np.max(released.stddev)) / float(rows.mean())
    level = np.full(width, typical)
    variances = pulled_by_parts(released.values[0] / rows, towards=level, variance=noise**2)
    variances = np.maximum(variances, LEAST_VARIANCE * level) / kept
    return bounded_code(layout.numbers, centre, variances)


def _class_sums(door: Door, vectors: ClassVectors, present: Floats) -> WideSums:
    sums = ClassSums(vectors=vectors, radius=RADIUS * float(np.sqrt(vectors.width)))
    released = door.measure(sums, label=SUMS)
    counts = class_counts(sums.counts(released.values))
    return WideSums(
        counts=counts,
        means=sums.totals(released.values) / (counts[:, None] * present),
        noise=float(np.max(released.stddev)) * sums.radius,
    )


def _spectrum(door: Door, vectors: ClassVectors, sums: WideSums, present: Floats) -> WideSpectrum:
    scatter = ClassScatter(vectors=vectors, radius=RADIUS * float(np.sqrt(vectors.width)), pooled=True)
    released = door.measure(scatter, label=ALL)
    rows = float(sums.counts.sum())
    seen = (sums.counts @ present / rows)[None, :]
    matrix = without_gaps(scatter.matrices(released.values), seen)[0] / rows
    values, directions, known = clean_spectrum(matrix, float(np.min(released.stddev)) / rows)
    values = values + max(LEAST_SPREAD - float(values.mean()), 0.0)
    return WideSpectrum(values=values, directions=directions, known=known)


def _telling(sums: WideSums, spectrum: WideSpectrum) -> tuple[Floats, Floats, Floats]:
    """Centres of the classes; the directions that tell them apart, and rows' deviations along these."""
    counts, rows, directions = sums.counts, float(sums.counts.sum()), spectrum.directions
    middle = counts @ sums.means / rows
    typical = float(spectrum.values.mean())
    gaps = shrunk_gaps(
        (sums.means - middle) @ directions, spectrum.values, gap_variances(counts, sums.noise, own=typical)
    )
    nothing = np.zeros(len(middle))
    overall = pulled(middle, towards=nothing, variance=len(counts) * (sums.noise / rows) ** 2)
    centres = np.clip(overall + gaps @ directions.T, -FARTHEST, FARTHEST)
    basis = telling_basis(gaps, counts / rows, directions, spectrum.known)
    variances = np.maximum(((basis.T @ directions) ** 2) @ spectrum.values, ROOM * typical)
    return centres, basis, np.sqrt(variances)


def _measured_spreads(door: Door, vectors: ClassVectors, counts: Floats) -> Floats:
    """Covariances by class along the telling directions, or one for all."""
    scatter = ClassScatter(
        vectors=vectors, radius=float(np.sqrt(vectors.width)), pooled=shares_spread(vectors.layout)
    )
    released = door.measure(scatter, label=FEW)
    return few_spreads(scatter.matrices(released.values), counts, float(np.min(released.stddev)))


def wide_cells(layout: NumberLayout) -> int:
    """How many numbers are released, at most."""
    width = len(layout.numbers)
    few = min(MOST_KNOWN + BLOCKS, width)
    by_class = (width + 1) + few * (few + 1) // 2 + part_cells(few)
    return (width + 1) + LENGTH_CELLS + width + layout.classes * by_class + width * (width + 1) // 2


def shares_spread(layout: NumberLayout) -> bool:
    """Whether there are too many classes for covariances of their own."""
    return layout.classes * len(layout.numbers) ** 2 > MOST_ENTRIES


def few_spreads(scatter: Floats, counts: Floats, stddev: float) -> Floats:
    """Second moments of the few directions by class, pulled to all rows' by what noise explains."""
    width, total = scatter.shape[1], float(counts.sum())
    pooled = floored(scatter.sum(axis=0) / total, 0.05)
    if len(scatter) == 1:
        return pooled[None, :, :]
    gaps = [
        signal_part(own / rows - pooled, covariance_edge(stddev, width, rows))
        for own, rows in zip(scatter, counts, strict=True)
    ]
    return np.array([floored(pooled + gap, 0.05) for gap in gaps])


def shrunk_gaps(noisy: Floats, spectrum: Floats, variances: Floats) -> Floats:
    """Differences of class means in the eigenbasis, pulled to 0; their prior is the covariance, scaled."""
    width = len(spectrum)
    signal = np.maximum((np.sum(noisy**2, axis=1) - width * variances) / spectrum.sum(), 1e-9)
    prior = signal[:, None] * spectrum
    return np.asarray(noisy * prior / (prior + variances[:, None]))


def telling_basis(gaps: Floats, shares: Floats, directions: Floats, known: int) -> Floats:
    """Orthonormal directions: the clear eigenvectors, and the rest of the classes' differences by columns."""
    kept = min(max(known, 3), MOST_KNOWN, directions.shape[1])
    rest = np.sqrt(shares)[:, None] * (gaps[:, kept:] @ directions[:, kept:].T)
    count = max(min(len(gaps) - 1, 4), 1)
    leading = np.linalg.svd(rest, full_matrices=False)[2][:count]
    pieces = max(BLOCKS // count, 1)
    block = np.arange(directions.shape[0]) * pieces // directions.shape[0]
    cut = [line * (block == number) for line in leading for number in range(pieces)]
    return np.asarray(np.linalg.qr(np.column_stack([directions[:, :kept], *cut]))[0])
