"""A stored generator: latent noise, a dense network, probabilities for every column, cells, values.

NumPy only. Columns are independent given the noise, which makes conditional rows exact up to the size of the
pool: noise is weighted by the probability of the given values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.row_code import Cells, RowCode
from triplea.approximate.model import Condition, Model, State
from triplea.approximate.networks.dense import Layers, arrays_of, layers_of, leaky
from triplea.schema import Encoded

AHEAD, LEAST_AHEAD = 4, 4_096  # candidates per row and in all, where rows are chosen by weight
CHUNK = 1 << 15
LOGIT_LIMIT = 30.0


class LatentRows(Model):
    """Dense layers from noise to the logits of all columns.

    `drawn` says whether cells are drawn by their probabilities or are the likeliest ones.
    """

    kind = "latent-rows"

    def __init__(
        self, *, layers: Layers, noise: int, binnings: Mapping[str, Binning], drawn: bool = True
    ) -> None:
        self.layers = layers
        self.noise = noise
        self.code = RowCode(binnings)
        self.drawn = drawn

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, rows from noise under which the given values are likely."""
        fixed = dict(where or {})
        parts = [
            self._chunk(min(CHUNK, n - start), fixed, rng) for start in range(0, max(n, 1), CHUNK)
        ]  # one empty chunk for n = 0, so that every column is there
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def cells(self, n: int, rng: np.random.Generator) -> Cells:
        """Draw cells as the network gives them."""
        return self._cells(self.logits(self.inputs(n, {}, rng)), rng)

    def inputs(self, n: int, fixed: Condition, rng: np.random.Generator) -> np.ndarray:
        """What goes into the network: normal noise."""
        del fixed
        return rng.standard_normal((n, self.noise)).astype(np.float32)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """The network's output for given inputs."""
        values = inputs
        names: Sequence[str] = list(self.layers)
        for name in names:
            weights, biases = self.layers[name]
            values = values @ weights + biases
            if name != names[-1]:
                values = leaky(values)
        return np.asarray(np.clip(values, -LOGIT_LIMIT, LOGIT_LIMIT))

    def _chunk(self, n: int, fixed: dict[str, int | float], rng: np.random.Generator) -> Encoded:
        logits = self.logits(self.inputs(max(AHEAD * n, LEAST_AHEAD) if fixed else n, fixed, rng))
        if fixed:
            weights = np.ones(len(logits))
            for name, value in fixed.items():
                cell = int(self.code.binnings[name].assign(np.asarray([value]))[0])
                weights = weights * self.code.shares(logits, name)[:, cell]
            logits = logits[resample(weights, n, rng)]
        cells = self._cells(logits, rng)
        rows: Encoded = {}
        for name, binning in self.code.binnings.items():
            if name in fixed:
                rows[name] = np.full(n, fixed[name], dtype=np.int64 if binning.countable else np.float64)
            else:
                rows[name] = binning.draw(cells[name], rng)
        return rows

    def _cells(self, logits: np.ndarray, rng: np.random.Generator) -> Cells:
        return self.code.draw(logits, rng) if self.drawn else self.code.likeliest(logits)

    def state(self) -> State:
        """Return binnings and names as JSON, layers as arrays."""
        description = {
            "binnings": {name: binning.state() for name, binning in self.code.binnings.items()},
            "layers": list(self.layers),
            "noise": self.noise,
            "drawn": self.drawn,
        }
        return description, arrays_of(self.layers)

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        return cls(**cls.arguments(description, arrays))

    @classmethod
    def arguments(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """What `state` says about the arguments of a model."""
        return {
            "layers": layers_of(arrays, description["layers"]),
            "noise": description["noise"],
            "binnings": {name: Binning.from_state(state) for name, state in description["binnings"].items()},
            "drawn": description["drawn"],
        }


def resample(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Numbers of n rows, each as often as its weight says to a rounding (systematic), in random order."""
    total = weights.sum()
    ends = np.cumsum(weights if total > 0 else np.ones_like(weights))
    at = (np.arange(n) + rng.random()) / n * ends[-1] if n else np.zeros(0)
    chosen = np.minimum(np.searchsorted(ends, at, side="right"), len(weights) - 1)
    return rng.permutation(chosen)
