"""The loss of a variational autoencoder on rows of one-hot blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp

from triplea.approximate.codes.layouts import surprise
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.losses import leaky
from triplea.queries.descent import Net, Task
from triplea.queries.reconstruction import decoded

Array = Any


@dataclass(frozen=True, kw_only=True)
class Elbo(Task):
    """Minus the evidence lower bound of one row: -log p(row | z) + KL(q(z | row) || N(0, I)).

    The encoder's last layer gives means and log-variances; z = mean + deviation * `own`.
    """

    layout: Layout
    encoder: tuple[str, ...]
    decoder: tuple[str, ...]
    latent: int

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """The loss of one row, with its own normal numbers."""
        del public, shared
        values = record
        for name in self.encoder[:-1]:
            values = leaky(net(name, values))
        heads = net(self.encoder[-1], values)
        mean, log_variance = heads[: self.latent], jnp.clip(heads[self.latent :], -10.0, 10.0)
        code = mean + jnp.exp(0.5 * log_variance) * own
        distance = 0.5 * jnp.sum(jnp.exp(log_variance) + mean**2 - 1.0 - log_variance)
        return surprise(decoded(net, self.decoder, code), record, self.layout) + distance
