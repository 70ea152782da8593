"""What the methods with networks share: cells for every column, their noisy shares, and a noisy row count."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.mixtures.denoise import class_tables, combine_totals
from triplea.approximate.networks.compiled import require_jax
from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.errors import MethodError
from triplea.methods._base import Cost, Method, claiming
from triplea.methods._checks import check_positive, check_whole
from triplea.queries.bins import BinCounts, needs_bins
from triplea.queries.marginals import Marginals
from triplea.schema import Encoded, Schema, len_of

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

BINS = "bins of numeric columns"
COUNTS = "counts"
MOST_CLASSES = 20  # a target of at most so many cells is counted together with every other column
BINS_SHARE, COUNTS_SHARE = 0.06, 0.10
WIDEST, LEAST_BINS = 4_000, 4  # a row of more entries costs time and has more noise than signal


@dataclass(frozen=True, kw_only=True)
class Counted:
    """What is known before training: how rows are coded, the shares of every column's cells, the row count.

    With a `label`, `joint` holds the shares of (class, cell) pairs, flat; without one, those of cells.
    """

    code: RowCode
    label: str | None
    joint: dict[str, np.ndarray]
    rows: float

    @classmethod
    def blank(
        cls, code: RowCode, *, rows: int, label: str | None = None, classes: np.ndarray | None = None
    ) -> Counted:
        """Nothing known but the code, a row count and perhaps the shares of classes."""
        flat = {name: np.full(binning.cells, 1.0 / binning.cells) for name, binning in code.binnings.items()}
        if label is not None and classes is not None:
            flat[label] = classes
        return cls(code=code, label=label, joint=flat, rows=float(max(rows, 1)))

    @property
    def by_class(self) -> bool:
        """Whether shares are known class by class, that is, as pairs."""
        return self.label is not None and len(self.joint[self.label]) > self.code.binnings[self.label].cells

    @property
    def shares(self) -> dict[str, np.ndarray]:
        """The shares of every column's cells."""
        return {
            name: part.reshape(-1, self.code.binnings[name].cells).sum(axis=0)
            for name, part in self.joint.items()
        }


class NetworkMethod(Method):
    """Counts of single columns first, then networks under DP-SGD."""

    claimed: ClassVar[str]  # what the published variant calls its one claim

    most_bins: int
    training_share = 1.0 - BINS_SHARE - COUNTS_SHARE

    @abstractmethod
    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """The training runs, with shares that add up to what the counts leave."""

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Bins, where a column needs them, counts and training; or, as published, one claim."""
        require_jax(f"method {self.name!r}")
        check_whole("most_bins", self.most_bins, least=2, most=512)
        for name, value in self.get_params().items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                check_positive(name, value)
        if budget.delta == 0:
            raise MethodError(
                f"method {self.name!r} trains with Gaussian noise and needs delta above 0, got delta=0. "
                "Set delta well below one over the number of rows, for example 1e-6."
            )
        trainings = self.trainings(schema)
        if self.variant == "published":
            return claiming(self.claimed)
        bins = BinCounts(schema=schema, most=bins_for(schema, self.most_bins))
        first = [Ask(label=BINS, mechanism=Mechanism.GAUSSIAN, share=BINS_SHARE)] if bins.needed else []
        counts = Ask(label=COUNTS, mechanism=Mechanism.GAUSSIAN, share=COUNTS_SHARE)
        return Plan(asks=(*first, counts, *trainings))

    def count(self, door: Door) -> Counted:
        """Ask for bins and counts."""
        bins = BinCounts(schema=door.schema, most=bins_for(door.schema, self.most_bins))
        if bins.needed:
            released = door.measure(bins, label=BINS)
            binnings = bins.choose(released.values, released.stddev)
        else:
            binnings = bins.choose(np.zeros(0), 0.0)
        label = self._label(door.schema, binnings)
        features = [name for name in door.schema.names if name != label]
        groups = [(label, name) for name in features] if label else [(name,) for name in features]
        query = Marginals(groups=groups, binnings=binnings)
        counts = door.measure(query, label=COUNTS)
        classes = binnings[label].cells if label else 1
        tables = [table.reshape(classes, -1) for table in query.tables(counts.values).values()]
        spread = float(np.max(counts.stddev))
        totals = combine_totals(tables, [spread] * len(tables))
        self.rows_ = float(totals.sum())
        joint = {
            name: class_tables(table, totals, spread).ravel() / self.rows_
            for name, table in zip(features, tables, strict=True)
        }
        if label:
            joint[label] = np.diag(totals / self.rows_).ravel()
        ordered = {name: joint[name] for name in door.schema.names}
        return Counted(code=RowCode(binnings), label=label, joint=ordered, rows=self.rows_)

    def _label(self, schema: Schema, binnings: dict[str, Binning]) -> str | None:
        """The target, where it has few classes and is not the only column."""
        target = schema.target
        alone = len(schema.names) == 1
        return None if target is None or alone or binnings[target].cells > MOST_CLASSES else target

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Time grows with rows x steps x the network's size; memory holds all encoded rows."""
        width = self.width(schema)
        seen = sum((ask.sampling_rate or 0.0) * rows * (ask.steps or 0) for ask in self.trainings(schema))
        steps = sum(ask.steps or 0 for ask in self.trainings(schema))
        seconds = 6.0 + 1e-8 * width * seen + 4e-6 * width * steps
        return Cost(seconds=seconds, mebibytes=600 + 8 * width * rows / 2**20, cells=2 * width)

    def width(self, schema: Schema) -> int:
        """About how many entries a coded row has."""
        bins = bins_for(schema, self.most_bins)
        most = {c.name: c.cells if c.is_discrete else bins for c in schema.columns}
        return sum(1 if cells == 2 else cells for cells in most.values())


class OneRunMethod(NetworkMethod):
    """Counts and one training run; as published, one claim about another training of the same networks."""

    variants = ("provable", "published")
    training: ClassVar[str]
    reasons: ClassVar[tuple[str, ...]]

    steps: int
    sampling_rate: float

    @abstractmethod
    def run_of(self, counted: Counted, rng: np.random.Generator) -> Descent:
        """The training run."""

    @abstractmethod
    def model_of(self, counted: Counted, run: Descent, layers: Layers, public: Any) -> LatentRows:
        """The model, from the trained layers and the public state of a run."""

    @abstractmethod
    def train_as_published(
        self, run: Descent, rows: np.ndarray, *, budget: Budget, generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[Layers, Any]:  # fmt: skip
        """Train on coded rows as the paper or its code does."""

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """One run."""
        del schema
        return (self._training(),)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count and train."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        if not counted.code.layout.width:  # every column has one value: there is nothing to learn
            self.model_ = LatentRows(layers={}, noise=1, binnings=counted.code.binnings)
            return self
        run = self.run_of(counted, rng)
        trained = door.descend(run, label=self.training)
        self.model_ = self.finished(self.model_of(counted, run, trained.layers, trained.public), counted, rng)
        return self

    def finished(self, model: LatentRows, counted: Counted, rng: np.random.Generator) -> LatentRows:
        """What a provable variant does with the trained model; nothing, unless a method says so."""
        del counted, rng
        return model

    def claimed_noise(self, budget: Budget) -> float:
        """The noise multiplier that would give the budget if the claim were true."""
        return claimed_noises((self._training(),), budget)[0]

    def known_as_published(self, code: RowCode, rows: Encoded, label: str | None) -> Counted:
        """What a published training knows beforehand: the row count as it is, and public cells."""
        del label
        return Counted.blank(code, rows=len_of(rows))

    def _training(self) -> Ask:
        return Ask(
            label=self.training, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=self.training_share,
            sampling_rate=self.sampling_rate, steps=self.steps,
        )  # fmt: skip

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        code = public_code(door.schema, bins_for(door.schema, self.most_bins))
        label = self._label(door.schema, code.binnings)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[int, LatentRows]:
            counted = self.known_as_published(code, rows, label)
            run = self.run_of(counted, rng)
            layers, public = self.train_as_published(
                run, code.encode(rows), budget=door.budget, generator=generator, rng=rng
            )
            return len_of(rows), self.model_of(counted, run, layers, public)

        count, self.model_ = door.as_claimed(computation, label=self.claimed, reasons=self.reasons)
        self.rows_ = float(count)
        return self


def bins_for(schema: Schema, most_bins: int) -> int:
    """How many cells a numeric column may have: fewer than asked for, where there are many columns."""
    return min(most_bins, max(LEAST_BINS, WIDEST // max(len(schema.columns), 1)))


def public_code(schema: Schema, most_bins: int) -> RowCode:
    """The code that costs nothing: equal cells over public ranges."""
    return RowCode(
        {
            column.name: equal_width(column, most_bins) if needs_bins(column) else each_value(column)
            for column in schema.columns
        }
    )


def claimed_noises(asks: tuple[Ask, ...], budget: Budget) -> list[float]:
    """The noise multipliers that would give the budget if a claim were true."""
    charges = calibrate(Plan(asks=asks), budget)
    return [charges[ask.label].noise_multiplier or 0.0 for ask in asks]


def with_bias(layers: Layers, name: str, counted: Counted) -> Layers:
    """Let a last layer start at the released shares of the columns."""
    weights, _ = layers[name]
    bias = counted.code.bias(counted.shares, least=1.0 / max(counted.rows, 2.0))
    return {**layers, name: (weights, bias)}


def counted_as_is(code: RowCode, rows: Encoded, label: str | None) -> Counted:
    """What published codes take from the rows without noise: how many there are, and of which classes."""
    if label is None:
        return Counted.blank(code, rows=len_of(rows))
    binning = code.binnings[label]
    sizes = np.bincount(binning.assign(rows[label]), minlength=binning.cells).astype(float)
    shares = sizes / sizes.sum() if sizes.any() else np.full(binning.cells, 1.0 / binning.cells)
    return Counted.blank(code, rows=len_of(rows), label=label, classes=shares)
