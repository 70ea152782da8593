"""Means, variances and covariances of classes from noisy sums.

Every estimate is pulled towards a plainer one by as much as the noise (and the chance of sampling) explains
their distance: the table towards a standard vector, a class towards the table. A class about which the
released sums say nothing ends up equal to the rest, so that noise is never mistaken for a difference.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.spectra import (
    banded_signal,
    floored,
    noise_edge,
    pulled,
    pulled_by_parts,
    sampling_edge,
    signal_part,
    with_variances,
)

Floats = NDArray[np.float64]
FLOOR = 0.02  # smallest eigenvalue of a covariance, relative to the mean variance


def class_counts(noisy: Floats) -> Floats:
    """Numbers of rows by class: at least one, so that no class vanishes by noise."""
    return np.maximum(noisy, 1.0)


def gap_variances(counts: Floats, stddev: float, *, own: float) -> Floats:
    """For every class, the variance of (its mean - the mean of all) per entry.

    `stddev` is the noise of a class's sum; `own` is the variance of one row's entry.
    """
    total = counts.sum()
    noise = (stddev / counts) ** 2
    others = (len(counts) - 1) * (stddev / total) ** 2
    return np.asarray((1.0 - counts / total) ** 2 * noise + others + own / counts)


def class_means(
    totals: Floats, counts: Floats, stddev: float, *, present: Floats | None = None, own: float = 1.0
) -> Floats:
    """Means by class, from sums of vectors about a public origin.

    `present` is the share of rows in which an entry is not missing, `own` the variance of one row's entry.
    """
    rows = counts[:, None] if present is None else counts[:, None] * present
    overall = _overall(stddev, counts, own=own)
    pooled = pulled(
        totals.sum(axis=0) / rows.sum(axis=0), towards=np.zeros(totals.shape[1]), variance=overall
    )
    if len(counts) == 1:
        return pooled[None, :]
    gaps = gap_variances(counts, stddev, own=own)
    each = [pulled(t / n, towards=pooled, variance=v) for t, n, v in zip(totals, rows, gaps, strict=True)]
    return np.array(each)


def class_variances(
    squares: Floats, counts: Floats, stddev: float, *, present: Floats | None = None
) -> tuple[Floats, Floats]:
    """Variances of all rows about their class's mean, and by class."""
    rows = counts[:, None] if present is None else counts[:, None] * present
    start = np.ones(squares.shape[1])
    overall = _overall(stddev, counts, own=2.0)
    pooled = np.maximum(
        pulled_by_parts(squares.sum(axis=0) / rows.sum(axis=0), towards=start, variance=overall), 0.02
    )
    if len(counts) == 1:
        return pooled, pooled[None, :]
    gaps = gap_variances(counts, stddev, own=2.0)
    each = [
        np.maximum(pulled_by_parts(s / n, towards=pooled, variance=v), _least(pooled, v))
        for s, n, v in zip(squares, rows, gaps, strict=True)
    ]
    return pooled, np.array(each)


def class_covariances(
    scatter: Floats, counts: Floats, stddev: float, variances: Floats, *, pooled_variances: Floats
) -> Floats:
    """Covariances by class from second moments (one per class, or one of all rows) and known variances.

    `stddev` is the noise of an entry off the diagonal. The correlations of all rows rise from the diagonal
    where eigenvalues exceed the noise, those of a class from the correlations of all rows.
    """
    width, total = scatter.shape[1], float(counts.sum())
    edge = covariance_edge(stddev * np.sqrt(len(scatter)), width, total)
    base = np.diag(pooled_variances)
    pooled = base + signal_part(scatter.sum(axis=0) / total - base, edge)
    pooled = with_variances(floored(pooled, FLOOR * float(pooled_variances.mean())), pooled_variances)
    found = []
    for number, own in enumerate(variances):
        matrix = pooled
        if len(scatter) > 1:
            rows = float(counts[number])
            gap = scatter[number] / rows - pooled
            matrix = pooled + signal_part(gap, covariance_edge(stddev, width, rows))
        found.append(with_variances(floored(matrix, FLOOR * float(own.mean())), own))
    return np.array(found)


def whitened_covariances(scatter: Floats, counts: Floats, stddev: float) -> Floats:
    """Covariances by class of whitened rows: pulled towards all rows', and those towards the identity.

    `stddev` is the noise of an entry on the diagonal of the classes' second moments.
    """
    classes, width, total = len(counts), scatter.shape[1], float(counts.sum())
    unit = np.eye(width)
    noise = classes * (stddev / total) ** 2
    pooled = floored(unit + banded_signal(scatter.sum(axis=0) / total - unit, noise), 0.2)
    each = [
        floored(pooled + banded_signal(own / rows - pooled, (stddev / rows) ** 2), 0.2)
        for own, rows in zip(scatter, counts, strict=True)
    ]
    return np.array(each)


def without_gaps(scatter: Floats, present: Floats) -> Floats:
    """Second moments as if nothing were missing: entry (i, j) divided by the share of rows that have both."""
    both = present[:, :, None] * present[:, None, :]
    width = present.shape[1]
    both[:, np.arange(width), np.arange(width)] = present
    return np.asarray(scatter / both)


def covariance_edge(stddev: float, width: int, rows: float) -> float:
    """Where a covariance rises above the noise of its sum (`stddev`) and above the chance of sampling."""
    return float(np.hypot(noise_edge(stddev / rows, width), sampling_edge(width, rows)))


def _overall(stddev: float, counts: Floats, *, own: float) -> float:
    total = float(counts.sum())
    return float(stddev**2 * len(counts) / total**2 + own / total)


def _least(pooled: Floats, variance: float) -> Floats:
    """A class's variances are not believed to be far below all rows' where noise could have made them so."""
    return np.asarray(np.minimum(0.3 * pooled, 0.01 * pooled + 2.0 * float(np.sqrt(variance))))
