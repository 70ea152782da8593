"""The network that the DP-SGD benchmarks train: an autoencoder on rows of bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.losses import binary_cross_entropy, leaky
from triplea.approximate.networks.optimizers import adam
from triplea.queries.descent import Descent, Net, Task


@dataclass(frozen=True)
class Reconstruct(Task):
    """Mean binary cross-entropy of a row from itself, through dense layers with leaky ReLUs."""

    depth: int

    def loss(self, net: Net, record: Any, public: Any, shared: Any, own: Any) -> Any:
        """The loss of one row."""
        del public, shared, own
        values = record
        for index in range(self.depth):
            values = net(f"net.{index}", values)
            if index + 1 < self.depth:
                values = leaky(values)
        return jnp.mean(binary_cross_entropy(values, record))


def reconstruction(
    widths: Sequence[int], *, rows: int, clip_norm: float, rng: np.random.Generator
) -> Descent:
    """A private training run of such an autoencoder."""
    return Descent(
        task=Reconstruct(len(widths) - 1),
        encode=lambda encoded: np.stack(list(encoded.values()), axis=1),
        layers=dense_layers("net", widths, rng=rng),
        optimizer=adam(0.005),
        clip_norm=clip_norm,
        n_public=rows,
    )
