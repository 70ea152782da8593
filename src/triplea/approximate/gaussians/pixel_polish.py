"""Bending Gaussian images until their pixels have the released distributions.

Gaussian pixels are soft; real ones are mostly black or white. Two maps are repeated: every pixel is mapped
monotonically onto its released histogram, which disturbs the classes' moments, and every class is mapped
affinely (by the optimal transport between Gaussians) back to its released moments. The maps are found once,
on public draws from the model, and stored, so that any number of rows can be drawn later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.spectra import power

Floats = NDArray[np.float64]
FIELDS = ("directions", "gains", "shifts", "thresholds", "ceilings")


@dataclass(frozen=True, kw_only=True, eq=False)
class Wanted:
    """The released shape of the images: histograms of pixels (pixels x cells) and moments of classes.

    A class has mean means[c] and covariance covariances[c] in the coordinates (x - offset) directions.
    """

    histograms: Floats
    offset: Floats
    directions: Floats
    means: Floats
    covariances: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class PixelPolish:
    """Layers of maps: `thresholds` and `ceilings` of monotone ones, `gains` and `shifts` of affine ones.

    There is one more monotone map than affine ones: it comes first and last. The lowest cell stands for the
    lower bound itself, every other one for its middle.
    """

    directions: Floats
    gains: Floats
    shifts: Floats
    thresholds: Floats
    ceilings: Floats

    def apply(self, images: Floats, klass: np.ndarray) -> Floats:
        """Map drawn vectors to images with entries in [-1, 1]."""
        bent = to_cells(images, self.thresholds[0], self.ceilings[0])
        for layer in range(len(self.gains)):
            shift_classes(bent, klass, self.directions, self.gains[layer], self.shifts[layer])
            bent = to_cells(bent, self.thresholds[layer + 1], self.ceilings[layer + 1])
        return to_middles(bent, self.thresholds.shape[2])

    @classmethod
    def find(cls, images: Floats, klass: np.ndarray, wanted: Wanted, *, layers: int) -> PixelPolish:
        """Find the maps on public draws."""
        directions = wanted.directions
        monotone = [cell_thresholds(images, wanted.histograms)]
        bent = to_cells(images, *monotone[0])
        gains, shifts = [], []
        for _ in range(layers):
            gain, shift = transports(bent, klass, wanted)
            shift_classes(bent, klass, directions, gain, shift)
            monotone.append(cell_thresholds(bent, wanted.histograms))
            bent = to_cells(bent, *monotone[-1])
            gains.append(gain)
            shifts.append(shift)
        return cls(
            directions=directions,
            gains=np.array(gains),
            shifts=np.array(shifts),
            thresholds=np.array([thresholds for thresholds, _ in monotone]),
            ceilings=np.array([ceilings for _, ceilings in monotone]),
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """What is stored."""
        return {f"polish_{name}": getattr(self, name) for name in FIELDS}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> PixelPolish:
        """Rebuild what `arrays` gave."""
        return cls(**{name: arrays[f"polish_{name}"] for name in FIELDS})


def cell_thresholds(images: Floats, histograms: Floats) -> tuple[Floats, Floats]:
    """For every pixel, the values that cut the draws in the shares of its cells, and the largest one used."""
    cumulative = np.minimum(np.cumsum(histograms, axis=1), 1.0)
    pixels, cells = histograms.shape
    thresholds, ceilings = np.empty((pixels, cells)), np.empty(pixels)
    places = np.rint(cumulative * (len(images) - 1)).astype(np.int64)
    for pixel in range(pixels):
        ordered = np.sort(images[:, pixel])
        full = int(np.argmax(cumulative[pixel] >= 1.0 - 1e-9))
        thresholds[pixel] = ordered[places[pixel]] + np.arange(cells) * 1e-9
        ceilings[pixel] = thresholds[pixel, full] if full else -np.inf  # only the lowest cell: always dark
    return thresholds, ceilings


def to_cells(images: Floats, thresholds: Floats, ceilings: Floats) -> Floats:
    """Map every pixel monotonically: between two thresholds linearly onto a cell, below the first onto -1."""
    edges = np.linspace(-1.0, 1.0, thresholds.shape[1] + 1)
    bent = np.empty_like(images)
    for pixel, (cuts, ceiling) in enumerate(zip(thresholds, ceilings, strict=True)):
        bent[:, pixel] = np.interp(np.minimum(images[:, pixel], ceiling), cuts, edges[1:], left=-1.0)
    return bent


def to_middles(images: Floats, cells: int) -> Floats:
    """Move every pixel to the middle of its cell, or to -1 from the lowest.

    Where in its cell a pixel stands was never released; left as drawn it betrays the class to a learner,
    which then trusts in cuts that real images do not have.
    """
    cell = np.ceil((images + 1.0) * (cells / 2.0) - 1e-6) - 1.0  # a cell owns its upper edge
    return np.asarray(np.where(cell <= 0.0, -1.0, (2.0 * cell + 1.0) / cells - 1.0))


def shift_classes(
    images: Floats, klass: np.ndarray, directions: Floats, gains: Floats, shifts: Floats
) -> None:
    """Move the images of every class affinely within some directions, in place."""
    seen = images @ directions
    for number in np.unique(klass):
        chosen = klass == number
        images[chosen] += (seen[chosen] @ gains[number] + shifts[number]) @ directions.T


def transports(images: Floats, klass: np.ndarray, wanted: Wanted) -> tuple[Floats, Floats]:
    """Per class the affine map g -> g + g gain + shift that takes the draws' moments to the wanted ones."""
    seen = images @ wanted.directions
    origin = wanted.offset @ wanted.directions
    width = seen.shape[1]
    gains, shifts = np.zeros((len(wanted.means), width, width)), np.zeros((len(wanted.means), width))
    for number in np.unique(klass):
        own = seen[klass == number]
        if len(own) <= width + 1:
            continue
        mean, covariance = own.mean(axis=0), np.cov(own.T).reshape(width, width)
        root, inverse = (power(covariance, exponent, floor=1e-4) for exponent in (0.5, -0.5))
        target = wanted.covariances[number % len(wanted.covariances)]
        moved = inverse @ power(root @ target @ root, 0.5) @ inverse
        gains[number] = moved - np.eye(width)
        shifts[number] = origin + wanted.means[number] - mean @ moved
    return gains, shifts
