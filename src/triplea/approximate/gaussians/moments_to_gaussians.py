"""Gaussians from noisy moments: covariances that are some, and shifts that keep shares right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.codes.vectors import Block, BlockKind, VectorCode

Floats = NDArray[np.float64]
FLOOR = 1e-6  # smallest eigenvalue of a repaired covariance
DRAWS = 1024  # public draws from which the shifts of one-hot entries are found
ROUNDS = 20


def nearest_covariance(matrix: Floats) -> Floats:
    """Symmetrise, cut negative eigenvalues, and give the diagonal its own size back where it was positive."""
    if not len(matrix):
        return matrix
    symmetric = (matrix + matrix.T) / 2.0
    values, vectors = np.linalg.eigh(symmetric)
    if values[0] >= FLOOR:
        return symmetric
    lifted = (vectors * np.maximum(values, FLOOR)) @ vectors.T
    wanted = np.maximum(np.diag(symmetric), FLOOR)
    shrink = np.sqrt(np.minimum(wanted / np.diag(lifted), 1.0))
    return np.asarray(lifted * np.outer(shrink, shrink))


def fade(values: Floats, noise: Floats | float) -> Floats:
    """Shrink numbers by what noise of this standard deviation explains: v * max(0, 1 - noise^2 / v^2)."""
    squares = values**2
    keep = 1.0 - np.divide(
        np.asarray(noise) ** 2, squares, out=np.ones_like(values), where=squares > np.asarray(noise) ** 2
    )
    return np.asarray(values * keep)


def local_blocks(code: VectorCode, entries: NDArray[np.int64]) -> list[tuple[Block, NDArray[np.int64]]]:
    """Blocks of which some entries are in the list, with the places of those entries in it."""
    where = {int(entry): place for place, entry in enumerate(entries)}
    found = []
    for block in code.filled:
        places = [where[entry] for entry in range(block.start, block.stop) if entry in where]
        if places:
            found.append((block, np.array(places)))
    return found


def known_variances(code: VectorCode, entries: NDArray[np.int64], mean: Floats, cov: Floats) -> Floats:
    """Put in what the means imply: variances of two-valued entries, covariances within one-hot blocks."""
    better = cov.copy()
    for block, places in local_blocks(code, entries):
        if block.kind is BlockKind.TWO:
            better[places[0], places[0]] = max(1.0 - mean[places[0]] ** 2, FLOOR)
        elif block.kind is BlockKind.CHOICE and len(places) == block.width:
            share = shares_of(mean[places])
            better[np.ix_(places, places)] = np.diag(share) - np.outer(share, share)
        elif block.flag is not None and block.flag in entries:
            share = np.clip(mean[places[-1]], 0.0, 1.0)
            better[places[-1], places[-1]] = max(share * (1.0 - share), FLOOR)
    return better


def shares_of(mean: Floats) -> Floats:
    """Chances of the categories of a one-hot block."""
    return to_simplex(np.asarray(mean, dtype=float), 1.0)


def shifts(
    code: VectorCode, entries: NDArray[np.int64], mean: Floats, cov: Floats, rng: np.random.Generator
) -> Floats:
    """What to add to Gaussian draws so that decoded categories come in the shares that the means state.

    A two-valued entry is decoded by its sign, so the shift is a Gaussian quantile; one-hot blocks are decoded
    by their largest entry, and their shifts are found on public draws.
    """
    shift = np.zeros(len(entries))
    spread = np.sqrt(np.maximum(np.diag(cov), FLOOR))
    for block, places in local_blocks(code, entries):
        first, last = places[0], places[-1]
        if block.kind is BlockKind.TWO:
            share = np.clip((1.0 + mean[first]) / 2.0, 1e-6, 1 - 1e-6)
            shift[first] = -mean[first] + spread[first] * norm.ppf(share)
        elif block.kind is BlockKind.CHOICE and len(places) == block.width:
            shift[places] = _choice_shifts(mean[places], cov[np.ix_(places, places)], rng)
        elif block.flag is not None and block.flag in entries:
            share = np.clip(mean[last], 1e-6, 1 - 1e-6)
            shift[last] = 0.5 - mean[last] + spread[last] * norm.ppf(share)
    return shift


def _choice_shifts(mean: Floats, cov: Floats, rng: np.random.Generator) -> Floats:
    wanted = shares_of(mean)
    draws = mean + rng.standard_normal((DRAWS, len(mean))) @ root(cov).T
    shift = np.zeros(len(mean))
    step = 0.3 * float(np.sqrt(np.maximum(np.diag(cov), 0.0).mean()) + 1e-3)
    for _ in range(ROUNDS):
        share = np.bincount((draws + shift).argmax(axis=1), minlength=len(mean)) / DRAWS
        shift += step * (np.log(wanted + 1.0 / DRAWS) - np.log(share + 1.0 / DRAWS))
    return shift


def root(cov: Floats) -> Floats:
    """A matrix A with AA' = cov, for any positive semidefinite cov."""
    if not len(cov):
        return cov
    values, vectors = np.linalg.eigh((cov + cov.T) / 2.0)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
