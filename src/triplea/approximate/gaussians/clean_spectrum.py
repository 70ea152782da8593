"""The spectrum of a noisy covariance of many numbers, without the noise; post-processing of a release.

Noise hides an eigenvector the deeper the more columns there are. In a table whose neighbouring columns go
together (a spectrum, a time series, a sound) eigenvectors are smooth, and are sought among smooth patterns
alone: the same noise on a sixth of the patterns hides less than half as much.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.cosine_basis import cosine_basis
from triplea.approximate.gaussians.spectra import noise_edge, shrunk

Floats = NDArray[np.float64]
SMOOTH_PART = 6  # one of so many cosine patterns counts as smooth
ENOUGH = 0.8  # smooth patterns must explain this share of what all columns do; of unrelated ones, a sixth


def clean_spectrum(matrix: Floats, stddev: float) -> tuple[Floats, Floats, int]:
    """Eigenvalues without noise, their directions (as columns), and how many rise above the noise.

    Those come first, the largest first. The others share what is left of the trace, smooth patterns and
    rough ones each by themselves. `stddev` is the noise of an entry off the diagonal.
    """
    width = len(matrix)
    patterns = cosine_basis(1, width, patterns=width)
    turned = patterns.T @ matrix @ patterns
    smooth = max(width // SMOOTH_PART, 1)
    signal, lead = _risen(turned[:smooth, :smooth], stddev)
    plain, eigenvectors = _risen(matrix, stddev)
    known, everything = float(signal.sum()), float(plain.sum())
    if everything == 0.0 or known < ENOUGH * everything:
        return _completed(plain, float(np.trace(matrix))), eigenvectors, int(np.sum(plain > 0))
    inside = float(np.trace(turned[:smooth, :smooth]))
    rough = max((float(np.trace(matrix)) - inside) / max(width - smooth, 1), _least(signal))
    return (
        np.concatenate([_completed(signal, inside), np.full(width - smooth, rough)]),
        np.column_stack([patterns[:, :smooth] @ lead, patterns[:, smooth:]]),
        int(np.sum(signal > 0)),
    )


def _risen(matrix: Floats, stddev: float) -> tuple[Floats, Floats]:
    """Eigenvalues, largest first, without noise (0 where they do not rise above it), and eigenvectors."""
    values, vectors = np.linalg.eigh(matrix)
    clean = shrunk(np.maximum(values[::-1], 0.0), noise_edge(stddev, len(matrix)))
    return clean, vectors[:, ::-1]


def _completed(clean: Floats, trace: float) -> Floats:
    """Zeros replaced by what is left of the trace."""
    hidden = len(clean) - int(np.sum(clean > 0))
    left = (trace - float(clean.sum())) / max(hidden, 1)
    return np.where(clean > 0, clean, max(left, _least(clean)))


def _least(clean: Floats) -> float:
    return 0.01 * max(float(clean.mean()), 1e-4)
