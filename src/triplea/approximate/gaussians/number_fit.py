"""What the recipes for vectors of numbers hand over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.pixel_polish import PixelPolish

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberFit:
    """Numbers of rows by Gaussian, the code of the vector, its Gaussians, and a polish for images.

    `owner` is the class of every Gaussian, in ascending order; without it each class has one.
    """

    counts: Floats
    code: NumberCode
    gaussians: LatentGaussians
    polish: PixelPolish | None = None
    owner: NDArray[np.int64] | None = None
