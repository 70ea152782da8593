"""Trained encoders in fixed point: the code of a row in the unit ball, whatever rows stand beside it.

Weights and activations are whole multiples of 2^-12 below 2^8 in size. Their products are integers that
float64 adds without error, so that a matrix product gives every row the same code in every batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.dense import Layers, leaky
from triplea.schema import Encoded, len_of

Floats = NDArray[np.float64]
CODE_BITS = 9  # entries of a code are whole multiples of 2^-9
_WEIGHT_BITS, _LIMIT = 12, 2.0**8


class BallCoder:
    """One encoder per group of rows; the group is the cell of the label, or 0 where there is none."""

    def __init__(self, *, code: RowCode, label: str | None, encoders: Sequence[Layers]) -> None:
        self.code = code
        self.label = label
        self.encoders = [
            [(on_grid(weights), on_grid(biases)) for weights, biases in layers.values()]
            for layers in encoders
        ]

    @property
    def latent(self) -> int:
        """Entries of a code."""
        return len(self.encoders[0][-1][1])

    def groups(self, rows: Encoded) -> np.ndarray:
        """The group of every row."""
        if self.label is None:
            return np.zeros(len_of(rows), dtype=np.int64)
        return np.asarray(self.code.binnings[self.label].assign(rows[self.label]), dtype=np.int64)

    def codes(self, rows: Encoded) -> tuple[np.ndarray, Floats]:
        """The group and the code of every row."""
        groups, inputs = self.groups(rows), self.code.encode(rows).astype(np.float64)
        codes = np.zeros((len(inputs), self.latent))
        for group in np.unique(groups):
            members = groups == group
            codes[members] = self._encoded(inputs[members], self.encoders[group])
        return groups, codes

    def _encoded(self, values: Floats, layers: list[tuple[Floats, Floats]]) -> Floats:
        for weights, biases in layers[:-1]:
            values = on_grid(leaky(values @ weights + biases))
        weights, biases = layers[-1]
        last = on_grid(values @ weights + biases)
        length = np.sqrt(1.0 + np.einsum("ij,ij->i", last, last))
        return on_grid(last / length[:, None], bits=CODE_BITS)


def on_grid(values: np.ndarray, bits: int = _WEIGHT_BITS) -> Floats:
    """Whole multiples of 2^-bits, rounded towards zero and limited."""
    return np.asarray(np.trunc(np.clip(values, -_LIMIT, _LIMIT).astype(np.float64) * 2.0**bits) * 2.0**-bits)


def one_hot(groups: np.ndarray, size: int) -> NDArray[np.float32]:
    """A 1 in the place of every row's group."""
    return np.asarray(groups[:, None] == np.arange(size), dtype=np.float32)


def part_of(layers: Mapping[str, tuple[np.ndarray, np.ndarray]], prefix: str) -> Layers:
    """The layers whose names start with a prefix, in the order of their numbers."""
    found = [name for name in layers if name.startswith(prefix + ".")]
    return {name: layers[name] for name in sorted(found, key=lambda name: int(name.rsplit(".", 1)[1]))}
