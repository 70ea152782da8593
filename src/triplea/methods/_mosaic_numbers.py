"""Mosaic for tables of numbers: a Gaussian vector per class, from noisy moments.

Private: counts of listed columns and of missing numbers by class, then the moments of the vector of numbers,
in one of three recipes.   Door: Gaussian (or Laplace) measurements.   Public: estimates without noise's part.
Guarantee: (epsilon, delta) for the stated neighbours, proved.

1. roles:    the target's classes; the vector of numbers; listed columns (categories)
2. counts:   by class, of every listed column and of missing numbers
3. moments:  narrow (a covariance per class), wide (one for all, and parts of classes), or image (in smooth
             patterns, with a polish)
4. model:    class, then the vector and the listed columns, independent of each other given the class
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.gaussian_classes import GaussianClasses
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.number_fit import NumberFit
from triplea.approximate.mixtures.denoise import class_tables, combine_totals
from triplea.errors import MethodError
from triplea.methods import _mosaic_image, _mosaic_narrow, _mosaic_wide
from triplea.methods._base import Cost, Method, measuring
from triplea.methods._checks import check_cells, check_whole
from triplea.methods._mosaic_parts import PARTS, ROUNDS
from triplea.queries.marginals import Marginals
from triplea.schema import Schema

Floats = NDArray[np.float64]
FEW_VALUES = 16
MOST_PURE = 64
COUNTS = "counts of listed columns by class"
LEAST_SHARE, MOST_SHARE = 0.05, 0.6  # of the counts, where there are numbers too
LEAST_PRESENT = 0.1  # a number that is missing more often is taken as present this often, to bound its noise


def suits(schema: Schema) -> bool:
    """Whether a table is one of numbers: an image, or at least 20 numbers that are 90 % of the features."""
    columns = [schema.column(name) for name in schema.features]
    numbers = sum(not c.is_discrete and (c.size is None or c.size > FEW_VALUES) for c in columns)
    return "image" in schema.extras or (numbers >= 20 and numbers >= 0.9 * len(schema.features))


class NumberMosaic(Method):
    """Classes, a Gaussian vector of numbers in each, and listed columns counted by class.

    More than `wide_from` numbers share one covariance. Where the schema has the key
    `image: {shape: [height, width]}` the features are pixels, row by row.
    """

    name = "mosaic-numbers"
    title = "Mosaic for numbers"
    summary = "the half of mosaic for numbers: noisy moments of a vector by class, also for images"

    def __init__(self, *, wide_from: int = 200, max_cells: int = 20_000_000) -> None:
        self.wide_from = wide_from
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for counts, where a column is counted, and for the moments of the recipe."""
        check_whole("wide_from", self.wide_from, least=1, most=2000)
        layout = NumberLayout.of(schema)
        check_cells(self.name, self._cells(schema, layout), most=self.max_cells)
        _check_pure(layout, budget)
        counts = _counts_share(layout)
        asks = [measuring(budget, COUNTS, share=counts)] if counts > 0 else []
        shares = self._shares(schema, budget) if counts < 1 else {}
        asks += [
            measuring(budget, label, share=share * (1.0 - counts), times=ROUNDS if label == PARTS else 1)
            for label, share in shares.items()
        ]
        return Plan(asks=tuple(asks))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Release counts, then moments; assemble the model."""
        layout = NumberLayout.of(door.schema)
        tables, totals = _counted(door, layout)
        numbers = self._numbers(door, layout, _present(layout, tables), totals, rng)
        self.rows_ = float(numbers.counts.sum())
        binnings = layout.binnings()
        self.model_ = GaussianClasses(
            order=layout.order,
            label=None if layout.label is None else layout.label.name,
            weights=numbers.counts,
            code=numbers.code,
            gaussians=numbers.gaussians,
            tables=tables,
            binnings={name: binnings[name] for name in tables},
            polish=numbers.polish,
            owner=numbers.owner,
        )
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Five passes over the rows; memory for a batch of vectors and for the released matrices."""
        layout = NumberLayout.of(schema)
        width = len(layout.numbers)
        cells = self._cells(schema, layout)
        polish = 2e-7 * 12 * width * _mosaic_image.PUBLIC_DRAWS if image_shape(schema) else 0.0
        seconds = 1.0 + 1e-6 * cells + polish + rows * (4e-7 * len(schema.columns) + 2e-10 * width**2)
        batch = min(rows, 1 << 17) * width * 8 * 6 / 2**20
        return Cost(seconds=seconds, mebibytes=250 + batch + 60 * cells / 2**20, cells=cells)

    def _numbers(
        self,
        door: Door,
        layout: NumberLayout,
        present: Floats,
        totals: Floats,
        rng: np.random.Generator,
    ) -> NumberFit:
        if not layout.numbers:
            return _no_numbers(layout, totals)
        shape = image_shape(door.schema)
        if shape is not None:
            return _mosaic_image.fit_image(door, layout, shape, rng=rng)
        if self._is_wide(door.schema):
            return _mosaic_wide.fit_wide(door, layout, present, totals, rng=rng)
        return _mosaic_narrow.fit_narrow(door, layout, present, rng=rng)

    def _shares(self, schema: Schema, budget: Budget) -> dict[str, float]:
        if image_shape(schema) is not None:
            return _mosaic_image.image_shares(budget)
        if self._is_wide(schema):
            return _mosaic_wide.wide_shares(budget)
        return _mosaic_narrow.narrow_shares(NumberLayout.of(schema))

    def _cells(self, schema: Schema, layout: NumberLayout) -> int:
        counted = layout.classes * max(sum(binning.cells for binning in layout.binnings().values()), 1)
        if not layout.numbers:
            return counted
        if image_shape(schema) is not None:
            return counted + _mosaic_image.image_cells(layout)
        wide = self._is_wide(schema)
        return counted + (_mosaic_wide.wide_cells(layout) if wide else _mosaic_narrow.narrow_cells(layout))

    def _is_wide(self, schema: Schema) -> bool:
        return sum(not column.is_discrete for column in schema.columns) > self.wide_from


def image_shape(schema: Schema) -> tuple[int, int] | None:
    """Read the schema's key `image`, or refuse one that does not fit the columns."""
    hint = schema.extras.get("image")
    if hint is None:
        return None
    shape = hint.get("shape", [hint.get("height"), hint.get("width")]) if isinstance(hint, dict) else None
    if (
        not isinstance(shape, list | tuple)
        or len(shape) != 2
        or not all(type(side) is int and side >= 1 for side in shape)
    ):
        raise MethodError(f"schema key 'image' must be {{shape: [height, width]}}, got {hint!r}.")
    pixels = [column.name for column in NumberLayout.of(schema).numbers]
    if pixels != list(schema.features) or len(pixels) != shape[0] * shape[1]:
        raise MethodError(
            f"schema key 'image': the shape {list(shape)} needs {shape[0] * shape[1]} features, all of them "
            f"numbers, beside a target with classes; the schema has {len(schema.features)} features and "
            f"{len(pixels)} numbers. Correct the shape, or remove the key."
        )
    return shape[0], shape[1]


def _check_pure(layout: NumberLayout, budget: Budget) -> None:
    if budget.delta == 0 and len(layout.numbers) > MOST_PURE:
        raise MethodError(
            f"method {NumberMosaic.name!r} with delta = 0 takes at most {MOST_PURE} numbers, got "
            f"{len(layout.numbers)}: Laplace noise grows with their square. Give a delta above 0."
        )


def _counts_share(layout: NumberLayout) -> float:
    """The more columns are counted, the larger their share of the budget."""
    counted, numbers = len(layout.counted), len(layout.numbers)
    if not numbers:
        return 1.0
    return float(np.clip(counted / (counted + numbers), LEAST_SHARE, MOST_SHARE)) if counted else 0.0


def _counted(door: Door, layout: NumberLayout) -> tuple[dict[str, Floats], Floats]:
    """Denoised tables (classes x cells) of the counted columns, and the numbers of rows by class."""
    label = () if layout.label is None else (layout.label.name,)
    groups = [(*label, column.name) for column in layout.counted]
    if not groups and layout.numbers:
        return {}, np.ones(layout.classes)
    query = Marginals(groups=groups or [label], binnings=layout.binnings())
    released = door.measure(query, label=COUNTS)
    spread = float(np.max(released.stddev))
    noisy = [table.reshape(layout.classes, -1) for table in query.tables(released.values).values()]
    totals = combine_totals(noisy, [spread] * len(noisy))
    clean = [class_tables(table, totals, spread) for table in noisy]
    return {column.name: table for column, table in zip(layout.counted, clean, strict=False)}, totals


def _present(layout: NumberLayout, tables: dict[str, Floats]) -> Floats:
    """By class, how large a share of rows has each number."""
    shares = np.ones((layout.classes, len(layout.numbers)))
    for place, column in enumerate(layout.numbers):
        if column.nullable:
            table = tables[column.name]
            shares[:, place] = np.maximum(table[:, 0] / table.sum(axis=1), LEAST_PRESENT)
    return shares


def _no_numbers(layout: NumberLayout, totals: Floats) -> NumberFit:
    nothing = LatentGaussians(
        offset=np.zeros(0), means=np.zeros((layout.classes, 0)), covariances=np.zeros((1, 0, 0))
    )
    return NumberFit(counts=totals, code=NumberCode.plain(()), gaussians=nothing)
