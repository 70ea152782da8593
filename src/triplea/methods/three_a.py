"""3A (Madl et al. 2023, arXiv:2307.01875): approximate, adapt, anonymize, as stages that can be exchanged.

    ThreeA(approximate=LearnedCells(), adapt=KernelInducing(alpha=0.9), anonymize=NoisyCells())
    ThreeA(approximate=LearnedCells(), adapt=PrivateInducing(alpha=0.5), anonymize=NoisyCells())
    ThreeA(approximate=ConstrainedMixture(), adapt=KernelInducing(), anonymize=MixWithNoise(sigma_max=0.1))

The Anonymize stage decides what is proved. `NoisyCells`: everything that reads rows is a noisy sum over cells
that were fixed before, in one calibrated plan; adaptation sees released values, or rows through the same plan
(`PrivateInducing`). Guarantee: (epsilon, delta) for the stated neighbours. `MixWithNoise`: the paper's
Algorithm 2, whose guarantee is claimed only.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np

from triplea.adapt.stage import Unchanged
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.mixing import MixWithNoise
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.anonymize.plan import Plan
from triplea.approximate.cell_stages import CellStage, LearnedCells
from triplea.approximate.codes.unit_code import TAIL
from triplea.approximate.gaussians.groupings import Grouping
from triplea.errors import MethodError
from triplea.methods import _three_a_numbers as numbers
from triplea.methods import _three_a_printed as printed
from triplea.methods import _three_a_tables as tables
from triplea.methods._base import Cost, Method, claiming
from triplea.methods._checks import check_cells
from triplea.methods._three_a_adapting import PAID, Stage, adapting_asks
from triplea.methods._three_a_checks import check_cells_of_classes, check_reading
from triplea.schema import Schema

AS_PRINTED = "3A as printed"


class ThreeA(Method):
    """A combination of three stages.

    What follows the stages belongs to the published algorithm: into how many regions rows are cut (0: one for
    about 20,000 rows), whether categories are numbers or one-hot, how values get to [0, 1] and where normal
    scores are cut, how far rows beyond the mixtures scatter about them at least, and in how many trials free
    parameters are sought on the training rows (0: as given).
    """

    name = "three-a"
    title = "3A"
    summary = "approximate, adapt, anonymize: a combination of stages"
    variants = ("provable", "published")

    def __init__(
        self,
        *,
        approximate: CellStage | Grouping = LearnedCells(),  # noqa: B008  (stages are frozen)
        adapt: Stage = Unchanged(),  # noqa: B008
        anonymize: NoisyCells | MixWithNoise = NoisyCells(),  # noqa: B008
        slices: int = 0,
        codes: str = "ordinal",
        scaling: str = "min-max",
        tail: float = TAIL,
        spread: float = 0.0,
        trials: int = 0,
        max_cells: int = 20_000_000,
    ) -> None:
        self.approximate = approximate
        self.adapt = adapt
        self.anonymize = anonymize
        self.slices = slices
        self.codes = codes
        self.scaling = scaling
        self.tail = tail
        self.spread = spread
        self.trials = trials
        self.max_cells = max_cells

    @property
    def variant(self) -> str:
        """Proved with noisy cells, claimed with mixtures; not to be set."""
        return "provable" if isinstance(self.anonymize, NoisyCells) else "published"

    @variant.setter
    def variant(self, value: str) -> None:
        if value != self.variant:
            raise MethodError(
                f"method {self.name!r}: the Anonymize stage {type(self.anonymize).__name__} is the variant "
                f"{self.variant!r}, got {value!r}. NoisyCells is provable, MixWithNoise is published."
            )

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask for noisy cells in one plan, or for the whole algorithm as printed."""
        self._check(schema)
        if isinstance(self.anonymize, MixWithNoise):
            printed.check_budget(schema, budget, self.anonymize, codes=self.codes, trials=self.trials)
            return claiming(AS_PRINTED)
        assert isinstance(self.approximate, CellStage)
        if numbers.suits_numbers(schema):
            asks = numbers.number_asks(schema, budget, self.anonymize)
        else:
            asks = tables.table_asks(schema, budget, self.anonymize, rounds=self.approximate.rounds)
        adapts = len(schema.names) > (schema.target is not None)  # without features there is nothing to move
        return Plan(asks=(*asks, *(adapting_asks(self.adapt, schema, budget) if adapts else ())))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Ask the planned questions, adapt, and build the model."""
        if isinstance(self.anonymize, MixWithNoise):
            return self._fit_printed(door)
        assert isinstance(self.approximate, CellStage)
        fit = numbers.fit_numbers if numbers.suits_numbers(door.schema) else tables.fit_tables
        made = fit(door, approximate=self.approximate, adapt=self.adapt, anonymize=self.anonymize, rng=rng)
        self.model_, self.rows_ = made.model, float(made.rows.sum())
        cells = ", ".join(str(count) for count in np.bincount(made.owner))
        self.notes_ = (f"cells by class: {cells}; a cell needs l_min = {made.least:.0f} rows",)
        return self

    def _fit_printed(self, door: Door) -> Self:
        assert isinstance(self.anonymize, MixWithNoise)
        assert isinstance(self.approximate, Grouping) and not isinstance(self.adapt, PAID)
        algorithm = printed.Algorithm(
            schema=door.schema,
            budget=door.budget,
            approximate=self.approximate,
            adapt=self.adapt,
            anonymize=self.anonymize,
            slices=self.slices,
            codes=self.codes,
            scaling=self.scaling,
            tail=self.tail,
            spread=self.spread,
            trials=self.trials,
        )
        made = door.as_claimed(algorithm.run, label=AS_PRINTED, reasons=printed.REASONS)
        self.model_, self.rows_, self.notes_ = made.model, float(made.rows), made.notes
        return self

    def needs(self, schema: Schema, budget: Budget) -> tuple[str, ...]:
        """The rows that a mixture needs, by Eq. 8."""
        if not isinstance(self.anonymize, MixWithNoise) or self.trials:
            return ()
        return (printed.said_of_sizes(schema, budget, self.anonymize, codes=self.codes),)

    def cost(self, schema: Schema, rows: int) -> Cost:
        """A pass over the rows for every question; the published algorithm clusters them."""
        if not isinstance(self.approximate, CellStage):
            width = printed.width_of(schema, self.codes)
            seconds = 5.0 + 1.5e-4 * rows * max(1.0, width / 30)
            return Cost(seconds=seconds, mebibytes=300 + 3e-5 * rows * width, cells=0)
        cells = self._cells(schema, self.approximate)
        seconds = 0.5 + 2e-7 * cells + 2e-7 * rows * len(schema.columns) * (2 + self.approximate.rounds)
        return Cost(seconds=seconds, mebibytes=250 + 60 * cells / 2**20, cells=cells)

    def _cells(self, schema: Schema, approximate: CellStage) -> int:
        if numbers.suits_numbers(schema):
            return numbers.number_cells(schema, clusters=approximate.clusters)
        return tables.table_cells(schema, clusters=approximate.clusters, rounds=approximate.rounds)

    def _check(self, schema: Schema) -> None:
        """Refuse stages that do not go together, and parameters outside their ranges."""
        wanted = CellStage if isinstance(self.anonymize, NoisyCells) else Grouping
        if not isinstance(self.approximate, wanted):
            fitting = (
                "LearnedCells or RandomCells"
                if wanted is CellStage
                else "ConstrainedMixture, RandomGroups or Microaggregated"
            )
            raise MethodError(
                f"method {self.name!r}: {type(self.anonymize).__name__} needs an Approximate stage of "
                f"{'cells' if wanted is CellStage else 'groups'}, got {type(self.approximate).__name__}. "
                f"Choose {fitting}."
            )
        if isinstance(self.adapt, PAID) and wanted is Grouping:
            raise MethodError(
                f"method {self.name!r}: {type(self.adapt).__name__} needs the Anonymize stage NoisyCells, "
                f"got {type(self.anonymize).__name__}. Choose KernelInducing or Unchanged."
            )
        check_reading(
            slices=self.slices, codes=self.codes, scaling=self.scaling, tail=self.tail,
            spread=self.spread, trials=self.trials,
        )  # fmt: skip
        if isinstance(self.approximate, CellStage):
            check_cells_of_classes(clusters=self.approximate.clusters, rounds=self.approximate.rounds)
            check_cells(self.name, self._cells(schema, self.approximate), most=self.max_cells)


class Combination(Method):
    """A method that is a combination of 3A's stages under a name of its own."""

    @abstractmethod
    def combination(self) -> ThreeA:
        """The three stages of the chosen variant."""

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Ask what the stages ask."""
        return self.combination().plan(schema, budget)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Let the stages do their work."""
        made = self.combination().fit(door, rng=rng)
        self.model_, self.rows_, self.notes_ = made.model_, made.rows_, made.notes_
        return self

    def needs(self, schema: Schema, budget: Budget) -> tuple[str, ...]:
        """What the stages need."""
        return self.combination().needs(schema, budget)

    def cost(self, schema: Schema, rows: int) -> Cost:
        """What the stages cost."""
        return self.combination().cost(schema, rows)
