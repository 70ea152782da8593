"""A mixture of products: within a component, columns are independent.

With one component it is the product of the columns' histograms; with one component per class it is
naive Bayes. Conditioning is exact and sampling is linear in rows and columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded


class ProductMixture(Model):
    """Weights of the components, and for every column one distribution over its cells per component."""

    kind = "product-mixture"

    def __init__(
        self, *, weights: np.ndarray, tables: Mapping[str, np.ndarray], binnings: Mapping[str, Binning]
    ) -> None:
        self.weights = normalised(weights)
        self.tables = {name: normalised(table) for name, table in tables.items()}
        self.binnings = dict(binnings)

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows, in random order; every component and cell gets its share of rows, to a rounding."""
        fixed = dict(where or {})
        members = quota(self._posterior(fixed), n, rng)
        order = rng.permutation(n)
        rows: Encoded = {}
        for name, binning in self.binnings.items():
            if name in fixed:
                kind = np.int64 if binning.countable else np.float64
                rows[name] = np.full(n, fixed[name], dtype=kind)
                continue
            drawn = [
                shuffled_cells(self.tables[name][k], count, rng) for k, count in enumerate(members) if count
            ]
            cells = np.concatenate(drawn) if drawn else np.zeros(0, dtype=np.int64)
            rows[name] = binning.draw(cells, rng)[order]
        return rows

    def _posterior(self, fixed: Condition) -> np.ndarray:
        """Weights of the components given some columns' values, by Bayes' rule."""
        weights = self.weights.copy()
        for name, value in fixed.items():
            cell = int(self.binnings[name].assign(np.asarray([value]))[0])
            weights = weights * self.tables[name][:, cell]
        total = weights.sum()
        return np.asarray(weights / total if total > 0 else self.weights)

    def state(self) -> State:
        """Return binnings as JSON, weights and tables as arrays."""
        description = {"binnings": {name: binning.state() for name, binning in self.binnings.items()}}
        arrays = {f"table_{i}": self.tables[name] for i, name in enumerate(self.binnings)}
        return description, {"weights": self.weights, **arrays}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        binnings = {name: Binning.from_state(state) for name, state in description["binnings"].items()}
        tables = {name: arrays[f"table_{i}"] for i, name in enumerate(binnings)}
        return cls(weights=arrays["weights"], tables=tables, binnings=binnings)


def normalised(shares: np.ndarray) -> np.ndarray:
    """Make the last axis add up to one; what does so already stays as it is, so storing changes nothing."""
    totals = shares.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(np.abs(totals - 1.0) < 1e-12, shares, shares / totals))


def quota(shares: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Round n * shares to whole numbers that add up to n; the left-over goes by systematic sampling.

    Every share gets its floor or one more, and its expectation is exact. Compared with independent
    draws this takes the sampling noise out of the margins.
    """
    cumulative = np.cumsum(shares)
    steps = np.floor(cumulative / cumulative[-1] * n + rng.random())
    return (
        np.diff(np.minimum(steps, n), prepend=0.0).astype(np.int64)
        if n
        else np.zeros(len(shares), dtype=np.int64)
    )


def shuffled_cells(shares: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Cells in random order, each as often as its share says, to a rounding."""
    cells = np.repeat(np.arange(len(shares)), quota(shares, count, rng))
    return rng.permutation(cells)
