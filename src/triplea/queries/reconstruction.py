"""The loss of an autoencoder on rows of one-hot blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from triplea.approximate.codes.layouts import bounded, surprise
from triplea.approximate.codes.row_code import Layout
from triplea.approximate.networks.losses import leaky
from triplea.queries.descent import Net, Task

Array = Any


@dataclass(frozen=True, kw_only=True)
class Reconstruction(Task):
    """Minus the log-probability of a row after it went through an encoder and a decoder."""

    layout: Layout
    encoder: tuple[str, ...]
    decoder: tuple[str, ...]

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """The sum over columns of -log p(the record's value)."""
        del public, shared, own
        values = record
        for name in self.encoder:
            values = leaky(net(name, values))
        return surprise(decoded(net, self.decoder, values), record, self.layout)


def decoded(net: Any, names: tuple[str, ...], values: Array) -> Array:
    """Bounded logits of all columns from a point of the latent space."""
    for name in names[:-1]:
        values = leaky(net(name, values))
    return bounded(net(names[-1], values))
