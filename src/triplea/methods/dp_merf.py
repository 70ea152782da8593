"""DP-MERF (Harder, Adamczewski and Park 2021, arXiv:2002.11603): mean embeddings with random features.

Private: queries.embedding sums every row's features by class; queries.bins, if the scale is "quantiles".
Door: one Gaussian measurement (two with quantiles).   Public: class sizes, denoised class means, a generator
trained to have those means, rows from it.   Guarantee: (epsilon, delta), both kinds of neighbours. Differs
from the paper: class sizes are a constant feature of the same release; bandwidths come from public bounds;
categories are one-hot; every column also has harmonics of its own; class means drowned in noise are drawn
towards the mean of all. `published` is the authors' code with its holes (`published_merf`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning, each_value
from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range
from triplea.approximate.embeddings.feature_choice import choose_features, harmonics_of, is_crowded
from triplea.approximate.embeddings.published_merf import REASONS, Embedded, classic_noise
from triplea.approximate.embeddings.published_table import PublishedTable
from triplea.approximate.embeddings.random_features import Features
from triplea.approximate.embeddings.schema_hints import class_column, image_shape, is_class
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
        focus_share: float = 0.4,
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
        if self._asks_sizes(schema):
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
        features = self._features(schema, coordinates, self._chosen_blocks(door, coordinates), rng)
        label = class_column(schema)
        classes = None if label is None else each_value(label)
        name = None if label is None else label.name
        query = Embedding(coordinates=coordinates, features=features, label=name, classes=classes)
        sizes = None
        if self._asks_sizes(schema) and name is not None and classes is not None:
            sizes = door.measure(Marginals(groups=[(name,)], binnings={name: classes}), label=SIZES)
        released = door.measure(query, label=EMBEDDING)
        self.train(
            query,
            released.values,
            released.stddev,
            schema=schema,
            outputs=coordinates,
            image=image_shape(schema),
            sizes=None if sizes is None else (sizes.values, float(np.max(sizes.stddev))),
            rng=rng,
        )
        return self

    def cost(self, schema: Schema, rows: int) -> Cost:
        """One pass with a product for every joint wave; then the generator's steps."""
        label = class_column(schema)
        numbers = len(schema.names) - sum(is_class(column) for column in schema.columns)
        one_hot = sum(c.cells for c in schema.columns if is_class(c) and c is not label)
        classes = 1 if label is None else label.cells
        quantiles = self._quantiles(schema)
        crowded = is_crowded(numbers, quantiles=quantiles, image="image" in schema.extras)
        waves = len(harmonics_of(self.harmonics, quantiles=quantiles, crowded=crowded))
        width = 1 + one_hot + 2 * numbers * waves + self.features
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
        schema = door.schema
        label = class_column(schema)
        discrete = [column.name for column in schema.columns if is_class(column)]
        if self._quantiles(schema):
            query = BinCounts(schema=schema, most=self.most_bins)
            released = door.measure(query, label=BINS)
            found = query.choose(released.values, released.stddev)
        else:
            found = {name: whole_range(schema, name) for name in schema.names}
        binnings: dict[str, Binning] = {}
        for column in schema.columns:
            if column is not label:
                binnings[column.name] = each_value(column) if is_class(column) else found[column.name]
        return MixedCoordinates(binnings=binnings, discrete=discrete)

    def _chosen_blocks(self, door: Door, coordinates: MixedCoordinates) -> list[int]:
        """The discrete columns that depend most on the label, by the exponential mechanism."""
        label, picks = class_column(door.schema), self._picks(door.schema)
        if label is None or not picks:
            return []
        binnings = {label.name: each_value(label), **coordinates.binnings}
        left = {place.name: place.block for place in coordinates.places if place.number is None}
        chosen: list[int] = []
        for _ in range(picks):
            candidates = [(label.name, name) for name in left]
            scores = ParentScores(kind=ScoreKind.R, candidates=candidates, binnings=binnings)
            block = left.pop(candidates[door.choose(scores, label=FOCUS)][1])
            chosen.append(int(block or 0))
        return chosen

    def _features(
        self, schema: Schema, coordinates: MixedCoordinates, focus: list[int], rng: np.random.Generator
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
            focus=focus,
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
        label = class_column(schema)
        discrete = sum(is_class(column) for column in schema.columns)
        return 0 if label is None else min(self.focus, discrete - 1)

    def _asks_sizes(self, schema: Schema) -> bool:
        return self.sizes_share > 0.0 and class_column(schema) is not None

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
