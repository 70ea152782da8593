"""MC-GEN (Li, Zhuang and Chang, 2023): clusters of features, clusters of rows, and a Gaussian in each.

Private: queries.class_moments counts, sums and multiplies out.   Door: second moments by class (from which
feature sets and directions follow), counts along those directions (from which cells follow), then count, sum
and second moment of every cell.   Public: linkage, Davies-Bouldin, positive-semidefinite repair, sampling.
Guarantee: (epsilon, delta), proved; Gaussian noise, or Laplace where delta = 0.
Differs from the paper: cells come from released values and not from MDAV on the rows; class sizes are noisy;
sets are joined within a class and not row by row. `published` is the paper's algorithm: claimed, not proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.cell_fit import (
    NoisyMoments,
    class_covariances,
    fit_sets,
    join_measurements,
    pooled_covariance,
)
from triplea.approximate.gaussians.feature_sets import between_columns, correlations, feature_sets
from triplea.approximate.gaussians.gaussian_cells import GaussianCells
from triplea.approximate.gaussians.mdav_gaussians import gaussians_of_groups
from triplea.approximate.gaussians.partition import ProjectionTree, quantile_cuts, random_tree, slabs
from triplea.errors import MethodError
from triplea.methods._base import Cost, Method, claiming, measuring
from triplea.methods._checks import check_cells, check_fraction
from triplea.queries.class_moments import Classes, ClassMoments, ProjectionCounts, classes_of, features_of
from triplea.queries.moments import CellMoments
from triplea.schema import Schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SETS = "second moments by class"
CUTS = "counts along directions"
CELLS = "moments of cells"
WHOLE = "mc-gen as printed"
CUT_BINS = 64
WEIGHTS = (0.05, 0.45, 0.5)  # of counts, sums and second moments
REASONS = (
    "MDAV groups rows by looking at all of them: one row can regroup everybody, and then cluster means move "
    "far more than the assumed 2d/k.",
    "Feature sets and their number are chosen on the raw rows.",
    "Class sizes, cluster sizes and the row positions that join the feature sets are used exactly.",
)


class McGen(Method):
    """Multi-level clustering with Gaussian generators; `ifs=False` is the paper's NoIFS."""

    name = "mc-gen"
    title = "MC-GEN"
    summary = "feature sets and clusters with a Gaussian in each, per class; for numeric tables"
    variants = ("provable", "published")
    claim = "provable: (epsilon, delta), proved; published: epsilon, claimed"

    def __init__(
        self,
        *,
        ifs: bool = True,
        groups: Sequence[Sequence[str]] | None = None,
        cluster_share: float = 1.0,
        partition: str = "released",
        sets_share: float = 0.2,
        cuts_share: float = 0.1,
        max_cells: int = 2_000_000,
    ) -> None:
        self.ifs = ifs
        self.groups = groups
        self.cluster_share = cluster_share
        self.partition = partition
        self.sets_share = sets_share
        self.cuts_share = cuts_share
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for moments by class, counts along directions and moments of cells, as far as needed."""
        self._check(schema)
        if self.variant == "published":
            return claiming(WHOLE)
        first = [measuring(budget, SETS, share=self.sets_share)] if self._needs_first(schema) else []
        cuts = [measuring(budget, CUTS, share=self.cuts_share)] if self._needs_cuts else []
        rest = 1.0 - sum(ask.share for ask in (*first, *cuts))
        return Plan(asks=(*first, *cuts, measuring(budget, CELLS, share=rest)))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Release feature sets, cells and moments; fit a Gaussian to every cell."""
        if self.variant == "published":
            return self._fit_as_printed(door)
        code = VectorCode(door.schema, features_of(door.schema))
        classes = classes_of(door.schema)
        norm: Literal["L1", "L2"] = "L2" if door.budget.delta > 0 else "L1"
        first = None
        if self._needs_first(door.schema):
            query = ClassMoments(
                code=code, classes=classes, sets=[np.arange(code.width)], weights=WEIGHTS, norm=norm
            )
            first = _measure(door, query, SETS)[0]
        sets = self._sets(code, first)
        trees = self._trees(door, code, classes, sets, first, rng)
        query = ClassMoments(
            code=code,
            classes=classes,
            sets=sets,
            trees=trees,
            leaves=self.leaves if trees is not None else 1,
            weights=WEIGHTS,
            norm=norm,
        )
        moments = join_measurements(_measure(door, query, CELLS), first, sets, classes=classes.size)
        fitted = fit_sets(code, sets, moments, classes=classes.size, rng=rng)
        totals = np.maximum(moments[0].count.reshape(classes.size, -1).sum(axis=1), 1.0)
        self.rows_ = float(totals.sum())
        label = (
            None if classes.column is None or classes.binning is None else (classes.column, classes.binning)
        )
        self.model_ = GaussianCells(code=code, label=label, classes=totals, sets=fitted)
        self.notes_ = (f"feature sets: {len(sets)}; cells per set and class: {query.leaves}",)
        return self

    @property
    def leaves(self) -> int:
        """Cells per feature set and class: clusters of a share k of the rows are 1/k in number."""
        return max(1, round(1.0 / self.cluster_share))

    def _sets(self, code: VectorCode, first: NoisyMoments | None) -> list[Whole]:
        """Feature sets as lists of entries: given, all in one (NoIFS), or from released correlations."""
        everything = [np.arange(code.width)]
        if not self.ifs or code.width == 0:
            return everything
        if self.groups is not None:
            place = {block.column.name: number for number, block in enumerate(code.filled)}
            listed = [[place[name] for name in group if name in place] for group in self.groups]
            left = sorted(set(place.values()) - {number for group in listed for number in group})
            columns = [np.array(group) for group in [*listed, left] if group]
            return [np.flatnonzero(np.isin(code.owner, group)) for group in columns]
        if first is None:
            return everything
        correlation = between_columns(correlations(pooled_covariance(first)), code.owner)
        columns = feature_sets(correlation)
        return [np.flatnonzero(np.isin(code.owner, group)) for group in columns]

    def _trees(
        self,
        door: Door,
        code: VectorCode,
        classes: Classes,
        sets: Sequence[Whole],
        first: NoisyMoments | None,
        rng: np.random.Generator,
    ) -> list[list[ProjectionTree]] | None:
        """Cut every set and class into cells of about equal size along its main direction, or at random."""
        if self.leaves == 1:
            return None
        if self.partition == "random" or first is None:
            return [
                [random_tree(len(entries), self.leaves, rng=rng) for _ in range(classes.size)]
                for entries in sets
            ]
        covariances, means = class_covariances(first)
        directions, edges = [], []
        for entries in sets:
            found = [_main_direction(cov[np.ix_(entries, entries)]) for cov in covariances]
            spread = np.array([np.sqrt(max(value, 1e-4)) for _, value in found])
            directions.append(np.array([vector for vector, _ in found]))
            middle = np.einsum("cd,cd->c", means[:, entries], directions[-1])
            edges.append(np.linspace(middle - 3 * spread, middle + 3 * spread, CUT_BINS + 1, axis=1))
        query = ProjectionCounts(code=code, classes=classes, sets=sets, directions=directions, edges=edges)
        counts = query.split(door.measure(query, label=CUTS).values)
        return [
            [
                slabs(direction[c], quantile_cuts(part.reshape(classes.size, -1)[c], edge[c], self.leaves))
                for c in range(classes.size)
            ]
            for direction, edge, part in zip(directions, edges, counts, strict=True)
        ]

    def _fit_as_printed(self, door: Door) -> Self:
        code, classes = VectorCode(door.schema, features_of(door.schema)), classes_of(door.schema)
        model, rows = door.as_claimed(
            lambda table, noise: gaussians_of_groups(
                code.encode(table),
                classes.assign(table, len(code.encode(table))),
                classes=classes.size,
                code=code,
                ifs=self.ifs,
                cluster_share=self.cluster_share,
                epsilon=door.budget.epsilon,
                noise=noise,
            ),
            label=WHOLE,
            reasons=REASONS,
        )
        label = (
            None if classes.column is None or classes.binning is None else (classes.column, classes.binning)
        )
        self.model_ = GaussianCells(code=code, label=label, **model)
        self.rows_ = rows
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Three passes over the rows; memory for second moments by class and cell."""
        width, classes = VectorCode(schema, features_of(schema)).width, classes_of(schema).size
        cells = classes * self.leaves * (1 + width + width * (width + 1) // 2)
        seconds = 1.0 + 1e-9 * rows * width * width + 2e-7 * cells
        return Cost(seconds=seconds, mebibytes=250 + 60 * cells / 2**20, cells=cells)

    def _needs_first(self, schema: Schema) -> bool:
        width = VectorCode(schema, features_of(schema)).width
        finds_sets = self.ifs and self.groups is None and width > 0
        return finds_sets or self._needs_cuts

    @property
    def _needs_cuts(self) -> bool:
        return self.leaves > 1 and self.partition == "released"

    def _check(self, schema: Schema) -> None:
        if not 0.0 < self.cluster_share <= 1.0:
            raise MethodError(
                f"parameter 'cluster_share' must lie above 0 and at most 1, got {self.cluster_share!r}. It "
                "is the size k of a cluster as a share of the rows: 1 puts all rows of a class into one."
            )
        if self.partition not in ("released", "random"):
            raise MethodError(
                f"parameter 'partition' must be one of released, random, got {self.partition!r}."
            )
        for option in ("sets_share", "cuts_share"):
            check_fraction(option, getattr(self, option))
        if self.sets_share + self.cuts_share >= 1.0:
            raise MethodError(
                "parameters 'sets_share' and 'cuts_share' must add up to less than 1, got "
                f"{self.sets_share + self.cuts_share:g}. Lower one of them."
            )
        self._check_groups(schema)
        check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)

    def _check_groups(self, schema: Schema) -> None:
        groups = self.groups if self.groups is not None else ()
        if not isinstance(groups, list | tuple) or not all(
            isinstance(group, list | tuple) for group in groups
        ):
            raise MethodError(
                f"parameter 'groups' must be a list of lists of features, got {groups!r}. "
                "Leave it out to find the groups."
            )
        named = [name for group in groups for name in group]
        for name in named:
            if name not in features_of(schema):
                raise MethodError(
                    f"parameter 'groups' names {name!r}, which is no feature. Features: "
                    f"{', '.join(features_of(schema))}."
                )
        if len(named) != len(set(named)):
            twice = next(name for name in named if named.count(name) > 1)
            raise MethodError(f"parameter 'groups' names {twice!r} twice, allowed is once. Remove one.")


def _measure(door: Door, query: CellMoments, label: str) -> list[NoisyMoments]:
    released = door.measure(query, label=label)
    noise = query.split(np.broadcast_to(np.asarray(released.stddev, dtype=float), query.shape))
    parts = []
    for moments, spread in zip(query.split(released.values), noise, strict=True):
        assert moments.count is not None and moments.total is not None and moments.second is not None
        assert spread.count is not None and spread.total is not None and spread.second is not None
        parts.append(
            NoisyMoments(
                count=moments.count,
                total=moments.total,
                second=moments.second,
                count_noise=float(spread.count.max()),
                total_noise=float(spread.total.max(initial=0.0)),
                second_noise=float(spread.second.max(initial=0.0)),
            )
        )
    return parts


def _main_direction(covariance: Floats) -> tuple[Floats, float]:
    values, vectors = np.linalg.eigh(covariance)
    return vectors[:, -1], float(values[-1])
