"""Mixtures of Gaussians in the unit ball, one per group of rows, and how noisy sums make them better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST_SPREAD, MOST_SPREAD = 1e-3, 1.0  # eigenvalues of covariances stay between these
_PRECISION_BITS, _MEAN_BITS = 12, 9


@dataclass(frozen=True, kw_only=True)
class BallMixtures:
    """Shares (groups, components), means (..., latent) and covariances (..., latent, latent)."""

    shares: Floats
    means: Floats
    covariances: Floats

    @classmethod
    def blank(cls, groups: int, components: int, latent: int) -> BallMixtures:
        """Equal components at the centre: every point belongs to all of them alike."""
        return cls(
            shares=np.full((groups, components), 1.0 / components),
            means=np.zeros((groups, components, latent)),
            covariances=np.broadcast_to(np.eye(latent), (groups, components, latent, latent)).copy(),
        )

    def responsibilities(self, codes: Floats, group: int) -> Floats:
        """How much of every point belongs to each component of its group; rows sum to 1.

        Means and inverse covariances are put on a grid, as the codes are, so that the exponents are computed
        without error and do not depend on the other rows of a batch.
        """
        exponents = []
        for share, mean, covariance in zip(
            self.shares[group], self.means[group], self.covariances[group], strict=True
        ):
            inverse = _grid(np.linalg.inv(covariance), _PRECISION_BITS)
            away = codes - _grid(mean, _MEAN_BITS)
            distance = np.einsum("ij,ij->i", away @ inverse, away)
            size = np.log(max(float(share), 1e-300)) - 0.5 * float(np.linalg.slogdet(covariance)[1])
            exponents.append(size - 0.5 * distance)
        highest = np.maximum.reduce(exponents)
        powers = [np.exp(exponent - highest) for exponent in exponents]
        total = sum(powers[1:], start=powers[0])
        return np.stack([power / total for power in powers], axis=1)


@dataclass(frozen=True, kw_only=True)
class NoisySums:
    """Released sums of r, rz and rzz' by group and component, and the noise of one entry of each."""

    count: Floats
    total: Floats
    second: Floats
    stddev: tuple[float, float, float]

    def pooled(self) -> NoisySums:
        """All components of a group as one; the noise adds up."""
        grown = float(np.sqrt(self.count.shape[1]))
        return NoisySums(
            count=self.count.sum(axis=1, keepdims=True),
            total=self.total.sum(axis=1, keepdims=True),
            second=self.second.sum(axis=1, keepdims=True),
            stddev=(self.stddev[0] * grown, self.stddev[1] * grown, self.stddev[2] * grown),
        )


def maximised(sums: NoisySums) -> BallMixtures:
    """The M step. Counts stay above their noise; blurred covariances lean on round ones."""
    rows = np.maximum(sums.count, 2.0 * sums.stddev[0] + 1.0)
    means = in_ball(sums.total / rows[..., None])
    scatter = sums.second / rows[..., None, None] - means[..., :, None] * means[..., None, :]
    latent = means.shape[-1]
    variance = np.clip(np.trace(scatter, axis1=-2, axis2=-1) / latent, LEAST_SPREAD, MOST_SPREAD)
    blur = 2.0 * np.sqrt(latent) * sums.stddev[2] / rows  # spectral size of the noise
    lean = (blur / (blur + variance))[..., None, None]
    round_one = variance[..., None, None] * np.eye(latent)
    return BallMixtures(
        shares=rows / rows.sum(axis=1, keepdims=True),
        means=means,
        covariances=_limited((1.0 - lean) * scatter + lean * round_one),
    )


def spread_out(sums: NoisySums, *, rng: np.random.Generator) -> BallMixtures:
    """A start for all components: means drawn from the Gaussian of their group, with its covariance."""
    whole = maximised(sums.pooled())
    groups, components = sums.count.shape
    start = BallMixtures.blank(groups, components, sums.total.shape[-1])
    roots = np.linalg.cholesky(whole.covariances)
    means = whole.means + np.einsum("gkij,gkj->gki", roots, rng.standard_normal(start.means.shape))
    return BallMixtures(
        shares=start.shares,
        means=in_ball(means),
        covariances=np.broadcast_to(whole.covariances, start.covariances.shape).copy(),
    )


def in_ball(points: Floats) -> Floats:
    """Points outside the unit ball are pulled onto it."""
    return np.asarray(points / np.maximum(np.linalg.norm(points, axis=-1, keepdims=True), 1.0))


def _limited(matrices: Floats) -> Floats:
    values, vectors = np.linalg.eigh((matrices + np.swapaxes(matrices, -1, -2)) / 2.0)
    clipped = np.clip(values, LEAST_SPREAD, MOST_SPREAD)
    return np.asarray((vectors * clipped[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def _grid(values: Floats, bits: int) -> Floats:
    return np.trunc(values * 2.0**bits) * 2.0**-bits
