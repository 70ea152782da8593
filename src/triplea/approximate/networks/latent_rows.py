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
from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.mixtures.tilting import Factors, resample, weights_of
from triplea.approximate.model import Condition, Model, State
from triplea.approximate.networks.dense import Layers, arrays_of, layers_of, leaky
from triplea.schema import Encoded

AHEAD = 4  # candidates per row, where rows are chosen by weight
CHUNK = 1 << 15
LOGIT_LIMIT = 30.0


class LatentRows(Model):
    """Dense layers from noise to the logits of all columns, and factors that bend the result.

    With a `label`, factors belong to (class, cell) pairs, and `classes` are the shares of its classes.
    `drawn` says whether cells are drawn by their probabilities or are the likeliest ones.
    """

    kind = "latent-rows"

    def __init__(
        self,
        *,
        layers: Layers,
        noise: int,
        binnings: Mapping[str, Binning],
        factors: Factors | None = None,
        label: str | None = None,
        classes: np.ndarray | None = None,
        drawn: bool = True,
    ) -> None:
        self.layers = layers
        self.noise = noise
        self.code = RowCode(binnings)
        self.factors = dict(factors or {})
        self.label = label
        self.classes = np.zeros(0) if classes is None else classes
        self.drawn = drawn

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, rows from noise under which the given values are likely."""
        fixed = dict(where or {})
        parts = [
            self._chunk(min(CHUNK, n - start), fixed, rng) for start in range(0, max(n, 1), CHUNK)
        ]  # one empty chunk for n = 0, so that every column is there
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def cells(self, n: int, rng: np.random.Generator) -> Cells:
        """Draw cells as the network gives them, without bending."""
        logits = self.logits(self.inputs(n, {}, rng))
        return self.code.draw(logits, rng) if self.drawn else self.code.likeliest(logits)

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
        pool = max(AHEAD * n, 4096) if fixed else AHEAD * n if self.factors else n
        logits = self.logits(self.inputs(pool, fixed, rng))
        cells = self.code.draw(logits, rng) if self.drawn else self.code.likeliest(logits)
        weights = self._weights(cells, fixed)
        for name, value in fixed.items():
            cell = int(self.code.binnings[name].assign(np.asarray([value]))[0])
            weights = weights * self.code.shares(logits, name)[:, cell]
        chosen = self._chosen(cells, weights, n, fixed, rng)
        rows: Encoded = {}
        for name, binning in self.code.binnings.items():
            if name in fixed:
                rows[name] = np.full(n, fixed[name], dtype=np.int64 if binning.countable else np.float64)
            else:
                rows[name] = binning.draw(chosen[name], rng)
        return rows

    def _chosen(
        self,
        cells: Cells,
        weights: np.ndarray,
        n: int,
        fixed: Mapping[str, int | float],
        rng: np.random.Generator,
    ) -> Cells:
        """The cells of n rows, by weight; every class gets its share of them, to a rounding."""
        if not fixed and not self.factors:
            return cells
        if self.label is None or self.label in fixed or not len(self.classes):
            order = resample(weights, n, rng)
            return {name: part[order] for name, part in cells.items()}
        counts = quota(self.classes, n, rng)
        picked = []
        for index, count in enumerate(counts):
            mine = weights * (cells[self.label] == index)
            picked.append(resample(mine if mine.any() else weights, int(count), rng))
        order = rng.permutation(n)
        rows = np.concatenate(picked)[order]
        labels = np.repeat(np.arange(len(counts)), counts)[order]
        return {name: labels if name == self.label else part[rows] for name, part in cells.items()}

    def joint(self, cells: Cells) -> Cells:
        """The cells that factors belong to: pairs with the label, where there is one."""
        if self.label is None:
            return cells
        classes = cells[self.label].astype(np.int64)
        return {name: classes * self.code.binnings[name].cells + cell for name, cell in cells.items()}

    def _weights(self, cells: Cells, fixed: Mapping[str, int | float]) -> np.ndarray:
        if not self.factors:
            return np.ones(len(next(iter(cells.values()))))
        known = dict(cells)
        if (
            self.label is not None and self.label in fixed
        ):  # every row will have this class, so it is the one to weigh by
            cell = self.code.binnings[self.label].assign(np.asarray([fixed[self.label]]))
            known[self.label] = np.broadcast_to(cell, known[self.label].shape)
        free = {name: factor for name, factor in self.factors.items() if name not in fixed}
        return weights_of(self.joint(known), free)

    def state(self) -> State:
        """Return binnings and names as JSON, layers and factors as arrays."""
        description = {
            "binnings": {name: binning.state() for name, binning in self.code.binnings.items()},
            "layers": list(self.layers),
            "noise": self.noise,
            "drawn": self.drawn,
            "label": self.label,
            "factors": list(self.factors),
        }
        factors = {f"factor_{index}": factor for index, factor in enumerate(self.factors.values())}
        return description, {**arrays_of(self.layers), **factors, "classes": self.classes}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        return cls(
            layers=layers_of(arrays, description["layers"]),
            noise=description["noise"],
            binnings={name: Binning.from_state(state) for name, state in description["binnings"].items()},
            factors={name: arrays[f"factor_{i}"] for i, name in enumerate(description["factors"])},
            label=description["label"],
            classes=arrays["classes"],
            drawn=description["drawn"],
        )
