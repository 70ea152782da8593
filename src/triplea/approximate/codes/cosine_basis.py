"""The smoothest patterns on a grid of pixels: a public basis for images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.fft import dct

Floats = NDArray[np.float64]


def cosine_basis(height: int, width: int, *, patterns: int) -> Floats:
    """The `patterns` lowest two-dimensional cosine patterns, as orthonormal columns (pixels x patterns).

    Patterns are ordered by their frequency (i / height)^2 + (j / width)^2; pixels row by row.
    """
    down, across = (dct(np.eye(size), norm="ortho", axis=0) for size in (height, width))
    i, j = np.meshgrid(np.arange(height) / height, np.arange(width) / width, indexing="ij")
    order = np.argsort((i * i + j * j).ravel(), kind="stable")[: min(patterns, height * width)]
    return np.ascontiguousarray(np.kron(down, across)[order].T)
