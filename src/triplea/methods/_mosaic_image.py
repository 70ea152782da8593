"""Pixels: Gaussians of classes in smooth patterns, bent to the released histograms of the pixels.

Private: a histogram of every pixel, lengths, counts and sums by class, then second moments within classes:
of all patterns together, and by class along all directions that noise leaves.   Door: five measurements, and
those about parts of classes where noise is quiet.   Public: the patterns, the polish.
Guarantee: (epsilon, delta), proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.approximate.codes.cosine_basis import cosine_basis
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.centred_cells import CentredCells, ClassGaussians
from triplea.approximate.gaussians.class_estimates import class_counts, class_means, whitened_covariances
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.number_fit import NumberFit
from triplea.approximate.gaussians.pixel_polish import PixelPolish, Wanted
from triplea.approximate.gaussians.spectra import noise_edge, shrunk
from triplea.approximate.mixtures.product_mixture import quota
from triplea.methods import _mosaic_image_parts as image_parts
from triplea.methods._mosaic_parts import asked
from triplea.queries.class_numbers import ClassSums, LengthCounts
from triplea.queries.dyadic import DyadicCounts
from triplea.queries.scatter import ClassScatter
from triplea.queries.stacked import Stacked

Floats = NDArray[np.float64]
PIXELS, LENGTHS, SUMS, ALL, KNOWN = (
    "histograms of the pixels",
    "lengths of the images",
    "counts and sums by class",
    "second moments within classes",
    "second moments by class",
)
SHARES = {PIXELS: 0.10, LENGTHS: 0.005, SUMS: 0.145, ALL: 0.15, KNOWN: 0.60}
QUIET_SHARES = {PIXELS: 0.12, LENGTHS: 0.005, SUMS: 0.09, ALL: 0.05, KNOWN: 0.275, **image_parts.SHARES}
DEPTH = 4  # 16 cells per pixel
BAND = 28  # cosine patterns of a pixel's counts that share a factor
PATTERNS, LEAST_KNOWN = 200, 5
LENGTH_QUANTILE = 0.67
DARKEST = -0.994  # mean place of a pixel in its lowest cell, where nearly all are black
LAYERS, PUBLIC_DRAWS = 6, 24_000


@dataclass(frozen=True, kw_only=True, eq=False)
class PatternSpectrum:
    """Eigenvectors that rise above the noise, rows' deviations along them, and what covariance is left."""

    directions: Floats
    deviations: Floats
    rest: Floats


def fit_image(
    door: Door, layout: NumberLayout, shape: tuple[int, int], *, rng: np.random.Generator
) -> NumberFit:
    """Learn the classes in few patterns, then make the pixels crisp."""
    code = NumberCode.plain(layout.numbers)
    histograms = _released_pixels(door, layout, shape)
    middles = -1.0 + (np.arange(2**DEPTH) + 0.5) / 2 ** (DEPTH - 1)
    middles[0] = DARKEST
    offset = histograms @ middles

    patterns = cosine_basis(*shape, patterns=PATTERNS)
    vectors = ClassVectors(layout=layout, code=code, centres=offset[None, :], projection=patterns)
    counts, means, radius = _class_sums(door, vectors)
    vectors = replace(vectors, centres=offset + means @ patterns.T)
    spectrum = _spectrum(door, vectors, radius=0.93 * radius, rows=float(counts.sum()))
    known = replace(vectors, projection=patterns @ (spectrum.directions / spectrum.deviations))
    classes = _class_spreads(door, known, counts)
    parts = _parts(door, known, classes, rng=rng)

    stretch = spectrum.directions * spectrum.deviations
    gaussians = LatentGaussians(
        offset=offset,
        basis=patterns,
        means=means[parts.owner] + parts.centres @ stretch.T,
        covariances=np.array([stretch @ own @ stretch.T + spectrum.rest for own in parts.covariances]),
    )
    wanted = Wanted(
        histograms=histograms,
        offset=offset,
        directions=patterns @ spectrum.directions,
        means=means @ spectrum.directions,
        covariances=classes.covariances * np.outer(spectrum.deviations, spectrum.deviations),
    )
    polish = _polished(gaussians, parts, wanted, rng)
    return NumberFit(counts=parts.rows, code=code, gaussians=gaussians, polish=polish, owner=parts.owner)


def image_shares(budget: Budget) -> dict[str, float]:
    """Each question's share of the budget; parts are asked for where noise is quiet."""
    return QUIET_SHARES if asked(budget) else SHARES


def _released_pixels(door: Door, layout: NumberLayout, shape: tuple[int, int]) -> Floats:
    pixels = Stacked(parts=[DyadicCounts(column=column, levels=(DEPTH,)) for column in layout.numbers])
    released = door.measure(pixels, label=PIXELS)
    counts = np.array([part[: 2**DEPTH] for part in pixels.split_parts(released.values)])
    return pixel_histograms(counts, float(np.max(released.stddev)), shape)


def _class_sums(door: Door, vectors: ClassVectors) -> tuple[Floats, Floats, float]:
    """Sizes and means of the classes, and the length to which images were clipped."""
    lengths = LengthCounts(vectors=vectors)
    released = door.measure(lengths, label=LENGTHS)
    radius = lengths.quantile(released.values, float(np.max(released.stddev)), LENGTH_QUANTILE)
    sums = ClassSums(vectors=vectors, radius=radius)
    released = door.measure(sums, label=SUMS)
    counts = class_counts(sums.counts(released.values))
    noise = float(np.max(released.stddev)) * radius
    own = radius**2 / vectors.width
    return counts, class_means(sums.totals(released.values), counts, noise, own=own), radius


def _spectrum(door: Door, vectors: ClassVectors, *, radius: float, rows: float) -> PatternSpectrum:
    scatter = ClassScatter(vectors=vectors, radius=radius, pooled=True)
    released = door.measure(scatter, label=ALL)
    matrix = scatter.matrices(released.values)[0] / rows
    return pattern_spectrum(matrix, float(np.min(released.stddev)) / rows)


def _class_spreads(door: Door, vectors: ClassVectors, counts: Floats) -> ClassGaussians:
    """Covariances by class about their means, in the known directions."""
    scatter = ClassScatter(vectors=vectors, radius=1.1 * float(np.sqrt(vectors.width)))
    released = door.measure(scatter, label=KNOWN)
    found = whitened_covariances(scatter.matrices(released.values), counts, float(np.max(released.stddev)))
    return ClassGaussians(rows=counts, means=np.zeros((len(counts), vectors.width)), covariances=found)


def _parts(
    door: Door, vectors: ClassVectors, classes: ClassGaussians, *, rng: np.random.Generator
) -> CentredCells:
    """Parts of the classes, or every class as one part."""
    if asked(door.budget):
        return image_parts.spread_parts(door, vectors, classes, rng=rng)
    return CentredCells(
        owner=np.arange(len(classes.rows)), rows=classes.rows, centres=classes.means,
        covariances=classes.covariances,
    )  # fmt: skip


def image_cells(layout: NumberLayout) -> int:
    """How many numbers are released, at most."""
    patterns = min(PATTERNS, len(layout.numbers))
    seconds = (1 + layout.classes) * (patterns * (patterns + 1) // 2)
    pixels = (1 << DEPTH) * len(layout.numbers)
    by_class = patterns + 1 + image_parts.spread_cells(patterns)
    return pixels + layout.classes * by_class + seconds


def pixel_histograms(counts: Floats, stddev: float, shape: tuple[int, int]) -> Floats:
    """Shares of the cells of every pixel, from noisy counts (pixels x cells).

    How often pixels are in a cell makes a smooth image: each band of its cosine patterns is shrunk to what
    noise leaves (Wiener). The lowest cell gets the rest of the rows.
    """
    rows = max(float(np.median(counts.sum(axis=1))), 1.0)
    patterns = cosine_basis(*shape, patterns=len(counts))
    seen, clean = patterns.T @ counts, np.zeros_like(counts)
    for start in range(0, len(counts), BAND):
        band = slice(start, start + BAND)
        signal = np.maximum(np.mean(seen[band] ** 2, axis=0) - stddev**2, 0.0)
        clean += patterns[:, band] @ (seen[band] * signal / (signal + stddev**2))
    lit = np.maximum(clean[:, 1:], 0.0)
    lit *= np.minimum(rows / np.maximum(lit.sum(axis=1, keepdims=True), 1e-9), 1.0)
    return np.column_stack([np.maximum(rows - lit.sum(axis=1), 0.0), lit]) / rows


def pattern_spectrum(matrix: Floats, stddev: float) -> PatternSpectrum:
    """What rises above the noise, less noise's part; at least `LEAST_KNOWN` directions do."""
    values, directions = np.linalg.eigh(matrix)
    values, directions = values[::-1], directions[:, ::-1]
    edge = noise_edge(stddev, len(matrix))
    known = int(np.sum(values > edge))
    left = max(float(values[known:].sum()) / max(len(values) - known, 1), 4e-3)
    clean = np.where(values > edge, shrunk(values, edge), left)
    known = min(max(known, LEAST_KNOWN), len(values))
    others = directions[:, known:]
    return PatternSpectrum(
        directions=directions[:, :known],
        deviations=np.sqrt(clean[:known]),
        rest=(others * clean[known:]) @ others.T,
    )


def _polished(
    gaussians: LatentGaussians, parts: CentredCells, wanted: Wanted, rng: np.random.Generator
) -> PixelPolish:
    """Find the polish on public draws from the model."""
    members = quota(parts.rows / parts.rows.sum(), PUBLIC_DRAWS, rng)
    images = np.concatenate([gaussians.draw(number, int(size), rng) for number, size in enumerate(members)])
    return PixelPolish.find(images, np.repeat(parts.owner, members), wanted, layers=LAYERS)
