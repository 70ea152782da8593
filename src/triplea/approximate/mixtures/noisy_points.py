"""A set of published points: rows are the points themselves, and more rows are drawn around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.unit_code import UnitCode
from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class NoisyPoints(Model):
    """Points with classes, and how far further rows scatter about each.

    Asked for as many rows as there are points, every point becomes one row. Further rows repeat points:
    numbers are moved at random, so that a learner does not take a single point at its word; categories in
    one-hot entries are drawn anew, which is scatter enough.
    """

    kind = "noisy-points"

    def __init__(
        self,
        *,
        order: tuple[str, ...],
        code: UnitCode,
        label: tuple[str, Binning] | None,
        points: Floats,
        classes: Whole,
        spreads: Floats,
    ) -> None:
        self.order = order
        self.code = code
        self.label = label
        self.points = points
        self.classes = classes
        self.spreads = spreads

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, of the points that are nearest to it, and the named columns as given."""
        fixed = dict(where or {})
        near = self._nearest(fixed, rng)
        copies = quota(np.full(len(near), 1.0 / len(near)), n, rng)
        order = rng.permutation(n)
        chosen = np.repeat(near, copies)[order]
        again = (np.arange(n) - np.repeat(np.cumsum(copies) - copies, copies))[order] > 0
        moved = rng.standard_normal((n, self.points.shape[1])) * (self.spreads[chosen] * again)[:, None]
        rows = self.code.decode(self.points[chosen] + moved * self.code.is_number, rng=rng)
        if self.label is not None:
            rows[self.label[0]] = self.label[1].draw(self.classes[chosen], rng)
        for name, value in fixed.items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return {name: rows[name] for name in self.order}

    def classes_of(self, rows: Encoded) -> Whole:
        """The classes of drawn rows; without a label, all of one."""
        if self.label is None:
            return np.zeros(len(next(iter(rows.values()))), dtype=np.int64)
        return np.asarray(self.label[1].assign(rows[self.label[0]]), dtype=np.int64)

    def _nearest(self, fixed: Condition, rng: np.random.Generator) -> Whole:
        """The points that agree with a condition best; without one, all of them."""
        if not fixed:
            return np.arange(len(self.points))
        rows = self.code.decode(self.points, rng=rng)
        misses = np.zeros(len(self.points))
        for name, value in fixed.items():
            if self.label is not None and name == self.label[0]:
                wanted = self.label[1].assign(np.asarray([value]))[0]
                misses += 1e3 * (self.classes != wanted)
            else:
                gap = np.abs(rows[name].astype(float) - value)
                misses += np.nan_to_num(gap / max(float(np.nanmax(gap, initial=0.0)), 1e-300), nan=1.0)
        return np.flatnonzero(misses <= misses.min() + 1e-12)

    def state(self) -> State:
        """Return names and columns as JSON, points as arrays."""
        code, arrays = self.code.state()
        label = None if self.label is None else [self.label[0], self.label[1].state()]
        description = {"order": list(self.order), "code": code, "label": label}
        points = {"points": self.points, "classes": self.classes, "spreads": self.spreads}
        return description, {**arrays, **points}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        label = description["label"]
        return cls(
            order=tuple(description["order"]),
            code=UnitCode.from_state(description["code"], arrays),
            label=None if label is None else (label[0], Binning.from_state(label[1])),
            points=arrays["points"],
            classes=arrays["classes"],
            spreads=arrays["spreads"],
        )
