"""RON-Gauss (Chanyaswad, Liu and Mittal, 2019): random orthonormal projection, then one Gaussian per class.

Private: queries.class_moments counts and sums, then multiplies out the projected rows.   Door: count and sum
of the rows by class; second moments of the centred, projected rows by class.   Public: the projection (drawn
without looking at rows), semidefinite repair, sampling.
Guarantee: (epsilon, delta), proved; Gaussian noise, or Laplace where delta = 0.
Three forms, by the target: none (unsupervised), classes (a Gaussian each), a number (regression: the target
keeps its own coordinate beside the projection).
Differs from the paper: rows are scaled by the public radius instead of their own norm, so that they can be
scaled back, and clipped after centring; class sizes are noisy. `published`: the authors' code, claimed only.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.cell_fit import clean_covariance, pulled
from triplea.approximate.gaussians.gaussian_cells import GaussianCells, SetCells
from triplea.approximate.gaussians.moments_to_gaussians import fade, nearest_covariance, shifts
from triplea.approximate.gaussians.projected_gaussians import orthonormal_rows, ron_gauss_as_printed
from triplea.methods._base import Cost, Method, claiming, measuring
from triplea.methods._checks import check_cells, check_fraction, check_whole
from triplea.queries.class_moments import CentredScatter, Classes, ClassMoments, classes_of, features_of
from triplea.schema import Schema

Floats = NDArray[np.float64]
MEANS = "counts and sums by class"
SCATTER = "second moments of projected rows by class"
WHOLE = "ron-gauss as printed"
REASONS = (
    "The L1 sensitivity of the scatter matrix of unit rows is about p/n; the code assumes 2 sqrt(p)/n, which "
    "is less for p > 4.",
    "Replacing a row moves the mean by up to 2 sqrt(m)/n in L1, twice what is assumed.",
    "Class sizes are used exactly.",
)


class RonGauss(Method):
    """Noisy class means, and a noisy covariance in a random subspace."""

    name = "ron-gauss"
    title = "RON-Gauss"
    summary = "a Gaussian per class in a random low-dimensional projection"
    variants = ("provable", "published")
    claim = "provable: (epsilon, delta), proved; published: epsilon, claimed"

    def __init__(self, *, dimensions: int = 10, mean_share: float = 0.5, max_cells: int = 2_000_000) -> None:
        self.dimensions = dimensions
        self.mean_share = mean_share
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for counts and sums, then for second moments after projection."""
        check_whole("dimensions", self.dimensions, least=1, most=10_000)
        check_fraction("mean_share", self.mean_share)
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)
        if self.variant == "published":
            return claiming(WHOLE)
        means = measuring(budget, MEANS, share=self.mean_share)
        return Plan(asks=(means, measuring(budget, SCATTER, share=1.0 - self.mean_share)))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Release means, project at random, release the scatter there, map back."""
        code = VectorCode(door.schema, features_of(door.schema))
        classes = classes_of(door.schema)
        projection = self._projection(code, door.schema, rng)
        if self.variant == "published":
            return self._fit_as_printed(door, code, classes, projection)
        norm: Literal["L1", "L2"] = "L2" if door.budget.delta > 0 else "L1"
        everything = np.arange(code.width)
        query = ClassMoments(
            code=code, classes=classes, sets=[everything], weights=(0.1, 0.9, 0.0), norm=norm
        )
        counts, means = self._means(door, query)
        radius = code.norm_bounds()[0]
        scatter = CentredScatter(
            code=code, classes=classes, centres=means, projection=projection, radius=radius, norm=norm
        )
        released = door.measure(scatter, label=SCATTER)
        second = scatter.split(released.values)[0].second
        assert second is not None
        noise = float(np.max(released.stddev, initial=0.0)) * radius**2
        covariances = np.zeros((classes.size, 1, code.width, code.width))
        for c in range(classes.size):
            small = nearest_covariance(fade(second[c] * radius**2 / counts[c], noise / counts[c]))
            back = projection.T @ small @ projection
            covariances[c, 0] = clean_covariance(code, everything, means[c], back, noise=0.0)
        moved = np.array(
            [[shifts(code, everything, means[c], covariances[c, 0], rng)] for c in range(classes.size)]
        )
        cells = SetCells(
            entries=everything,
            weights=np.ones((classes.size, 1)),
            means=means[:, None, :],
            covariances=covariances,
            shifts=moved,
        )
        self._finish(code, classes, {"classes": counts, "sets": [cells]}, float(counts.sum()))
        return self

    def _means(self, door: Door, query: ClassMoments) -> tuple[Floats, Floats]:
        """Noisy class sizes, and class means pulled towards the table's by as much as noise explains."""
        released = door.measure(query, label=MEANS)
        moments = query.split(released.values)[0]
        noise = query.split(np.broadcast_to(np.asarray(released.stddev, dtype=float), query.shape))[0].total
        assert moments.count is not None and moments.total is not None and noise is not None
        counts = np.maximum(moments.count, 1.0)
        overall = np.clip(moments.total.sum(axis=0) / counts.sum(), -1.0, 1.0)
        spread = float(noise.max(initial=0.0))
        means = [
            pulled(total / n, overall, spread / n) for total, n in zip(moments.total, counts, strict=True)
        ]
        return counts, np.clip(np.array(means), -1.0, 1.0)

    def _projection(self, code: VectorCode, schema: Schema, rng: np.random.Generator) -> Floats:
        """Random orthonormal rows over the features; a numeric target keeps its own coordinate."""
        own = [b.start for b in code.filled if b.column.name == schema.target and b.width]
        features = np.setdiff1d(np.arange(code.width), own)
        rows = orthonormal_rows(min(self.dimensions, len(features)), len(features), rng)
        projection = np.zeros((len(rows) + len(own), code.width))
        projection[: len(rows), features] = rows
        for place, entry in enumerate(own):
            projection[len(rows) + place, entry] = 1.0
        return projection

    def _fit_as_printed(self, door: Door, code: VectorCode, classes: Classes, projection: Floats) -> Self:
        model, rows = door.as_claimed(
            lambda table, noise: ron_gauss_as_printed(
                code.encode(table),
                classes.assign(table, len(next(iter(table.values())))),
                classes=classes.size,
                projection=projection,
                epsilon_mean=door.budget.epsilon * self.mean_share,
                epsilon_scatter=door.budget.epsilon * (1.0 - self.mean_share),
                noise=noise,
            ),
            label=WHOLE,
            reasons=REASONS,
        )
        self._finish(code, classes, model, rows)
        return self

    def _finish(self, code: VectorCode, classes: Classes, model: dict[str, Any], rows: float) -> None:
        label = None
        if classes.column is not None and classes.binning is not None:
            label = (classes.column, classes.binning)
        self.model_ = GaussianCells(code=code, label=label, **model)
        self.rows_ = rows

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Two passes over the rows."""
        width, classes = VectorCode(schema, features_of(schema)).width, classes_of(schema).size
        p = min(self.dimensions + 1, width)
        cells = classes * (1 + width + width * width + p * (p + 1) // 2)
        seconds = 1.0 + 2e-9 * rows * width * (p + 4) + 2e-7 * cells
        return Cost(seconds=seconds, mebibytes=250 + 60 * cells / 2**20, cells=cells)
