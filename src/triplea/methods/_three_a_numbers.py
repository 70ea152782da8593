"""The provable 3A on tables of numbers: cells of vectors within classes, their centres and their spread.

Private: queries.class_numbers, queries.scatter and queries.cluster_sums add up.   Door: scales (or centre and
lengths), counts and sums by class, second moments by class, counts and sums by cell.
Public: the cosine basis of images and wide tables, and everything between the questions.

1. code:      numbers scaled by released quantiles; wide tables and images in a public basis of patterns
2. classes:   noisy counts, sums and second moments of every class
3. cells:     rows go to the nearest of some centres that cover the class's Gaussian; noisy counts and sums
4. adapt:     the cells' centres are moved for a learner's sake; its targets are draws from the released cells
5. rows:      a cell by its noisy size, then its centre plus the spread that second moments leave within it
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.anonymize.plan import Ask
from triplea.approximate.cell_stages import CellFit, CellStage
from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.column_scales import masses, scaled_code
from triplea.approximate.codes.cosine_basis import cosine_basis
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.centred_cells import (
    CentredCells,
    ClassGaussians,
    centred_cells,
    smooth_covariances,
)
from triplea.approximate.gaussians.class_estimates import class_counts, class_covariances, class_means
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.gaussian_classes import GaussianClasses
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.spectra import pulled
from triplea.approximate.gaussians.vector_cells import VectorCells
from triplea.approximate.mixtures.class_rules import LikelyCentres
from triplea.approximate.mixtures.row_cells import cells_per_class
from triplea.methods._base import measuring
from triplea.methods._three_a_adapting import Cells, Stage, moved_points
from triplea.queries.class_numbers import ClassSums, LengthCounts
from triplea.queries.cluster_sums import ClusterSums
from triplea.queries.dyadic import DyadicCounts
from triplea.queries.scatter import ClassScatter
from triplea.queries.stacked import Stacked
from triplea.schema import Schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SCALES, CENTRE, LENGTHS = "scales of the numbers", "centre of the numbers", "lengths of the vectors"
SUMS, SPREAD, CELLS = "counts and sums by class", "second moments by class", "counts and sums by cell"
WIDE_FROM = 200  # more numbers than this are looked at in smooth patterns
WIDE_PATTERNS, IMAGE_PATTERNS = 80, 150
LEAST_NUMBERS = 20
LENGTH_QUANTILE = 0.6
DEPTH = 12  # 4,096 parts of the public range, to find scales
ROOM = 1.5  # vectors are clipped at so many times the length of a standard one
IMAGE_SHARES = {CENTRE: 0.02, LENGTHS: 0.01, SUMS: 0.15, SPREAD: 0.62, CELLS: 0.2}
BANDS = 8  # from smooth to rough patterns
TARGETS = 2_000


def suits_numbers(schema: Schema) -> bool:
    """Whether all features are numbers, none missing, enough of them, beside classes (or no target)."""
    layout = NumberLayout.of(schema)
    label = schema.target
    classes = label is None or (layout.label is not None and layout.label.name == label)
    return classes and len(layout.numbers) >= LEAST_NUMBERS and not layout.tables and not layout.gaps


def number_asks(schema: Schema, budget: Budget, anonymize: NoisyCells) -> tuple[Ask, ...]:
    """The questions in their order."""
    if image_shape(schema) is not None:
        return tuple(measuring(budget, label, share=share) for label, share in IMAGE_SHARES.items())
    codes = anonymize.codes_share
    shares = (
        {CENTRE: 0.15 * codes, LENGTHS: 0.05 * codes}
        if patterns_of(schema) is not None
        else {SCALES: 0.2 * codes}
    )
    shares |= {SUMS: anonymize.classes_share, SPREAD: 0.8 * codes, CELLS: anonymize.cells_share}
    return tuple(measuring(budget, label, share=share) for label, share in shares.items())


def number_cells(schema: Schema, *, clusters: int) -> int:
    """How many numbers are released, at most."""
    layout, patterns = NumberLayout.of(schema), patterns_of(schema)
    width = len(layout.numbers) if patterns is None else patterns.shape[1]
    scales = len(layout.numbers) << DEPTH if patterns is None else len(layout.numbers)
    return scales + layout.classes * ((1 + clusters) * (width + 1) + width * (width + 1) // 2)


def patterns_of(schema: Schema) -> Floats | None:
    """A public basis for images and wide tables (neighbouring columns are taken to be alike), else None."""
    numbers = len(NumberLayout.of(schema).numbers)
    shape = image_shape(schema)
    if shape is not None:
        return cosine_basis(*shape, patterns=IMAGE_PATTERNS)
    return cosine_basis(1, numbers, patterns=WIDE_PATTERNS) if numbers > WIDE_FROM else None


def image_shape(schema: Schema) -> tuple[int, int] | None:
    """Height and width, where the schema's key `image` says that the numbers are pixels.

    It holds `shape: [height, width]`, or `height` and `width`.
    """
    hint = schema.extras.get("image")
    hint = hint if isinstance(hint, dict) else {}
    shape = hint.get("shape", [hint.get("height"), hint.get("width")])
    sides = shape if isinstance(shape, list | tuple) and len(shape) == 2 else (0, 0)
    numbers = len(NumberLayout.of(schema).numbers)
    fits = all(type(side) is int and side > 0 for side in sides) and sides[0] * sides[1] == numbers
    return (sides[0], sides[1]) if fits else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """How rows are vectors: the code, the origin, the basis (or none), and where vectors are clipped."""

    layout: NumberLayout
    code: NumberCode
    origin: Floats
    basis: Floats | None
    radius: float

    @property
    def width(self) -> int:
        """How many entries a vector has."""
        return len(self.origin) if self.basis is None else self.basis.shape[1]

    def vectors(self, means: Floats | None = None) -> ClassVectors:
        """Rows less the origin and, if given, less their class's mean."""
        centres = self.origin[None, :] if means is None else self.origin + self.lifted(means)
        return ClassVectors(layout=self.layout, code=self.code, centres=centres, projection=self.basis)

    def lifted(self, vectors: Floats) -> Floats:
        """Vectors as they stand among the columns."""
        return vectors if self.basis is None else vectors @ self.basis.T


def fit_numbers(
    door: Door,
    *,
    approximate: CellStage,
    adapt: Stage,
    anonymize: NoisyCells,
    rng: np.random.Generator,
) -> CellFit:
    """Ask the questions, one after the other, and make the mixture of the cells."""
    layout = NumberLayout.of(door.schema)
    frame = _frame(door, layout)
    classes = _classes(door, frame)

    least = anonymize.least_size(_sum_noise(door, frame))
    cells_each = cells_per_class(classes.rows, least=least, most=approximate.clusters)
    owner = np.repeat(np.arange(layout.classes), cells_each)
    rule = approximate.of_vectors(classes.covariances, owner, rng=rng)
    cells = _cells(door, frame, classes, rule)

    cells = _adapted(door, frame, cells, adapt, rng)
    return CellFit(model=_model(frame, cells), rows=cells.rows, owner=owner, least=least)


def _frame(door: Door, layout: NumberLayout) -> Frame:
    """Scales by released quantiles, or a public basis about a released centre, clipped by lengths."""
    width, patterns = len(layout.numbers), patterns_of(door.schema)
    if patterns is None:
        code = _scaled_code(door, layout)
        radius = ROOM * float(np.sqrt(width))
        return Frame(layout=layout, code=code, origin=np.zeros(width), basis=None, radius=radius)
    code = NumberCode.plain(layout.numbers)
    everybody = NumberLayout(order=layout.order, label=None, numbers=layout.numbers, tables=())
    vectors = ClassVectors(layout=everybody, code=code, centres=np.zeros((1, width)))
    whole = ClassSums(vectors=vectors, radius=float(np.sqrt(width)))
    released = door.measure(whole, label=CENTRE)
    total = max(float(whole.counts(released.values)[0]), 1.0)
    origin = np.clip(whole.totals(released.values)[0] / total, -1.0, 1.0)
    centred = ClassVectors(layout=everybody, code=code, centres=origin[None, :], projection=patterns)
    lengths = LengthCounts(vectors=centred)
    measured = door.measure(lengths, label=LENGTHS)
    radius = lengths.quantile(measured.values, float(np.max(measured.stddev)), LENGTH_QUANTILE)
    return Frame(layout=layout, code=code, origin=origin, basis=patterns, radius=radius)


def _scaled_code(door: Door, layout: NumberLayout) -> NumberCode:
    query = Stacked(parts=[DyadicCounts(column=column, levels=(DEPTH,)) for column in layout.numbers])
    released = door.measure(query, label=SCALES)
    histograms = np.array([part[: 2**DEPTH] for part in query.split_parts(released.values)])
    return scaled_code(layout.numbers, masses(histograms, float(np.max(released.stddev))))


def _classes(door: Door, frame: Frame) -> ClassGaussians:
    """Sizes, means and covariances of the classes."""
    sums = ClassSums(vectors=frame.vectors(), radius=frame.radius)
    released = door.measure(sums, label=SUMS)
    rows = class_counts(sums.counts(released.values))
    noise = float(np.max(released.stddev)) * frame.radius
    own = 1.0 if frame.basis is None else frame.radius**2 / frame.width
    means = class_means(sums.totals(released.values), rows, noise, own=own)

    scatter = ClassScatter(vectors=frame.vectors(means), radius=frame.radius)
    second = door.measure(scatter, label=SPREAD)
    moments, noises = scatter.matrices(second.values), np.asarray(second.stddev)
    if image_shape(door.schema) is not None:
        covariances = smooth_covariances(moments, rows, float(noises.max()))
    else:
        covariances = _shrunk_covariances(moments, rows, noises, own=own)
    return ClassGaussians(rows=rows, means=means, covariances=covariances)


def _shrunk_covariances(moments: Floats, rows: Floats, noises: Floats, *, own: float) -> Floats:
    """Covariances whose variances are drawn towards those of all rows; `own` is a row's variance at most."""
    diagonals = np.einsum("cii->ci", moments) / rows[:, None]
    pooled = np.maximum(rows @ diagonals / rows.sum(), 0.02 * own)
    doubts = noises.max() / rows
    variances = np.array(
        [
            np.maximum(pulled(mine, towards=pooled, variance=float(doubt) ** 2), 0.1 * pooled)
            for mine, doubt in zip(diagonals, doubts, strict=True)
        ]
    )
    return class_covariances(moments, rows, float(noises.min()), variances, pooled_variances=pooled)


def _cells(door: Door, frame: Frame, classes: ClassGaussians, rule: VectorCells) -> CentredCells:
    """Sizes, centres and covariances of the cells that a rule puts rows into."""
    sums = ClusterSums(vectors=frame.vectors(classes.means), cells=rule, radius=frame.radius)
    released = door.measure(sums, label=CELLS)
    return centred_cells(
        sums.counts(released.values),
        sums.totals(released.values),
        rule.owner,
        classes,
        stddev=float(np.max(released.stddev)) * frame.radius,
        bands=1 if frame.basis is None else BANDS,
    )


def _sum_noise(door: Door, frame: Frame) -> float:
    """The noise of a cell's sum, in units of a vector's length: known before the cells are."""
    return door.count_noise(1, label=CELLS) * float(np.sqrt(frame.width))


def _adapted(
    door: Door, frame: Frame, cells: CentredCells, adapt: Stage, rng: np.random.Generator
) -> CentredCells:
    """Move the centres."""
    drawn = rng.choice(len(cells.owner), TARGETS, p=cells.rows / cells.rows.sum())
    variances = np.einsum("cii->ci", cells.covariances)  # the axes are enough to tell classes apart
    noise = rng.standard_normal((TARGETS, cells.centres.shape[1])) * np.sqrt(variances)[drawn]
    vectors, label = frame.vectors(), frame.layout.label

    def rule(points: Floats) -> LikelyCentres:
        return LikelyCentres(
            owner=cells.owner, weights=cells.rows, centres=points, variances=variances,
            columns=vectors.columns, vectors=lambda encoded: vectors.of(encoded)[1],
        )  # fmt: skip

    released = Cells(
        points=cells.centres,
        owner=cells.owner,
        rows=cells.rows,
        targets=cells.centres[drawn] + noise,
        target_labels=cells.owner[drawn],
        read=vectors.of,
        rule=rule,
        classes=None if label is None else each_value(label),
    )
    return replace(cells, centres=moved_points(door, adapt, released, rng=rng))


def _model(frame: Frame, cells: CentredCells) -> GaussianClasses:
    """A Gaussian for every cell; its class is a table with one certain entry."""
    layout = frame.layout
    label = {} if layout.label is None else {layout.label.name: layout.label}
    gaussians = LatentGaussians(
        offset=frame.origin, basis=frame.basis, means=cells.centres, covariances=cells.covariances
    )
    return GaussianClasses(
        order=layout.order,
        label=None,
        weights=cells.rows,
        code=frame.code,
        gaussians=gaussians,
        tables={name: np.eye(layout.classes)[cells.owner] for name in label},
        binnings={name: each_value(column) for name, column in label.items()},
    )
