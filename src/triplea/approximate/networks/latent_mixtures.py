"""A stored generator of groups: a group, a component of its mixture, a point in the ball, its decoder.

NumPy only. Everything but the way from noise to logits is as in `LatentRows`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from scipy.special import ndtr

from triplea.approximate.codes.binning import Binning
from triplea.approximate.mixtures.ball_mixtures import BallMixtures, in_ball
from triplea.approximate.model import State
from triplea.approximate.networks.dense import Layers, arrays_of, layers_of
from triplea.approximate.networks.latent_rows import LOGIT_LIMIT, LatentRows


class LatentMixtures(LatentRows):
    """One decoder and one mixture per group; `groups` are the groups' shares.

    Two of the normal numbers choose the group and the component, the others the point. Where there is a
    `group_column`, the group is its cell.
    """

    kind = "latent-mixtures"

    def __init__(
        self,
        *,
        decoders: Sequence[Layers],
        mixtures: BallMixtures,
        groups: np.ndarray,
        group_column: str | None,
        binnings: Mapping[str, Binning],
        drawn: bool = True,
    ) -> None:
        self.decoders = list(decoders)
        self.mixtures = mixtures
        self.groups = groups
        self.group_column = group_column
        latent = mixtures.means.shape[-1]
        super().__init__(layers={}, noise=latent + 2, binnings=binnings, drawn=drawn)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """Choose, place and decode."""
        numbers = np.asarray(inputs, dtype=np.float64)
        group = _chosen(self.groups, numbers[:, -1])
        logits = np.zeros((len(numbers), self.code.layout.width))
        for index, decoder in enumerate(self.decoders):
            mine = group == index
            points = self._points(index, numbers[mine])
            plain = LatentRows(layers=decoder, noise=self.noise - 2, binnings=self.code.binnings)
            logits[mine] = plain.logits(points)
        self._set_groups(logits, group)
        return logits

    def _points(self, group: int, numbers: np.ndarray) -> np.ndarray:
        component = _chosen(self.mixtures.shares[group], numbers[:, -2])
        roots = np.linalg.cholesky(self.mixtures.covariances[group])
        steps = np.einsum("nij,nj->ni", roots[component], numbers[:, :-2])
        return in_ball(self.mixtures.means[group][component] + steps)

    def _set_groups(self, logits: np.ndarray, group: np.ndarray) -> None:
        """The column of the groups holds the chosen one."""
        entries = self.code.entries.get(self.group_column or "")
        if entries is None:
            return
        wide = entries.stop - entries.start
        wanted = group[:, None] == (np.arange(wide) if wide > 1 else np.ones(1))
        logits[:, entries] = np.where(wanted, LOGIT_LIMIT, -LOGIT_LIMIT)

    def state(self) -> State:
        """Return binnings and names as JSON, decoders and mixtures as arrays."""
        description = {
            "binnings": {name: binning.state() for name, binning in self.code.binnings.items()},
            "decoders": [list(decoder) for decoder in self.decoders],
            "group_column": self.group_column,
            "drawn": self.drawn,
        }
        arrays = {
            "shares": self.mixtures.shares,
            "means": self.mixtures.means,
            "covariances": self.mixtures.covariances,
            "groups": self.groups,
        }
        for index, decoder in enumerate(self.decoders):
            arrays |= {f"{index}/{name}": array for name, array in arrays_of(decoder).items()}
        return description, arrays

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        decoders = []
        for index, names in enumerate(description["decoders"]):
            start = f"{index}/"
            mine = {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}
            decoders.append(layers_of(mine, names))
        parts = {name: arrays[name] for name in ("shares", "means", "covariances")}
        return cls(
            decoders=decoders,
            mixtures=BallMixtures(**parts),
            groups=arrays["groups"],
            group_column=description["group_column"],
            binnings={name: Binning.from_state(state) for name, state in description["binnings"].items()},
            drawn=description["drawn"],
        )


def _chosen(shares: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Choose by shares with the help of normal numbers."""
    ends = np.cumsum(shares) / np.sum(shares)
    return np.asarray(np.minimum(np.searchsorted(ends, ndtr(normals), side="right"), len(shares) - 1))
