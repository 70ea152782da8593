"""DP-MERF (Harder, Adamczewski and Park 2021, arXiv:2002.11603): mean embeddings with random features.

Private: queries.embedding sums every row's features by class; queries.bins, if the scale is "quantiles";
queries.parent_scores, with `focus`.
Door: one Gaussian measurement (two with quantiles); with `focus` the exponential mechanism says which columns
get half of the weight.   Public: class sizes, denoised class means, a generator trained to have those means,
rows from it.   Guarantee: (epsilon, delta), both kinds of neighbours.   Differs from the paper: class sizes
are a constant feature of the same release; bandwidths come from public bounds; categories are one-hot; every
column also has harmonics of its own; class means drowned in noise are drawn towards the mean of all.
`published` is the authors' code with its holes (`published_merf`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.feature_choice import choose_features, expected_width
from triplea.approximate.embeddings.published_merf import REASONS, Embedded, classic_noise
from triplea.approximate.embeddings.published_table import PublishedTable
from triplea.approximate.embeddings.random_features import Features
from triplea.approximate.embeddings.schema_hints import (
    class_cells,
    class_column,
    coordinates_of,
    image_shape,
)
from triplea.errors import MethodError, MissingExtra
from triplea.methods._base import Cost, claiming, measuring
from triplea.methods._checks import check_cells, check_fraction, check_whole
from triplea.methods._merf import EMBEDDING, MerfMethod
from triplea.queries.bins import BinCounts
from triplea.queries.embedding import Embedding
from triplea.queries.marginals import Marginals
from triplea.queries.parent_scores import ParentScores, ScoreKind
from triplea.schema import Encoded, Schema

BINS = "bins of numeric columns"
SIZES = "class sizes"
FOCUS = "columns to focus on"
CLAIM = "DP-MERF as published"
MOST_QUANTILES = 40  # with more numeric columns than this, bins of each cost more than they tell


class DPMerf(MerfMethod):
    """Noisy class sums of random features, and a generator that has the same means."""

    name = "dp-merf"
    title = "DP-MERF"
    summary = "a generator trained on one noisy mean embedding; for wide numeric tables and images"
    variants = ("provable", "published")

    def __init__(
        self,
        *,
        features: int = 500,
        bandwidths: Sequence[float] | None = None,
        harmonics: int | None = None,
        turn: float = 0.0,
        scale: str = "auto",
        joint_share: float | None = None,
        count_share: float = 0.05,
        bins_share: float = 0.1,
        sizes_share: float = 0.0,
        focus: int = 0,
        focus_share: float = 0.6,
        most_bins: int = 32,
        noise: int = 10,
        hidden: Sequence[int] = (128, 128),
        steps: int = 1500,
        batch: int = 500,
        learning_rate: float = 0.01,
        undersampling: float = 1.0,
        max_cells: int = 20_000_000,
    ) -> None:
        self.features = features
        self.bandwidths = bandwidths
        self.harmonics = harmonics
        self.turn = turn
        self.scale = scale
        self.joint_share = joint_share
        self.count_share = count_share
        self.bins_share = bins_share
        self.sizes_share = sizes_share
        self.focus = focus
        self.focus_share = focus_share
        self.undersampling = undersampling
        self.most_bins = most_bins
        self.noise = noise
        self.hidden = hidden
        self.steps = steps
        self.batch = batch
        self.learning_rate = learning_rate
        self.max_cells = max_cells

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for the embedding; before it for bins, where the scale is made of quantiles.

        Class sizes are part of the embedding. With `sizes_share` they are asked for as well, as in the paper.
        """
        self._check(schema)
        if self.variant == "published":
            return claiming(CLAIM)
        asks = [measuring(budget, BINS, share=self.bins_share)] if self._quantiles(schema) else []
        if self.sizes_share and class_column(schema) is not None:
            asks.append(measuring(budget, SIZES, share=self.sizes_share))
        picks = self._picks(schema)
        if picks:
            asks.append(
                Ask(label=FOCUS, mechanism=Mechanism.EXPONENTIAL, share=self.focus_share, times=picks)
            )
        asks.append(measuring(budget, EMBEDDING, share=1.0 - self._shares))
        return Plan(asks=tuple(asks))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Release the embedding, read it, train the generator."""
        if self.variant == "published":
            return self._fit_published(door, rng)
        schema = door.schema
        coordinates = self._coordinates(door)
        focus = self._focused(door, coordinates)
        features = self._features(schema, coordinates, focus, rng)
        label, classes = class_cells(schema)
        query = Embedding(coordinates=coordinates, features=features, label=label, classes=classes)
        sizes = self._sizes(door)
        released = door.measure(query, label=EMBEDDING)
        self.train(
            query,
            released.values,
            released.stddev,
            schema=schema,
            outputs=coordinates,
            image=image_shape(schema),
            sizes=sizes,
            rng=rng,
        )
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """One pass with a product for every joint wave; then the generator's steps."""
        label = class_column(schema)
        classes = 1 if label is None else label.cells
        quantiles = self._quantiles(schema)
        width = expected_width(schema, quantiles=quantiles, harmonics=self.harmonics, features=self.features)
        seconds = 3 + 2e-8 * rows * width + self.steps * (2e-3 + 2e-8 * self.batch * width)
        mebibytes = 500 + classes * width * 40 / 2**20
        return Cost(seconds=seconds, mebibytes=mebibytes, cells=classes * width)

    def _fit_published(self, door: Door, rng: np.random.Generator) -> Self:
        """The authors' code: bandwidth, undersampling and embedding from the rows themselves."""
        from triplea.approximate.embeddings.published_merf_training import train_published

        table = PublishedTable(door.schema)
        noise = classic_noise(door.budget.epsilon, max(door.budget.delta, 1e-300), releases=2)

        def computation(rows: Encoded, chance: np.random.Generator) -> Embedded:
            return table.embedding(
                rows,
                chance,
                features=self.features,
                undersampling=self.undersampling,
                noise_multiplier=noise,
            )

        found = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        layers = train_published(
            found,
            width=len(table.names),
            numeric=table.numeric,
            noise=self.noise,
            steps=self.steps,
            batch=self.batch,
            rng=rng,
        )
        self.rows_, self.bandwidth_ = float(found.rows), found.bandwidth
        self.model_ = table.model(found, layers, noise=self.noise)
        return self

    def _coordinates(self, door: Door) -> MixedCoordinates:
        """Where columns live: numbers on a scale of equal cells, if that is asked for."""
        schema = door.schema
        if not self._quantiles(schema):
            return coordinates_of(schema, {})
        query = BinCounts(schema=schema, most=self.most_bins)
        released = door.measure(query, label=BINS)
        return coordinates_of(schema, query.choose(released.values, released.stddev))

    def _focused(self, door: Door, coordinates: MixedCoordinates) -> list[str]:
        """The discrete columns that depend most on the class, by the exponential mechanism."""
        label, classes = class_cells(door.schema)
        if label is None or classes is None:
            return []
        binnings = {label: classes, **coordinates.binnings}
        chosen: list[str] = []
        for _ in range(self._picks(door.schema)):
            candidates = [(label, name) for name in coordinates.discrete if name not in chosen]
            scores = ParentScores(kind=ScoreKind.R, candidates=candidates, binnings=binnings)
            chosen.append(candidates[door.choose(scores, label=FOCUS)][1])
        return chosen

    def _sizes(self, door: Door) -> tuple[np.ndarray, float] | None:
        """Class sizes by themselves and their noise, if they are asked for."""
        label, classes = class_cells(door.schema)
        if label is None or classes is None or not self.sizes_share:
            return None
        released = door.measure(Marginals(groups=[(label,)], binnings={label: classes}), label=SIZES)
        return released.values, float(np.max(released.stddev))

    def _features(
        self, schema: Schema, coordinates: MixedCoordinates, focus: list[str], rng: np.random.Generator
    ) -> Features:
        return choose_features(
            coordinates,
            quantiles=self._quantiles(schema),
            features=self.features,
            harmonics=self.harmonics,
            bandwidths=self.bandwidths,
            turn=self.turn,
            joint_share=self.joint_share,
            count_share=self.count_share,
            image=image_shape(schema) is not None,
            partner=next((p.number for p in coordinates.places if p.name == schema.target), None),
            focus=[place.block for place in coordinates.places if place.name in focus],
            rng=rng,
        )

    def _quantiles(self, schema: Schema) -> bool:
        needed = len(BinCounts(schema=schema).numeric) if schema.undiscovered == () else 1
        if self.scale == "auto":
            return 0 < needed <= MOST_QUANTILES and "image" not in schema.extras
        return self.scale == "quantiles" and needed > 0

    @property
    def _shares(self) -> float:
        """What the embedding leaves to other questions."""
        return self.bins_share + self.sizes_share + (self.focus_share if self.focus else 0.0)

    def _picks(self, schema: Schema) -> int:
        """How many columns to focus on: by kinds alone, which stay when bounds or categories are found."""
        discrete = [column.name for column in schema.columns if column.is_discrete]
        return min(self.focus, len(discrete) - 1) if schema.target in discrete else 0

    def _check(self, schema: Schema) -> None:
        if find_spec("jax") is None:
            raise MissingExtra(package="jax", extra="jax", purpose=f"method {self.name!r}")
        if self.scale not in ("auto", "bounds", "quantiles"):
            raise MethodError(
                f"parameter 'scale' must be one of auto, bounds, quantiles, got {self.scale!r}. Choose auto."
            )
        self._check_shares()
        self.check_features()
        if not 0.0 <= self.turn < np.inf:
            raise MethodError(f"parameter 'turn' must be a finite number of at least 0, got {self.turn!r}.")
        if self.harmonics is not None:
            check_whole("harmonics", self.harmonics, least=0, most=12)
        if image_shape(schema) is not None and self.variant == "published":
            raise MethodError("variant 'published' is for tables; for images choose variant 'provable'.")
        if not schema.undiscovered:
            check_cells(self.name, self.cost(schema, 0).cells, most=self.max_cells)

    def _check_shares(self) -> None:
        check_fraction("bins_share", self.bins_share)
        check_fraction("focus_share", self.focus_share)
        check_whole("focus", self.focus, least=0, most=100)
        if self.sizes_share != 0.0:
            check_fraction("sizes_share", self.sizes_share)
        if self._shares >= 1.0:
            raise MethodError(
                "parameters 'bins_share', 'sizes_share' and (with 'focus') 'focus_share' must add up to less "
                f"than 1, got {self._shares:g}. Lower one of them."
            )
        if not 0.0 < self.undersampling <= 1.0:
            raise MethodError(
                f"parameter 'undersampling' must lie above 0 and at most at 1, got {self.undersampling!r}. "
                "Choose 1.0 to keep all rows."
            )
