"""Classes with Gaussian vectors of numbers; other columns are independent of them given the class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.gaussians.even_draws import LEAST_MEMBERS, even_rows
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.pixel_polish import PixelPolish
from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SLICE_ENTRIES = 1 << 24  # vectors are drawn and decoded in slices of about this many entries
POOL = 32  # of a small class so many times as many vectors are drawn, to choose even ones
MOST_EVEN = 1024  # rows of a class: more of them are even enough by themselves
POOL_ENTRIES = 1 << 21  # small classes that would need more than this are left to chance, to stay fast


class GaussianClasses(Model):
    """Weights of Gaussian vectors, one or several per class, and tables (classes x cells) of other columns.

    `owner` is the class of every Gaussian, in ascending order; without it each class has one.
    A table of a column that is also a number says how often the number is missing: (present, missing).
    Conditions on the class, on tables and on numbers are exact (with a polish, up to the polish).
    """

    kind = "gaussian-classes"

    def __init__(
        self,
        *,
        order: tuple[str, ...],
        label: str | None,
        weights: Floats,
        code: NumberCode,
        gaussians: LatentGaussians,
        tables: Mapping[str, Floats],
        binnings: Mapping[str, Binning],
        polish: PixelPolish | None = None,
        owner: Whole | None = None,
    ) -> None:
        self.order = order
        self.label = label
        self.weights = weights / weights.sum()
        self.code = code
        self.gaussians = gaussians
        self.tables = {name: table / table.sum(axis=1, keepdims=True) for name, table in tables.items()}
        self.binnings = dict(binnings)
        self.polish = polish
        self.owner = np.arange(len(weights)) if owner is None else owner

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows in random order; classes and cells get their shares of rows, to a rounding."""
        fixed = dict(where or {})
        gaussians, weights = self._given(fixed)
        members = quota(weights, n, rng)
        rows = self._numbers(gaussians, members, rng)
        classes = np.bincount(self.owner, weights=members).astype(np.int64)
        for name, table in self.tables.items():
            cells = np.concatenate([_cells(shares, m, rng) for shares, m in zip(table, classes, strict=True)])
            rows[name] = (
                self._with_gaps(name, rows[name], cells) if name in rows else self._draw(name, cells, rng)
            )
        if self.label is not None:
            rows[self.label] = np.repeat(self.owner, members)
        order = rng.permutation(n)
        for name, value in fixed.items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return {name: rows[name][order] for name in self.order}

    def _numbers(self, gaussians: LatentGaussians, members: np.ndarray, rng: np.random.Generator) -> Encoded:
        """Draw and decode the vectors, Gaussian by Gaussian, a slice at a time."""
        even = self._wants_evenness(members)
        parts = [self.code.decode(np.zeros((0, len(self.code.columns))))]
        for number, size in _slices(members, max(len(self.code.columns), 1)):
            draw = self._evenly if even[number] else LatentGaussians.draw
            drawn = draw(gaussians, number, size, rng)
            if self.polish is not None:
                drawn = self.polish.apply(drawn, np.full(size, self.owner[number]))
            parts.append(self.code.decode(drawn))
        return {name: np.concatenate([part.pop(name) for part in parts]) for name in self.code.names}

    def _wants_evenness(self, members: np.ndarray) -> np.ndarray:
        """Which classes of one Gaussian are few rows, but enough for quantiles, among other classes."""
        alone: np.ndarray = np.bincount(self.owner)[self.owner] == 1
        few: np.ndarray = alone & (members >= LEAST_MEMBERS) & (members <= MOST_EVEN)
        pool = POOL * len(self.code.columns) * int(members[few].sum())
        return few & (self.label is not None and self.owner[-1] > 0 and pool <= POOL_ENTRIES)

    def _evenly(self, gaussians: LatentGaussians, number: int, size: int, rng: np.random.Generator) -> Floats:
        """Draw vectors of a class evenly along what tells it from the table."""
        pool = gaussians.draw(number, POOL * size, rng)
        return even_rows(pool, pool @ gaussians.apart(number, self.weights), size, rng)

    def _draw(self, name: str, cells: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return self.binnings[name].draw(cells, rng)

    def _with_gaps(self, name: str, values: np.ndarray, cells: np.ndarray) -> np.ndarray:
        binning = self.binnings[name]
        gone = int(binning.edges[-1]) if binning.countable else np.nan
        return np.where(cells == binning.missing_cell, gone, values)

    def _given(self, fixed: Condition) -> tuple[LatentGaussians, Floats]:
        """Gaussians and their weights given some columns' values, by Bayes' rule."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)
            if self.label is not None and self.label in fixed:  # the class says all that tables could
                logs = np.where(self.owner == int(fixed[self.label]), logs, -np.inf)
            else:
                for name, table in self.tables.items():
                    if name in fixed:
                        cell = int(self.binnings[name].assign(np.asarray([fixed[name]]))[0])
                        logs = logs + np.log(table[self.owner, cell])
        gaussians, density = self._given_numbers(fixed)
        top = np.max(logs + density)
        return gaussians, np.exp(logs + density - top) if np.isfinite(top) else self.weights

    def _given_numbers(self, fixed: Condition) -> tuple[LatentGaussians, Floats]:
        entries = {
            place: entry
            for place, name in enumerate(self.code.names)
            if name in fixed and not np.isnan(entry := self.code.entry(name, fixed[name]))
        }
        return self.gaussians.given(entries) if entries else (self.gaussians, np.zeros(len(self.weights)))

    def state(self) -> State:
        """Return names, columns and binnings as JSON, all numbers as arrays."""
        code, arrays = self.code.state()
        description = {
            "order": list(self.order),
            "label": self.label,
            "code": code,
            "binnings": {name: binning.state() for name, binning in self.binnings.items()},
            "polish": self.polish is not None,
        }
        tables = {f"table_{place}": self.tables[name] for place, name in enumerate(self.binnings)}
        polish = {} if self.polish is None else self.polish.arrays()
        return description, {
            "weights": self.weights, "owner": self.owner, **arrays, **self.gaussians.arrays(), **tables,
            **polish,
        }  # fmt: skip

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        binnings = {name: Binning.from_state(state) for name, state in description["binnings"].items()}
        return cls(
            order=tuple(description["order"]),
            label=description["label"],
            weights=arrays["weights"],
            code=NumberCode.from_state(description["code"], arrays),
            gaussians=LatentGaussians.from_arrays(arrays),
            tables={name: arrays[f"table_{place}"] for place, name in enumerate(binnings)},
            binnings=binnings,
            polish=PixelPolish.from_arrays(arrays) if description["polish"] else None,
            owner=arrays.get("owner"),
        )


def _cells(shares: Floats, count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(np.repeat(np.arange(len(shares)), quota(shares, int(count), rng)))


def _slices(members: np.ndarray, width: int) -> Iterator[tuple[int, int]]:
    """Cut every class's rows into nearly equal slices of a bounded size."""
    most = max(SLICE_ENTRIES // width, 1024)
    for number, size in enumerate(members):
        pieces = -(-int(size) // most)
        for piece in range(pieces):
            yield number, int(size) * (piece + 1) // pieces - int(size) * piece // pieces
