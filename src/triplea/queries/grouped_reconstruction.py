"""The loss of autoencoders that divide the rows among them: every group of rows has its own."""

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
class GroupedReconstruction(Task):
    """Minus the log-probability of a row after it went through the autoencoder of its group.

    A record is a row followed by the one-hot code of its group. The gradient in the networks of all other
    groups is zero, so one run trains all of them at the price of one. Latent codes lie in the unit ball.
    """

    layout: Layout
    encoders: tuple[tuple[str, ...], ...]
    decoders: tuple[tuple[str, ...], ...]

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """The loss under the group's own networks; all others are multiplied by zero."""
        del public, shared, own
        row, group = record[: self.layout.width], record[self.layout.width :]
        losses = [
            surprise(decoded(net, decoder, in_ball(net, encoder, row)), row, self.layout)
            for encoder, decoder in zip(self.encoders, self.decoders, strict=True)
        ]
        return jnp.dot(group, jnp.stack(losses))


def in_ball(net: Any, encoder: tuple[str, ...], row: Array) -> Array:
    """The code of a row, h / sqrt(1 + |h|^2) for the encoder's last output h."""
    values = row
    for name in encoder[:-1]:
        values = leaky(net(name, values))
    last = net(encoder[-1], values)
    return last / jnp.sqrt(1.0 + jnp.sum(last**2))
