"""Classes, feature sets and cells, with a Gaussian in each: the model of MC-GEN and of RON-Gauss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.vectors import Block, BlockKind, VectorCode
from triplea.approximate.gaussians.moments_to_gaussians import root
from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded, dump_schema, load_schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
ROUNDS = 60  # of rejection, for conditions on categories


@dataclass(frozen=True, kw_only=True)
class SetCells:
    """One feature set: its entries, and for every (class, cell) a weight, mean, covariance and shift."""

    entries: Whole
    weights: Floats
    means: Floats
    covariances: Floats
    shifts: Floats


class GaussianCells(Model):
    """A class, then in every feature set a cell and a Gaussian vector, decoded to a row.

    Sets are independent given the class, unless `joined` lists which cells of the sets go together: rows
    (class, cell of set 1, cell of set 2, ...) with the weights `joined_weights`.
    """

    kind = "gaussian-cells"

    def __init__(
        self,
        *,
        code: VectorCode,
        label: tuple[str, Binning] | None,
        classes: Floats,
        sets: Sequence[SetCells],
        joined: Whole | None = None,
        joined_weights: Floats | None = None,
    ) -> None:
        self.code = code
        self.label = label
        self.classes = _shares(classes)
        self.sets = tuple(replace(cells, weights=_by_class(cells.weights)) for cells in sets)
        self.joined = joined
        self.joined_weights = joined_weights

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; numbers are conditioned by Gaussian algebra, categories by rejection."""
        fixed = dict(where or {})
        if not fixed:
            return self._ordered(self._draw(n, {}, rng), fixed, n)
        parts: list[Encoded] = []
        found = 0
        for turn in range(ROUNDS):
            proposed = self._draw(4 * n + 64, fixed, rng)
            fits = self._meets(proposed, fixed)
            if turn == ROUNDS - 1 and found + int(fits.sum()) < n:
                fits[:] = True  # a condition that the model hardly knows: the rest stays unconditioned
            parts.append({name: values[fits] for name, values in proposed.items()})
            found += int(fits.sum())
            if found >= n:
                break
        rows = {name: np.concatenate([part[name] for part in parts])[:n] for name in parts[0]}
        return self._ordered(rows, fixed, n)

    def _draw(self, n: int, fixed: Condition, rng: np.random.Generator) -> Encoded:
        """Draw class and cells by their weights given the fixed numbers, then vectors, then decode."""
        values = self._fixed_entries(fixed)
        views = [_condition(cells, values) for cells in self.sets]
        klass, cells = self._choose_cells(n, fixed, views, rng)
        matrix = np.zeros((n, self.code.width))
        for view, leaf in zip(views, cells, strict=True):
            _fill(matrix, view, klass, leaf, rng)
        rows = self.code.decode(matrix)
        if self.label is not None:
            rows[self.label[0]] = self.label[1].draw(klass, rng)
        return rows

    def _choose_cells(
        self, n: int, fixed: Condition, views: Sequence[SetCells], rng: np.random.Generator
    ) -> tuple[Whole, list[Whole]]:
        only = None
        if self.label is not None and self.label[0] in fixed:
            only = int(self.label[1].assign(np.asarray([fixed[self.label[0]]]))[0])
        if self.joined is not None and self.joined_weights is not None:
            weights = self.joined_weights.copy()
            for place, (view, cells) in enumerate(zip(views, self.sets, strict=True), start=1):
                at = self.joined[:, 0], self.joined[:, place]
                weights *= view.weights[at] / np.maximum(cells.weights[at], 1e-300)
            weights = _only(weights, self.joined[:, 0], only)
            picked = rng.permutation(np.repeat(np.arange(len(weights)), quota(_shares(weights), n, rng)))
            return self.joined[picked, 0], [self.joined[picked, 1 + place] for place in range(len(views))]
        weights = self.classes * np.prod([view.weights.sum(axis=1) for view in views], axis=0)
        weights = _only(weights, np.arange(len(weights)), only)
        klass = rng.permutation(np.repeat(np.arange(len(weights)), quota(_shares(weights), n, rng)))
        return klass, [_cells_within(view.weights, klass, rng) for view in views]

    def _fixed_entries(self, fixed: Condition) -> dict[int, float]:
        """Entries that a condition on numbers pins down; missing numbers are left to rejection."""
        pinned = {}
        for block in self.code.filled:
            name = block.column.name
            if name in fixed and block.kind is BlockKind.NUMBER and not _is_missing(block, fixed[name]):
                kind = np.int64 if block.column.size is not None else np.float64
                row = {other: np.zeros(1, dtype=np.int64) for other in self.code.names}
                row[name] = np.asarray([fixed[name]], dtype=kind)
                pinned[block.start] = float(self.code.encode(row)[0, block.start])
        return pinned

    def _meets(self, rows: Encoded, fixed: Condition) -> np.ndarray:
        n = len(next(iter(rows.values())))
        fits = np.ones(n, dtype=bool)
        for block in self.code.filled:
            name = block.column.name
            if name not in fixed:
                continue
            if block.kind in (BlockKind.TWO, BlockKind.CHOICE):
                fits &= rows[name] == fixed[name]
            elif block.flag is not None:
                gone = rows[name] >= (block.column.size or 0) if block.column.size else np.isnan(rows[name])
                fits &= gone == _is_missing(block, fixed[name])
        return fits

    def _ordered(self, rows: Encoded, fixed: Condition, n: int) -> Encoded:
        for name, value in fixed.items():
            kind = rows[name].dtype if np.isfinite(value) else np.float64
            rows[name] = np.full(n, value, dtype=kind)
        return {name: rows[name] for name in self.code.schema.names}

    def state(self) -> State:
        """Return the schema, the label's binning and the sizes as JSON, all numbers as arrays."""
        description = {
            "schema": dump_schema(self.code.schema),
            "names": list(self.code.names),
            "label": None if self.label is None else [self.label[0], self.label[1].state()],
            "sets": len(self.sets),
            "joined": self.joined is not None,
        }
        arrays: dict[str, np.ndarray] = {"classes": self.classes}
        if self.joined is not None and self.joined_weights is not None:
            arrays |= {"joined": self.joined, "joined_weights": self.joined_weights}
        for i, cells in enumerate(self.sets):
            arrays |= {f"{name}_{i}": array for name, array in vars(cells).items()}
        return description, arrays

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        fields = SetCells.__dataclass_fields__
        sets = [
            SetCells(**{name: arrays[f"{name}_{i}"] for name in fields}) for i in range(description["sets"])
        ]
        label = description["label"]
        return cls(
            code=VectorCode(load_schema(description["schema"]), description["names"]),
            label=None if label is None else (label[0], Binning.from_state(label[1])),
            classes=arrays["classes"],
            sets=sets,
            joined=arrays["joined"] if description["joined"] else None,
            joined_weights=arrays["joined_weights"] if description["joined"] else None,
        )


def _fill(matrix: Floats, cells: SetCells, klass: Whole, leaf: Whole, rng: np.random.Generator) -> None:
    """Draw the set's entries of every row from the Gaussian of its class and cell."""
    leaves = cells.weights.shape[1]
    component = klass * leaves + leaf
    order = np.argsort(component, kind="stable")
    edges = np.searchsorted(component[order], np.arange(cells.weights.size + 1))
    for place in np.flatnonzero(np.diff(edges)):
        rows = order[edges[place] : edges[place + 1]]
        at = divmod(int(place), leaves)
        noise = rng.standard_normal((len(rows), len(cells.entries)))
        drawn = cells.means[at] + cells.shifts[at] + noise @ root(cells.covariances[at]).T
        matrix[np.ix_(rows, cells.entries)] = drawn


def _condition(cells: SetCells, pinned: Mapping[int, float]) -> SetCells:
    """Gaussians given some entries' values; weights are multiplied by the density of those values."""
    hit = np.flatnonzero([int(entry) in pinned for entry in cells.entries])
    if not len(hit):
        return cells
    values = np.array([pinned[int(cells.entries[place])] for place in hit])
    rest = np.setdiff1d(np.arange(len(cells.entries)), hit)
    means, covariances = cells.means.copy(), np.zeros_like(cells.covariances)
    logs = np.full(cells.weights.shape, -np.inf)
    for at in np.ndindex(cells.weights.shape):
        mean, cov = cells.means[at], cells.covariances[at]
        inner = cov[np.ix_(hit, hit)] + 1e-6 * np.eye(len(hit))
        gap = values - mean[hit]
        solved = np.linalg.solve(inner, np.column_stack([gap, cov[np.ix_(hit, rest)]]))
        means[at][hit] = values
        means[at][rest] = mean[rest] + cov[np.ix_(rest, hit)] @ solved[:, 0]
        covariances[at][np.ix_(rest, rest)] = cov[np.ix_(rest, rest)] - cov[np.ix_(rest, hit)] @ solved[:, 1:]
        density = -0.5 * (gap @ solved[:, 0] + np.linalg.slogdet(inner)[1])
        logs[at] = density + np.log(max(float(cells.weights[at]), 1e-300))
    weights = np.exp(logs - logs.max())
    return SetCells(
        entries=cells.entries, weights=weights, means=means, covariances=covariances, shifts=cells.shifts
    )


def _cells_within(weights: Floats, klass: Whole, rng: np.random.Generator) -> Whole:
    leaf = np.zeros(len(klass), dtype=np.int64)
    for place in np.unique(klass):
        rows = np.flatnonzero(klass == place)
        counts = quota(_shares(weights[place]), len(rows), rng)
        leaf[rows] = rng.permutation(np.repeat(np.arange(weights.shape[1]), counts))
    return leaf


def _only(weights: Floats, classes: Whole, only: int | None) -> Floats:
    return weights if only is None else np.where(classes == only, np.maximum(weights, 1e-300), 0.0)


def _shares(weights: Floats) -> Floats:
    total = weights.sum()
    return np.asarray(weights / total) if total > 0 else np.full(len(weights), 1.0 / len(weights))


def _by_class(weights: Floats) -> Floats:
    """Weights of the cells that add up to one in every class."""
    return np.array([_shares(line) for line in weights])


def _is_missing(block: Block, value: float | int) -> bool:
    size = block.column.size
    return bool(value >= size) if size is not None else bool(np.isnan(value))
