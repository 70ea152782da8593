"""A Bayesian network over the cells of columns: ancestral sampling, and exact conditioning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.grouping import binning_from_state
from triplea.approximate.graphs.factors import Factor, product, product_cells
from triplea.approximate.model import Condition, Model, State
from triplea.errors import ReleaseError
from triplea.schema import Encoded

MOST_CELLS = 50_000_000  # of a table that arises while conditioning
MOST_NAMES = 30  # columns of such a table: NumPy holds 64 axes and einsum 52 letters
MOST_ROUNDS = 200  # of rejection sampling, where conditioning by tables would not fit


class BayesNetwork(Model):
    """For each column in order: P(column | parents) as a table whose last axis is the column itself."""

    kind = "bayes-network"

    def __init__(self, *, factors: Sequence[Factor], binnings: Mapping[str, Binning]) -> None:
        self.factors = tuple(_normalised(factor) for factor in factors)
        self.binnings = dict(binnings)

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows column by column, each given its parents; with `where`, from the exact posterior."""
        fixed = dict(where or {})
        cells = {name: int(self.binnings[name].assign(np.asarray([v]))[0]) for name, v in fixed.items()}
        tables = self._posterior(cells) if cells else self.factors
        drawn = self._by_rejection(n, cells, rng) if tables is None else _draw(tables, n, cells, rng)
        rows: Encoded = {}
        for name, binning in self.binnings.items():
            if name in fixed:
                rows[name] = np.full(n, fixed[name], dtype=np.int64 if binning.countable else np.float64)
            else:
                rows[name] = binning.draw(drawn[name], rng)
        return rows

    def _posterior(self, cells: Mapping[str, int]) -> list[Factor] | None:
        """Tables P(column | earlier ones, condition), by eliminating columns from the last to the first.

        None where a table on the way would be too large.
        """
        pools: dict[str, list[Factor]] = {factor.names[-1]: [] for factor in self.factors}
        order = list(pools)
        loose: list[Factor] = []
        for factor in self.factors:
            _file(factor.given(cells), order, pools, loose)
        tables = []
        for name in reversed(order):
            if name in cells:
                continue
            held = pools[name]
            names = {column for factor in held for column in factor.names}
            if product_cells(held) > MOST_CELLS or len(names) > MOST_NAMES:
                return None
            joint = product(held, last=name)
            message = joint.sum_out(name)
            _file(_rescaled(message), order, pools, loose)
            tables.append(_normalised(joint))
        return tables[::-1]

    def _by_rejection(self, n: int, cells: Mapping[str, int], rng: np.random.Generator) -> Encoded:
        """Draw rows without the condition and keep those that meet it: exact, but slow for rare ones."""
        kept: list[Encoded] = []
        found = 0
        for _ in range(MOST_ROUNDS):
            drawn = _draw(self.factors, max(2 * n, 50_000), {}, rng)
            hit = np.all([drawn[name] == cell for name, cell in cells.items()], axis=0)
            kept.append({name: values[hit] for name, values in drawn.items()})
            found += int(hit.sum())
            if found >= n:
                return {name: np.concatenate([part[name] for part in kept])[:n] for name in kept[0]}
        raise ReleaseError(
            f"where: rows with {', '.join(sorted(cells))} as asked are too rare in this model to be drawn. "
            "Fix fewer columns, or ask for fewer rows."
        )

    def state(self) -> State:
        """Return names and binnings as JSON, tables as arrays."""
        description = {
            "binnings": {name: binning.state() for name, binning in self.binnings.items()},
            "factors": [list(factor.names) for factor in self.factors],
        }
        return description, {f"table_{i}": factor.values for i, factor in enumerate(self.factors)}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        factors = [
            Factor(names=tuple(names), values=arrays[f"table_{i}"])
            for i, names in enumerate(description["factors"])
        ]
        binnings = {name: binning_from_state(state) for name, state in description["binnings"].items()}
        return cls(factors=factors, binnings=binnings)


def _draw(
    tables: Sequence[Factor], n: int, fixed: Mapping[str, int], rng: np.random.Generator
) -> dict[str, np.ndarray]:
    drawn = {name: np.full(n, cell) for name, cell in fixed.items()}
    for table in tables:
        parents, child = table.names[:-1], table.names[-1]
        config = np.zeros(n, dtype=np.int64)
        for name, size in zip(parents, table.values.shape[:-1], strict=True):
            config = config * size + drawn[name]
        drawn[child] = draw_by_config(table.values.reshape(-1, table.values.shape[-1]), config, rng)
    return drawn


def draw_by_config(shares: np.ndarray, config: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a cell for every row from the row's line of `shares`, which sum to one by line.

    Systematic sampling within a line: the rows of one line, in random order, get evenly spaced uniforms
    with a random start, so that every cell gets its share of them to a rounding.
    """
    n, cells = len(config), shares.shape[1]
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    order = rng.permutation(n)
    order = order[np.argsort(config[order], kind="stable")]
    counts = np.bincount(config, minlength=len(shares))
    firsts = np.cumsum(counts) - counts
    line = config[order]
    rank = np.arange(n) - firsts[line]
    uniform = (rank + rng.random(len(shares))[line]) / counts[line]
    ends = np.cumsum(shares, axis=1)
    ends = ends / ends[:, -1:] + np.arange(len(shares))[:, None]
    found = np.searchsorted(ends.reshape(-1), line + np.minimum(uniform, 1 - 1e-9), side="right")
    picked = np.empty(n, dtype=np.int64)
    picked[order] = np.clip(found - line * cells, 0, cells - 1)
    return picked


def _file(factor: Factor, order: list[str], pools: dict[str, list[Factor]], loose: list[Factor]) -> None:
    """Put a table to the column that will be eliminated first among its own."""
    places = [order.index(name) for name in factor.names]
    (pools[order[max(places)]] if places else loose).append(factor)


def _rescaled(factor: Factor) -> Factor:
    """A message keeps its shape only: its size would underflow over many columns."""
    peak = float(factor.values.max()) if factor.values.size else 0.0
    return Factor(names=factor.names, values=factor.values / peak) if peak > 0 else factor


def _normalised(factor: Factor) -> Factor:
    """Divide by the sum over the last axis; lines without mass become uniform."""
    totals = factor.values.sum(axis=-1, keepdims=True)
    uniform = 1.0 / factor.values.shape[-1]
    safe = np.where(totals > 0, totals, 1.0)
    return Factor(names=factor.names, values=np.where(totals > 0, factor.values / safe, uniform))
