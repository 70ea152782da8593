"""What one round of expectation-maximisation needs: counts, sums and second moments by responsibility."""

from __future__ import annotations

from typing import final

import numpy as np

from triplea.approximate.mixtures.ball_mixtures import BallMixtures, NoisySums
from triplea.approximate.networks.ball_codes import CODE_BITS, BallCoder
from triplea.queries.base import FloatArray, IntArray, SumQuery
from triplea.queries.moments import SLACK, unfold
from triplea.schema import Encoded

SHARE_BITS = 8  # responsibilities are whole multiples of 2^-8, rounded down
WEIGHTS = (0.15, 0.35, 0.5)  # shares of counts, sums and second moments in the squared signal


class MixtureMoments(SumQuery):
    """For each component of each group's mixture: the sums of r, of r z and of the upper triangle of r zz'.

    z is the row's code in the unit ball; r are its responsibilities, which sum to at most 1 and are zero for
    all other groups. Order k is divided by 1 / sqrt(w_k), where the weights w_k sum to 1. Sensitivity (L2):
    1 for a row added or removed, sqrt(max(2, 4 w_1 + 2 w_2)) for a row replaced.
    Proof: docs/proofs/mixture_moments.md.
    """

    proof = "docs/proofs/mixture_moments.md"

    def __init__(self, *, coder: BallCoder, mixtures: BallMixtures) -> None:
        self.columns = tuple(coder.code.binnings)
        self.coder = coder
        self.mixtures = mixtures
        self.latent = coder.latent
        cells = mixtures.shares.size
        self.sizes = (cells, cells * self.latent, cells * self.latent * (self.latent + 1) // 2)
        self.shape = (sum(self.sizes),)
        bits = (SHARE_BITS, SHARE_BITS + CODE_BITS, SHARE_BITS + 2 * CODE_BITS)
        self.grid = np.repeat([2.0**-each for each in bits], self.sizes)
        self.scale = np.repeat([weight**-0.5 for weight in WEIGHTS], self.sizes)
        self.row_l2 = SLACK
        self.swap_l2 = float(np.sqrt(max(2.0, 4.0 * WEIGHTS[1] + 2.0 * WEIGHTS[2]))) * SLACK
        absolute = (1.0, float(np.sqrt(self.latent)), (self.latent + 1) / 2.0)
        self.row_l1 = sum(np.sqrt(w) * a for w, a in zip(WEIGHTS, absolute, strict=True)) * SLACK
        self.swap_l1 = 2.0 * self.row_l1

    @final
    def partial_sums(self, rows: Encoded) -> IntArray:
        """Add up whole multiples of the grid; float64 does so without error for batches of 2^26 rows."""
        groups, codes = self.coder.codes(rows)
        shape = self.mixtures.shares.shape
        upper = np.triu_indices(self.latent)
        count, total = np.zeros(shape), np.zeros((*shape, self.latent))
        second = np.zeros((*shape, len(upper[0])))
        for group in np.unique(groups):
            members = codes[groups == group]
            shares = np.floor(self.mixtures.responsibilities(members, group) * 2.0**SHARE_BITS)
            units = members * 2.0**CODE_BITS
            count[group] = shares.sum(axis=0)
            total[group] = shares.T @ units
            for component, share in enumerate(shares.T):
                second[group, component] = ((share[:, None] * units).T @ units)[upper]
        return np.concatenate([part.reshape(-1) for part in (count, total, second)]).astype(np.int64)

    def sums(self, values: FloatArray, stddev: float | FloatArray) -> NoisySums:
        """Cut a released vector into sums by group and component."""
        groups, components = self.mixtures.shares.shape
        ends = np.cumsum(self.sizes)
        count, total, second = np.split(values, ends[:-1])
        noise = np.broadcast_to(stddev, self.shape)
        triangles = unfold(second.reshape(groups * components, -1), self.latent)
        return NoisySums(
            count=count.reshape(groups, components),
            total=total.reshape(groups, components, -1),
            second=triangles.reshape(groups, components, self.latent, self.latent),
            stddev=(float(noise[0]), float(noise[ends[0]]), float(noise[ends[1]])),
        )
