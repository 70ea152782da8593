"""One set of examples for every concrete query. A new query without an entry here fails the contracts.

`EXAMPLES` maps a query class to a function that builds instances for the mixed schema of
`tests.support.tables`; every contract runs over all of them. `SCORES` does the same for `door.choose`.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import combinations, product

import numpy as np

import triplea
from tests.contracts.number_examples import (
    cluster_sums,
    grouped_vectors,
    moment_examples,
    number_vectors,
    projection_examples,
    scatter_examples,
)
from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.embeddings.random_features import draw_features
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.ball_mixtures import BallMixtures
from triplea.approximate.mixtures.class_rules import LikelyCentres, LikelyTables
from triplea.approximate.mixtures.crossed_weights import CrossedWeights
from triplea.approximate.mixtures.outcomes import Outcomes
from triplea.approximate.mixtures.row_cells import HashedCells, LikelyCells, WholeClasses
from triplea.approximate.networks.ball_codes import BallCoder
from triplea.approximate.networks.dense import dense_layers
from triplea.queries import (
    CellSums,
    Counts,
    DyadicCounts,
    MagnitudeCounts,
    Marginals,
    Scores,
    Stacked,
    SumQuery,
)
from triplea.queries.bins import BinCounts
from triplea.queries.cell_tables import CellTables
from triplea.queries.class_moments import (
    CentredScatter,
    ClassMoments,
    ProjectionCounts,
)
from triplea.queries.class_numbers import ClassSquares, ClassSums, LengthCounts
from triplea.queries.cluster_sums import ClusterSums
from triplea.queries.embedding import Embedding
from triplea.queries.leaf_counts import ColumnTrees, LeafCounts
from triplea.queries.mixture_moments import MixtureMoments
from triplea.queries.parent_scores import ParentScores, ScoreKind
from triplea.queries.pooled_counts import PooledCounts
from triplea.queries.right_classes import Hits, RightClasses
from triplea.queries.scatter import ClassScatter
from triplea.queries.table_errors import TableErrors
from triplea.queries.teacher_residuals import TeacherResiduals
from triplea.queries.values import ValueCounts, candidate_values
from triplea.queries.votes import CellTeachers, Votes
from triplea.schema import Encoded, Schema

BOUNDED = ("visits", "age", "cents", "score", "dose", "fixed", "born", "seen")


def binnings(schema: Schema) -> dict[str, Binning]:
    return {
        column.name: each_value(column) if column.is_discrete else equal_width(column, 7)
        for column in schema.columns
    }


class WildSums(CellSums):
    """A clipped sum whose vectors and cells are as bad as a careless method could make them."""

    def __init__(self, *, factor: float) -> None:
        super().__init__(columns=("age", "score", "dose"), cells=3, width=4, clip_norm=0.7)
        self.factor = factor

    def vectors(self, rows: Encoded) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(all="ignore"):
            age, score, dose = (rows[name].astype(float) for name in self.columns)
            entries = np.stack([score * self.factor, np.tan(age), dose**9 * self.factor, age / dose], axis=1)
        return rows["age"].astype(np.int64) % 5 - 1, entries


class NearestValue(Scores):
    """Which of four ages is most common? A score is one count, so a row moves it by at most one."""

    proof = "docs/proofs/choose.md"
    row_bound = swap_bound = 1.0
    size = 4

    def __init__(self, schema: Schema) -> None:
        self.sums = ValueCounts(column=schema.column("age"), candidates=np.array([0, 1, 50, 120]))

    def scores(self, units: np.ndarray) -> np.ndarray:
        return units.astype(float)


def embeddings(schema: Schema) -> list[Embedding]:
    """With classes and without, with one and several intervals, with waves that categories turn."""
    found = []
    for label, turn, joint in (("sick", 1.0, 6), ("ward", 0.0, 3), (None, 2.0, 5)):
        names = [column.name for column in schema.columns if column.name != label]
        cells = {name: binnings(schema)[name] for name in names}
        discrete = [name for name in names if schema.column(name).is_discrete]
        coordinates = MixedCoordinates(binnings=cells, discrete=discrete)
        features = draw_features(
            coordinates,
            harmonics=(1.0, 2.0),
            joint=joint,
            bandwidths=(0.1, 1.0),
            turn=turn,
            joint_share=0.4,
            count_share=0.1,
            rng=np.random.default_rng(0),
        )
        classes = None if label is None else each_value(schema.column(label))
        found.append(Embedding(coordinates=coordinates, features=features, label=label, classes=classes))
    return found


def mixture_examples(schema: Schema) -> list[MixtureMoments]:
    """Groups by a label and without one; the blank mixture, a sharp one, and encoders that saturate."""
    found, code = [], RowCode(binnings(schema))
    for label, components, stretch in (("sick", 3, 1.0), (None, 1, 1e30), ("ward", 2, 50.0)):
        rng = np.random.default_rng(5)
        groups = 1 if label is None else code.binnings[label].cells
        encoders = [dense_layers("encoder", (code.layout.width, 6, 4), rng=rng) for _ in range(groups)]
        wild = [
            {name: (stretch * weights, biases) for name, (weights, biases) in layers.items()}
            for layers in encoders
        ]
        blank = BallMixtures.blank(groups, components, 4)
        sharp = BallMixtures(
            shares=blank.shares,
            means=rng.uniform(-0.5, 0.5, blank.means.shape),
            covariances=2e-3 * blank.covariances,
        )
        coder = BallCoder(code=code, label=label, encoders=wild)
        found += [MixtureMoments(coder=coder, mixtures=mixtures) for mixtures in (blank, sharp)]
    return found


def cell_tables(schema: Schema) -> list[CellTables]:
    """Cells by likelihood, by a hash, and one per class; with classes and without."""
    cells, rng = binnings(schema), np.random.default_rng(4)
    features = [name for name in schema.names if name != "sick"]
    owner = np.repeat(np.arange(cells["sick"].cells), 3)
    tables = {name: rng.random((len(owner), cells[name].cells)) for name in features}
    rules = (
        (LikelyCells(owner=owner, weights=rng.random(len(owner)), tables=tables), "sick"),
        (HashedCells(owner=owner, key=7), "sick"),
        (HashedCells(owner=np.zeros(4, dtype=np.int64), key=8), None),
        (WholeClasses(classes=1), "sick"),  # rows of other classes count nothing
    )
    return [CellTables(cells=c, label=label, features=features, binnings=cells) for c, label in rules]


def class_rules(schema: Schema) -> list[LikelyTables | LikelyCentres]:
    """Rules by tables and by centres."""
    cells, rng = binnings(schema), np.random.default_rng(6)
    owner, weights, vectors = np.array([0, 0, 1, 1]), rng.random(4), number_vectors(schema)[0]
    tables = {name: rng.random((4, cells[name].cells)) for name in ("ward", "score", "born")}
    centres = rng.normal(size=(4, vectors.width))
    return [
        LikelyTables(owner=owner, weights=weights, tables=tables, binnings=cells),
        LikelyCentres(
            owner=owner, weights=weights, centres=centres, variances=np.ones_like(centres),
            columns=vectors.columns, vectors=lambda rows: vectors.of(rows)[1],
        ),
    ]  # fmt: skip


def right_classes(schema: Schema) -> list[RightClasses]:
    classes, weights = binnings(schema)["sick"], np.linspace(1.0, 0.3, binnings(schema)["sick"].cells)
    return [RightClasses(rules=class_rules(schema), label="sick", classes=classes, weights=weights)]


def residual_examples(schema: Schema) -> list[TeacherResiduals]:
    """Teachers that are undecided, lively and absurdly sure, of classes or on a scale; by pairs too."""
    found = []
    for label, strength in (("sick", 0.0), ("ward", 2.0), ("sick", 1e300)):
        names = [name for name in schema.names if name != label]
        cells = binnings(schema)
        offsets = np.concatenate([[0], np.cumsum([cells[name].cells for name in names])]).astype(int)
        rng = np.random.default_rng(7)
        weights = strength * rng.normal(size=(int(offsets[-1]), cells[label].cells))
        classes = cells[label].cells
        crossed = CrossedWeights.nothing(
            np.array(list(combinations(range(len(names)), 2))), np.arange(len(weights)) % 3, offsets, classes
        )
        crossed.weights[:] = strength * rng.normal(size=crossed.weights.shape)
        teacher = AdditiveTeacher(weights=weights, bias=np.zeros(classes), offsets=offsets, crossed=crossed)
        asked = {"teacher": teacher, "features": names, "label": label, "binnings": cells}
        scale = Outcomes.on_scale(np.linspace(1.0, 2.0, classes), missing=label == "ward")
        for outcomes, pairs in product((None, scale), (False, True)):
            found.append(TeacherResiduals(**asked, crossed=pairs, outcomes=outcomes))
    return found


EXAMPLES: dict[type[SumQuery], Callable[[Schema], Sequence[SumQuery]]] = {
    DyadicCounts: lambda schema: [
        DyadicCounts(column=schema.column(name), levels=levels)
        for name in BOUNDED
        for levels in ((1,), (1, 2, 3), (7,))
    ],
    MagnitudeCounts: lambda schema: [
        MagnitudeCounts(column=name, offset=offset)
        for name, offset in (("cents", -(2**40)), ("age", 0), ("score", 0), ("seen", 0))
    ],
    ValueCounts: lambda schema: [
        ValueCounts(column=schema.column(name), candidates=candidate_values(schema.column(name), most=2**12))
        for name in BOUNDED
    ],
    Marginals: lambda schema: [
        Marginals(groups=[(name,) for name in schema.names], binnings=binnings(schema)),
        Marginals(
            groups=[("sick", name) for name in schema.names if name != "sick"], binnings=binnings(schema)
        ),
        Marginals(groups=[("ward", "score", "born")], binnings=binnings(schema), scales=[3.0]),
        Marginals(
            groups=[("age",), ("age",), ("fixed", "seen")], binnings=binnings(schema), scales=[0.1, 1, 9]
        ),
    ],
    LeafCounts: lambda schema: [
        LeafCounts(column=name, leaves=leaves_of(schema.column(name)), lengths=lengths)
        for name in BOUNDED
        for lengths in ((1,), (256, 16, 1))
    ],
    ColumnTrees: lambda schema: [
        ColumnTrees(
            leaves={column.name: leaves_of(column) for column in schema.columns},
            ordered={column.name: not column.is_discrete for column in schema.columns},
        )
    ],
    Stacked: lambda schema: [
        Stacked(
            parts=[
                DyadicCounts(column=schema.column("score"), levels=(1, 2)),
                MagnitudeCounts(column="score"),
                Marginals(groups=[("ward",), ("ward", "grade")], binnings=binnings(schema)),
            ],
            scales=[0.5, 2.0, 1.0],
        )
    ],
    ClassMoments: moment_examples,
    MixtureMoments: mixture_examples,
    CentredScatter: scatter_examples,
    ProjectionCounts: projection_examples,
    BinCounts: lambda schema: [BinCounts(schema=schema), BinCounts(schema=schema, most=5)],
    CellTables: cell_tables,
    Hits: lambda schema: [Hits(rules=class_rules(schema), label="sick", classes=binnings(schema)["sick"])],
    ClusterSums: cluster_sums,
    Embedding: embeddings,
    TeacherResiduals: residual_examples,
    ClassSums: lambda schema: [
        ClassSums(vectors=v, radius=r) for v in grouped_vectors(schema) for r in (0.7, 9.0)
    ],
    ClassSquares: lambda schema: [ClassSquares(vectors=v, clip_norm=2.0) for v in grouped_vectors(schema)],
    LengthCounts: lambda schema: [LengthCounts(vectors=v) for v in grouped_vectors(schema)],
    ClassScatter: lambda schema: [
        ClassScatter(vectors=v, radius=r, pooled=pooled)
        for v in grouped_vectors(schema)
        for r, pooled in ((0.7, False), (5.0, True), (3.0, False))
    ],
    PooledCounts: lambda schema: [
        PooledCounts(columns=[schema.column("score"), schema.column("score")], depth=3),
        PooledCounts(columns=[schema.column("dose")], depth=12),
    ],
    WildSums: lambda schema: [WildSums(factor=factor) for factor in (1e-320, 0.3, 1.0, 1e308, np.inf)],
}
SCORES: dict[type[Scores], Callable[[Schema], Sequence[Scores]]] = {
    TableErrors: lambda schema: [
        TableErrors(
            guesses={
                group: np.full(binnings(schema)[group[0]].cells, level) for group in [("ward",), ("sick",)]
            },
            binnings=binnings(schema),
            handicaps=handicaps,
        )
        for level, handicaps in ((0.0, None), (7.3, [1e6, -2.0]))
    ],
    NearestValue: lambda schema: [NearestValue(schema)],
    RightClasses: right_classes,
    ParentScores: lambda schema: [
        ParentScores(kind=kind, candidates=candidates, binnings=binnings(schema))
        for kind, candidates in (
            (ScoreKind.R, [("ward", "sick"), ("ward", "born", "score"), ("visits",)]),
            (ScoreKind.I, [("ward", "sick"), ("ward", "born", "score"), ("visits",)]),
            (ScoreKind.F, [("ward", "sick"), ("grade", "visits", "sick")]),
        )
    ],
}


def cell_teachers(schema: Schema) -> Sequence[Votes]:
    """With a label of two classes and without; one teacher, few and many."""
    rng, cells = np.random.default_rng(5), binnings(schema)
    some = {name: rng.integers(0, binning.cells, 60) for name, binning in cells.items()}
    asked = {name: part[:9] for name, part in some.items()}
    return [
        CellTeachers(binnings=cells, label=label, generated=some, asked=asked, teachers=teachers, key=7)
        for label, teachers in (("sick", 3), (None, 1), ("ward", 50))
    ]


VOTES: dict[type[Votes], Callable[[Schema], Sequence[Votes]]] = {CellTeachers: cell_teachers}


def load_everything() -> None:
    """Import all modules of the package, so that every subclass is known. Optional parts may be absent."""
    for module in pkgutil.walk_packages(triplea.__path__, "triplea."):
        if module.name.startswith(
            ("triplea.queries", "triplea.methods", "triplea.anonymize", "triplea.adapt")
        ):
            import_module(module.name)


def concrete(kind: type) -> Iterator[type]:
    """All subclasses, at any depth, that can be built."""
    for child in kind.__subclasses__():
        if not inspect.isabstract(child):
            yield child
        yield from concrete(child)


def in_package(kind: type) -> list[type]:
    """Concrete subclasses that the package itself defines (tests plant bad ones of their own)."""
    load_everything()
    return sorted(
        {k for k in concrete(kind) if k.__module__.startswith("triplea.")}, key=lambda k: k.__qualname__
    )


__all__ = ["EXAMPLES", "SCORES", "VOTES", "Counts", "in_package"]
