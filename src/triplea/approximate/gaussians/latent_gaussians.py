"""Gaussians in a space of few directions, and what they say about the entries of a vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.gaussians.spectra import power

Floats = NDArray[np.float64]
FIELDS = ("offset", "basis", "means", "covariances", "families")


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentGaussians:
    """Number c: a vector is offset + basis g with g ~ N(means[c], covariances[families[c]]).

    Without a basis g has one entry per entry of the vector. Without `families` every Gaussian has a
    covariance of its own, or all of them share the only one.
    """

    offset: Floats
    means: Floats
    covariances: Floats
    basis: Floats | None = None
    families: NDArray[np.int64] | None = None

    def family_of(self, number: int) -> int:
        """Which covariance a Gaussian has."""
        return number % len(self.covariances) if self.families is None else int(self.families[number])

    @cached_property
    def roots(self) -> Floats:
        """Symmetric square roots of the covariances."""
        return np.array([power(matrix, 0.5, floor=0.0) for matrix in self.covariances])

    def draw(self, number: int, n: int, rng: np.random.Generator) -> Floats:
        """Draw n vectors of a Gaussian.

        Where there are rows enough, the draws are made to have exactly the mean and the covariance of the
        model: what a learner sees beyond that would be the chance of sampling.
        """
        latent = _standard(n, self.means.shape[1], rng) @ self.roots[self.family_of(number)]
        latent += self.means[number]
        return np.asarray(self.offset + (latent if self.basis is None else latent @ self.basis.T))

    def apart(self, number: int, weights: Floats) -> Floats:
        """How far a Gaussian's mean lies from the mean of all of them."""
        latent = self.means[number] - weights @ self.means / weights.sum()
        return np.asarray(latent if self.basis is None else latent @ self.basis.T)

    def given(self, entries: Mapping[int, float]) -> tuple[LatentGaussians, Floats]:
        """The Gaussians given some entries' values, and the log density of those values in each."""
        places = np.array(sorted(entries), dtype=np.int64)
        values = np.array([entries[place] for place in places])
        seen = np.eye(self.means.shape[1])[places] if self.basis is None else self.basis[places]
        gaps = values - self.offset[places] - self.means @ seen.T
        gains, logs, covariances = [], [], []
        for matrix in self.covariances:
            crossed = matrix @ seen.T
            inner = seen @ crossed
            inner += np.eye(len(places)) * max(1e-9 * float(np.trace(inner)), 1e-12)
            gain = np.linalg.solve(inner, crossed.T).T
            covariances.append(matrix - gain @ crossed.T)
            gains.append(gain)
            logs.append((np.linalg.inv(inner), float(np.linalg.slogdet(inner)[1])))
        means, density = [], []
        for number, (mean, gap) in enumerate(zip(self.means, gaps, strict=True)):
            inverse, size = logs[self.family_of(number)]
            means.append(mean + gains[self.family_of(number)] @ gap)
            density.append(-0.5 * (gap @ inverse @ gap + size))
        return replace(self, means=np.array(means), covariances=np.array(covariances)), np.array(density)

    def arrays(self) -> dict[str, np.ndarray]:
        """What is stored."""
        return {name: value for name in FIELDS if (value := getattr(self, name)) is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> LatentGaussians:
        """Rebuild what `arrays` gave."""
        return cls(**{name: arrays[name] for name in FIELDS if name in arrays})


def _standard(n: int, width: int, rng: np.random.Generator) -> Floats:
    """Standard normal rows; with more than 1.5 rows per entry, their own mean is 0 and covariance 1."""
    drawn = rng.standard_normal((n, width))
    if n <= 1.5 * width or n < 3 or not width:
        return drawn
    drawn -= drawn.mean(axis=0)
    return np.asarray(drawn @ power(drawn.T @ drawn / (n - 1), -0.5))
