"""Cells of vectors within classes: from noisy counts and sums to centres, and the spread left within.

Everything here is made of released values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.spectra import banded_signal, floored, pulled

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
FLOOR = 0.05  # smallest variance within a cell, relative to the class's mean variance
SMOOTH_FLOOR = 0.003  # the same in a basis from smooth to rough: its last entries hardly vary


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassGaussians:
    """Rows, means and covariances of the classes."""

    rows: Floats
    means: Floats
    covariances: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class CentredCells:
    """The class that owns a cell, its rows, its centre, and the covariance within it."""

    owner: Whole
    rows: Floats
    centres: Floats
    covariances: Floats


def centred_cells(
    counts: Floats, totals: Floats, owner: Whole, classes: ClassGaussians, *, stddev: float, bands: int = 1
) -> CentredCells:
    """Cells from noisy counts and noisy sums of (vector - mean of its class); `stddev` is a sum's noise.

    Centres are pulled towards the class's mean by what noise explains, in as many bands of entries; what the
    centres of a class spread is taken from its covariance, and the rest is floored.
    """
    rows, centres = np.zeros(len(owner)), classes.means[owner]
    covariances = classes.covariances[owner]
    for number, total in enumerate(classes.rows):
        mine = np.flatnonzero(owner == number)
        members = np.maximum(counts[mine], 1.0)
        rows[mine] = members / members.sum() * total
        if len(mine) == 1:
            continue
        shares = rows[mine] / total
        offsets = _offsets(totals[mine], members, shares, stddev=stddev, bands=bands)
        centres[mine] += offsets
        whole = classes.covariances[number]
        least = (FLOOR if bands == 1 else SMOOTH_FLOOR) * float(np.trace(whole)) / len(whole)
        covariances[mine] = floored(whole - (offsets * shares[:, None]).T @ offsets, least)
    return CentredCells(owner=owner, rows=rows, centres=centres, covariances=covariances)


def _offsets(totals: Floats, members: Floats, shares: Floats, *, stddev: float, bands: int) -> Floats:
    """The centres of one class's cells relative to its mean: noise taken out, and balanced about zero."""

    def without_noise(part: Floats, size: float) -> Floats:
        return pulled(part, towards=np.zeros(len(part)), variance=(stddev / size) ** 2)

    found = np.array(
        [
            np.concatenate([without_noise(part, size) for part in np.array_split(total / size, bands)])
            for total, size in zip(totals, members, strict=True)
        ]
    )
    return np.asarray(found - shares @ found)


def smooth_covariances(scatter: Floats, counts: Floats, stddev: float) -> Floats:
    """Covariances by class in a basis ordered from smooth to rough: noise is taken out band by band.

    All rows' matrix is drawn towards zero, a class's towards all rows', by what noise explains in a band.
    """
    total = float(counts.sum())
    pooled = banded_signal(scatter.sum(axis=0) / total, len(counts) * (stddev / total) ** 2)
    floor = SMOOTH_FLOOR * float(np.trace(pooled)) / len(pooled)
    return np.array(
        [
            floored(pooled + banded_signal(own / rows - pooled, (stddev / rows) ** 2), floor)
            for own, rows in zip(scatter, counts, strict=True)
        ]
    )
