"""Rows as points of an autoencoder's latent space, squashed into (0, 1): what DP-MERF+AE embeds and draws.

The encoder is computed in whole numbers (weights in 2^-12, values in 2^-12), so that a row's point is the
same alone and among others, whatever the order of addition: see docs/proofs/embedding.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.dense import Layers, arrays_of, layers_of, leaky
from triplea.errors import MethodError
from triplea.schema import Encoded, len_of

STEP = 2.0**12  # values and weights are whole numbers of 1 / STEP
MOST_VALUE, MOST_WEIGHT = 2.0**7, 2.0**3
MOST_INPUTS = 2**18  # inputs of a layer: (2^19)(2^15) 2^18 stays below 2^53
SLOPE = 0.2
CHUNK_ROWS = 4096
EDGE = 1e-4  # how near to 0 and 1 a latent coordinate is taken back to the latent space
LOGIT_LIMIT = 30.0


class LatentCoordinates:
    """An encoder before the embedding and a decoder behind the generator; all columns of the row code."""

    kind = "latent"
    blocks: tuple[int, ...] = ()

    def __init__(self, *, code: RowCode, layers: Layers) -> None:
        self.code = code
        self.encoder = {name: layer for name, layer in layers.items() if name.startswith("encoder.")}
        self.decoder = {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
        self.numbers = len(next(iter(self.decoder.values()))[0]) if self.decoder else 0
        widest = max((len(weights) for weights, _ in self.encoder.values()), default=0)
        if widest > MOST_INPUTS:
            raise MethodError(f"coded rows have {widest} entries, at most {MOST_INPUTS}: lower 'most_bins'.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(self.code.binnings)

    @property
    def anchors(self) -> dict[int, tuple[int, np.ndarray]]:
        """No coordinate has states."""
        return {}

    def encode(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        """Latent coordinates (n x numbers, float32) of rows; no codes."""
        n = len_of(rows)
        points = np.empty((n, self.numbers), dtype=np.float32)
        for start in range(0, n if self.numbers else 0, CHUNK_ROWS):
            part = {name: rows[name][start : start + CHUNK_ROWS] for name in self.columns}
            points[start : start + CHUNK_ROWS] = squash(self._exactly(self.code.encode(part)))
        return points, np.zeros((n, 0), dtype=np.int32)

    def _exactly(self, values: np.ndarray) -> np.ndarray:
        """The encoder's output; every product and sum is of whole numbers below 2^53."""
        units = values.astype(np.float64) * STEP
        for weights, biases in self.encoder.values():
            kernel = np.round(np.clip(np.nan_to_num(weights), -MOST_WEIGHT, MOST_WEIGHT) * STEP)
            shift = np.round(np.clip(np.nan_to_num(biases), -MOST_VALUE, MOST_VALUE) * STEP)
            units = np.floor(units @ kernel.astype(np.float64) / STEP) + shift.astype(np.float64)
            units = np.where(units >= 0.0, units, np.floor(SLOPE * units))
            units = np.clip(units, -MOST_VALUE * STEP, MOST_VALUE * STEP)
        return units / STEP

    def decode(self, numbers: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> Encoded:
        """Rows whose cells are drawn by the decoder's probabilities."""
        del codes
        cells = self.code.draw(self._logits(numbers), rng)
        return {name: binning.draw(cells[name], rng) for name, binning in self.code.binnings.items()}

    def log_chances(
        self, numbers: np.ndarray, chances: list[np.ndarray], fixed: Mapping[str, int | float]
    ) -> np.ndarray:
        """The logarithm of how likely each generated point gives the wanted values."""
        del chances
        logits, logs = self._logits(numbers), np.zeros(len(numbers))
        for name, value in fixed.items():
            cell = int(self.code.binnings[name].assign(np.asarray([value]))[0])
            logs += np.log(self.code.shares(logits, name)[:, cell] + 1e-12)
        return logs

    def _logits(self, numbers: np.ndarray) -> np.ndarray:
        values = unsquash(numbers).astype(np.float32)
        if not self.decoder:
            return np.zeros((len(numbers), self.code.layout.width), dtype=np.float32)
        *inner, (weights, biases) = self.decoder.values()
        for kernel, shift in inner:
            values = leaky(values @ kernel + shift)
        return np.asarray(np.clip(values @ weights + biases, -LOGIT_LIMIT, LOGIT_LIMIT))

    def state(self) -> dict[str, Any]:
        """A JSON-able description; the layers are in `arrays`."""
        kept = {name: binning.state() for name, binning in self.code.binnings.items()}
        return {"kind": self.kind, "binnings": kept, "layers": [*self.encoder, *self.decoder]}

    def arrays(self) -> dict[str, np.ndarray]:
        """The layers as arrays."""
        return arrays_of({**self.encoder, **self.decoder})

    @classmethod
    def from_state(cls, state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> LatentCoordinates:
        """Rebuild what `state` and `arrays` described."""
        binnings = {name: Binning.from_state(kept) for name, kept in state["binnings"].items()}
        return cls(code=RowCode(binnings), layers=layers_of(arrays, state["layers"]))


def squash(values: np.ndarray) -> np.ndarray:
    """From all numbers to (0, 1) by divisions, which every processor rounds alike."""
    return np.asarray(0.5 + 0.5 * values / (1.0 + np.abs(values)))


def unsquash(spots: np.ndarray) -> np.ndarray:
    """The inverse of `squash`, away from the ends."""
    signed = 2.0 * np.clip(spots.astype(np.float64), EDGE, 1.0 - EDGE) - 1.0
    return np.asarray(signed / (1.0 - np.abs(signed)))
