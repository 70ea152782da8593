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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.anonymize.plan import Ask
from triplea.approximate.cell_stages import CellFit, CellStage
from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.column_scales import centre_and_spread, masses
from triplea.approximate.codes.cosine_basis import cosine_basis
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_estimates import class_counts, class_covariances, class_means
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.approximate.gaussians.gaussian_classes import GaussianClasses
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.spectra import banded_signal, floored, pulled
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
SMOOTH_FLOOR = 0.003  # smallest variance of a class of images, relative to its mean variance
FLOOR = 0.05  # smallest variance within a cell, relative to the class's mean variance
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
    counts, means, covariances = _classes(door, frame)

    least = anonymize.least_size(_sum_noise(door, frame))
    cells_each = cells_per_class(counts, least=least, most=approximate.clusters)
    owner = np.repeat(np.arange(layout.classes), cells_each)
    rule = approximate.of_vectors(covariances, owner, rng=rng)
    sums = ClusterSums(vectors=frame.vectors(means), cells=rule, radius=frame.radius)
    released = door.measure(sums, label=CELLS)
    rows, centres, within = cells_of_classes(
        sums.counts(released.values),
        sums.totals(released.values),
        owner,
        counts,
        covariances,
        stddev=float(np.max(released.stddev)) * frame.radius,
        bands=1 if frame.basis is None else BANDS,
    )
    centres = _adapted(door, frame, means[owner] + centres, within[owner], owner, rows, adapt, rng)
    label = {} if layout.label is None else {layout.label.name: layout.label}
    model = GaussianClasses(
        order=layout.order,
        label=None,
        weights=rows,
        code=frame.code,
        gaussians=LatentGaussians(
            offset=frame.origin, basis=frame.basis, means=centres, covariances=within[owner]
        ),
        tables={name: np.eye(layout.classes)[owner] for name in label},
        binnings={name: each_value(column) for name, column in label.items()},
    )
    return CellFit(model=model, rows=rows, owner=owner, least=least)


def cells_of_classes(
    counts: Floats,
    totals: Floats,
    owner: Whole,
    classes: Floats,
    covariances: Floats,
    *,
    stddev: float,
    bands: int = 1,
) -> tuple[Floats, Floats, Floats]:
    """Rows and centres of the cells (relative to their class's mean), and the spread left within them.

    Centres are pulled towards the class's mean by what noise explains, in as many bands of entries; what the
    centres of a class spread is taken from its covariance, and the rest is floored.
    """
    width = totals.shape[1]
    rows, centres = np.zeros(len(owner)), np.zeros((len(owner), width))
    within = np.array(np.broadcast_to(covariances, (len(classes), width, width)))
    for number, total in enumerate(classes):
        mine = np.flatnonzero(owner == number)
        members = np.maximum(counts[mine], 1.0)
        rows[mine] = members / members.sum() * total
        if len(mine) == 1:
            continue
        for place, size in zip(mine, members, strict=True):
            centres[place] = np.concatenate(
                [
                    pulled(part, towards=np.zeros(len(part)), variance=(stddev / size) ** 2)
                    for part in np.array_split(totals[place] / size, bands)
                ]
            )
        shares = rows[mine] / total
        centres[mine] -= shares @ centres[mine]
        between = (centres[mine] * shares[:, None]).T @ centres[mine]
        least = (FLOOR if bands == 1 else SMOOTH_FLOOR) * float(np.trace(within[number])) / width
        within[number] = floored(within[number] - between, least)
    return rows, centres, within


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
    shares = masses(histograms, float(np.max(released.stddev)))
    found = [centre_and_spread(column, mass) for column, mass in zip(layout.numbers, shares, strict=True)]
    centres, spreads = np.array(found).T
    return NumberCode(columns=layout.numbers, centres=centres, spreads=spreads, curved=True)


def _classes(door: Door, frame: Frame) -> tuple[Floats, Floats, Floats]:
    """Sizes, means and covariances of the classes."""
    sums = ClassSums(vectors=frame.vectors(), radius=frame.radius)
    released = door.measure(sums, label=SUMS)
    counts = class_counts(sums.counts(released.values))
    noise = float(np.max(released.stddev)) * frame.radius
    own = 1.0 if frame.basis is None else frame.radius**2 / frame.width
    means = class_means(sums.totals(released.values), counts, noise, own=own)

    scatter = ClassScatter(vectors=frame.vectors(means), radius=frame.radius)
    second = door.measure(scatter, label=SPREAD)
    matrices = scatter.matrices(second.values)
    if image_shape(door.schema) is not None:
        return counts, means, smooth_covariances(matrices, counts, float(np.max(second.stddev)))
    diagonals = np.array([np.diag(matrix) / rows for matrix, rows in zip(matrices, counts, strict=True)])
    pooled = np.maximum(counts @ diagonals / counts.sum(), 0.02 * own)
    doubt = np.asarray(second.stddev).max() / counts
    variances = np.array(
        [
            np.maximum(pulled(mine, towards=pooled, variance=float(d) ** 2), 0.1 * pooled)
            for mine, d in zip(diagonals, doubt, strict=True)
        ]
    )
    covariances = class_covariances(
        matrices, counts, float(np.min(second.stddev)), variances, pooled_variances=pooled
    )
    return counts, means, covariances


def smooth_covariances(matrices: Floats, counts: Floats, stddev: float) -> Floats:
    """Covariances in a basis ordered from smooth to rough: noise is taken out band by band.

    All rows' matrix is drawn towards zero, a class's towards all rows', by what noise explains in a band.
    """
    total = float(counts.sum())
    pooled = banded_signal(matrices.sum(axis=0) / total, len(counts) * (stddev / total) ** 2)
    floor = SMOOTH_FLOOR * float(np.trace(pooled)) / len(pooled)
    return np.array(
        [
            floored(pooled + banded_signal(own / rows - pooled, (stddev / rows) ** 2), floor)
            for own, rows in zip(matrices, counts, strict=True)
        ]
    )


def _sum_noise(door: Door, frame: Frame) -> float:
    """The noise of a cell's sum, in units of a vector's length: known before the cells are."""
    return door.count_noise(1, label=CELLS) * float(np.sqrt(frame.width))


def _adapted(
    door: Door,
    frame: Frame,
    centres: Floats,
    within: Floats,
    owner: Whole,
    rows: Floats,
    adapt: Stage,
    rng: np.random.Generator,
) -> Floats:
    """Move the centres."""
    drawn = rng.choice(len(owner), TARGETS, p=rows / rows.sum())
    variances = np.einsum("cii->ci", within)  # spread along the axes is enough to tell classes apart
    noise = rng.standard_normal((TARGETS, centres.shape[1])) * np.sqrt(variances)[drawn]
    vectors, label = frame.vectors(), frame.layout.label

    def rule(points: Floats) -> LikelyCentres:
        return LikelyCentres(
            owner=owner, weights=rows, centres=points, variances=variances,
            columns=vectors.columns, vectors=lambda encoded: vectors.of(encoded)[1],
        )  # fmt: skip

    released = Cells(
        points=centres,
        owner=owner,
        rows=rows,
        targets=centres[drawn] + noise,
        target_labels=owner[drawn],
        read=vectors.of,
        rule=rule,
        classes=None if label is None else each_value(label),
    )
    return moved_points(door, adapt, released, rng=rng)
