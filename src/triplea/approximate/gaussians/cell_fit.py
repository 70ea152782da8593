"""From noisy moments of one feature set to its Gaussians, as post-processing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.gaussian_cells import SetCells
from triplea.approximate.gaussians.moments_to_gaussians import (
    FLOOR,
    fade,
    known_variances,
    nearest_covariance,
    shifts,
)

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class NoisyMoments:
    """Counts, sums and second moments by (class, cell), each with the standard deviation of its noise."""

    count: Floats
    total: Floats
    second: Floats
    count_noise: float
    total_noise: float
    second_noise: float


def fit_sets(
    code: VectorCode,
    sets: Sequence[Whole],
    parts: Sequence[NoisyMoments],
    *,
    classes: int,
    rng: np.random.Generator,
) -> list[SetCells]:
    """Turn the moments of all sets into Gaussians.

    A cell's mean is pulled towards its class's, and a class's towards the whole table's, by as much as noise
    explains; covariances fade likewise, take the variances that means imply, and are made semidefinite.
    """
    centres = class_centres(code.width, sets, parts, classes=classes)
    pairs = zip(sets, parts, strict=True)
    return [_fit_set(code, entries, part, centres[:, entries], rng) for entries, part in pairs]


def class_centres(
    width: int, sets: Sequence[Whole], parts: Sequence[NoisyMoments], *, classes: int
) -> Floats:
    """Means of the classes over all entries, pulled towards the mean of the table."""
    total = np.zeros((classes, width))
    leaves = len(parts[0].count) // classes
    for entries, part in zip(sets, parts, strict=True):
        total[:, entries] = part.total.reshape(classes, leaves, len(entries)).sum(axis=1)
    rows = np.maximum(parts[0].count.reshape(classes, leaves).sum(axis=1), 1.0)
    noise = max(part.total_noise for part in parts) * np.sqrt(leaves)
    overall = np.clip(total.sum(axis=0) / rows.sum(), -1.0, 1.0)
    return np.array([pulled(total[c] / rows[c], overall, noise / rows[c]) for c in range(classes)])


def _fit_set(
    code: VectorCode, entries: Whole, moments: NoisyMoments, centres: Floats, rng: np.random.Generator
) -> SetCells:
    classes, width = centres.shape
    leaves = len(moments.count) // classes
    count = moments.count.reshape(classes, leaves)
    total = moments.total.reshape(classes, leaves, width)
    second = moments.second.reshape(classes, leaves, width, width)
    rows = np.maximum(count, 1.0)
    means = np.zeros_like(total)
    covariances = np.zeros_like(second)
    moved = np.zeros_like(total)
    for c in range(classes):
        for leaf in range(leaves):
            at = (c, leaf)
            noise = moments.total_noise / rows[at]
            mean = pulled(total[at] / rows[at], centres[c], noise) if leaves > 1 else centres[c]
            means[at] = np.clip(mean, -1.0, 1.0)
            raw = second[at] / rows[at] - np.outer(means[at], means[at])
            covariances[at] = clean_covariance(
                code, entries, means[at], raw, noise=moments.second_noise / rows[at]
            )
            moved[at] = shifts(code, entries, means[at], covariances[at], rng)
    weights = np.array([to_simplex(line, max(float(line.sum()), 1.0)) for line in count])
    return SetCells(entries=entries, weights=weights, means=means, covariances=covariances, shifts=moved)


def clean_covariance(code: VectorCode, entries: Whole, mean: Floats, raw: Floats, *, noise: float) -> Floats:
    """A covariance with variances between 0 and what [-1, 1] allows around the mean."""
    variances = np.clip(np.diag(raw), FLOOR, np.maximum(1.0 - mean**2, FLOOR))
    faded = fade(raw, noise)
    np.fill_diagonal(faded, variances)
    return nearest_covariance(known_variances(code, entries, mean, faded))


def pulled(noisy: Floats, towards: Floats, noise: float) -> Floats:
    """James-Stein: keep of the distance to a guess what noise does not explain."""
    gap = noisy - towards
    square = float(gap @ gap)
    keep = max(0.0, 1.0 - max(len(gap) - 2, 1) * noise**2 / square) if square > 0 else 0.0
    return np.asarray(towards + keep * gap)


def class_covariances(moments: NoisyMoments) -> tuple[Floats, Floats]:
    """Noisy covariances and means of the classes; entries that noise explains fade."""
    rows = np.maximum(moments.count, 1.0)[:, None]
    means = np.clip(moments.total / rows, -1.0, 1.0)
    raw = moments.second / rows[:, :, None] - means[:, :, None] * means[:, None, :]
    faded = [fade(matrix, moments.second_noise / n) for matrix, n in zip(raw, rows[:, 0], strict=True)]
    return np.array(faded), means


def pooled_covariance(moments: NoisyMoments) -> Floats:
    """The covariance within classes, all classes together; entries that noise explains fade."""
    rows = np.maximum(moments.count, 1.0)
    means = np.clip(moments.total / rows[:, None], -1.0, 1.0)
    between = (means * rows[:, None]).T @ means
    total = float(rows.sum())
    noise = moments.second_noise * np.sqrt(len(rows)) / total
    return fade((moments.second.sum(axis=0) - between) / total, noise)


def join_measurements(
    parts: Sequence[NoisyMoments], first: NoisyMoments | None, sets: Sequence[Whole], *, classes: int
) -> list[NoisyMoments]:
    """Let measurements of the same numbers support each other, weighted by their precision.

    Class sizes are known from every set and from the first question; with one cell per class, so are sums
    and second moments from the first question.
    """
    sizes = [part.count.reshape(classes, -1).sum(axis=1) for part in parts]
    leaves = len(parts[0].count) // classes
    noises = [part.count_noise * np.sqrt(leaves) for part in parts]
    if first is not None:
        sizes, noises = [*sizes, first.count], [*noises, first.count_noise]
    precision = np.array([1.0 / noise**2 for noise in noises])
    together = precision @ np.array(sizes) / precision.sum()
    joined = []
    for part, entries in zip(parts, sets, strict=True):
        gap = (together - part.count.reshape(classes, -1).sum(axis=1)) / leaves
        better = replace(part, count=part.count + np.repeat(gap, leaves))
        if first is not None and leaves == 1:
            inner = first.second[:, entries][:, :, entries]
            outer = first.total[:, entries]
            total, total_noise = _average(part.total, part.total_noise, outer, first.total_noise)
            second, second_noise = _average(part.second, part.second_noise, inner, first.second_noise)
            better = replace(
                better, total=total, total_noise=total_noise, second=second, second_noise=second_noise
            )
        joined.append(better)
    return joined


def _average(one: Floats, one_noise: float, two: Floats, two_noise: float) -> tuple[Floats, float]:
    if one_noise == 0.0 or two_noise == 0.0:
        return one, one_noise
    weight = two_noise**2 / (one_noise**2 + two_noise**2)
    return weight * one + (1.0 - weight) * two, float(one_noise * np.sqrt(weight))
