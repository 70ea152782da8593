"""What quality to expect: noise against counts, and figures measured on public tables of a similar size.

Made from the schema, the plan and a guess at the number of rows. It is no promise: how much a table can teach
at all is known only to the table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.methods._base import Counted, Method
from triplea.schema import Schema

SIMILAR = 3.0  # a reference counts as similar up to this factor in rows x epsilon
MEASURED = "mosaic"  # the method that the reference points are about
MOST_CLASSES = 20  # numbers of more values are no classes
CLEAR, BLURRED = 10.0, 2.0  # average count of a cell, in standard deviations of its noise


@dataclass(frozen=True, kw_only=True)
class ReferencePoint:
    """Mosaic on a public table: `kept` is the share of the real rows' gain over a coin that is left."""

    table: str
    rows: int
    columns: int
    epsilon: float
    seeds: int
    auc: float
    real: float
    kept: float

    @property
    def weight(self) -> float:
        """Rows times epsilon: what signal-to-noise goes by."""
        return self.rows * self.epsilon


@dataclass(frozen=True, kw_only=True)
class CellNoise:
    """One counting question: the noise of a count, and the rows that an average cell would hold."""

    label: str
    stddev: float
    rows_per_cell: float

    @property
    def ratio(self) -> float:
        """Signal to noise of an average cell."""
        return self.rows_per_cell / self.stddev

    @property
    def words(self) -> str:
        """What the ratio means."""
        if self.ratio >= CLEAR:
            return "clear"
        return "blurred" if self.ratio >= BLURRED else "mostly noise"


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The noise of every counting question, and which share of the real rows' worth similar tables kept."""

    rows: int
    noise: tuple[CellNoise, ...]
    similar: tuple[ReferencePoint, ...]
    kept_from: float | None
    kept_to: float | None

    @property
    def sentence(self) -> str:
        """The expectation in words."""
        if self.kept_from is None or self.kept_to is None:
            return (
                f"No table was measured that is like this one, with such a target and {self.rows:,} rows at "
                "this budget: no expectation of quality."
            )
        names = dict.fromkeys(f"{p.table} ({p.rows:,} rows, epsilon {p.epsilon:g})" for p in self.similar)
        kept = " to ".join(dict.fromkeys(f"{share:.0%}" for share in (self.kept_from, self.kept_to)))
        return (
            f"At similar rows x epsilon, classifiers kept {kept} of what the real rows teach "
            f"(gain in AUC over a coin), on: {', '.join(names)}. Yours may differ."
        )


def expect(
    method: Method, schema: Schema, *, rows: int, budget: Budget, charges: Mapping[str, Charge]
) -> Expectation:
    """Say what to expect of a table of about `rows` rows."""
    noise = [
        _cell_noise(counted, charges[counted.label], rows, budget, schema)
        for counted in method.counted(schema, budget)
    ]
    # Without a delta noise is of another size; the points are of tables with classes to predict.
    measured = method.name == MEASURED and budget.delta > 0 and _has_classes(schema)
    similar = _similar(reference_points(), rows * budget.epsilon) if measured else []
    kept = [point.kept for point in similar]
    return Expectation(
        rows=rows,
        noise=tuple(noise),
        similar=tuple(similar),
        kept_from=min(kept) if kept else None,
        kept_to=max(kept) if kept else None,
    )


def _has_classes(schema: Schema) -> bool:
    if schema.target is None:
        return False
    column = schema.column(schema.target)
    return column.is_discrete or (column.size is not None and column.size <= MOST_CLASSES)


def reference_points() -> list[ReferencePoint]:
    """The measured points, by rows x epsilon; see docs/results/expectation.md."""
    text = files("triplea.releases").joinpath("reference_points.json").read_text(encoding="utf-8")
    return sorted((ReferencePoint(**entry) for entry in json.loads(text)), key=lambda point: point.weight)


def _similar(points: Sequence[ReferencePoint], weight: float) -> list[ReferencePoint]:
    return [point for point in points if weight / SIMILAR <= point.weight <= weight * SIMILAR]


def _cell_noise(counted: Counted, charge: Charge, rows: int, budget: Budget, schema: Schema) -> CellNoise:
    """The noise that the door will add to a count, and an average cell's share of the rows."""
    swapped = budget.neighbours is Neighbours.REPLACE_ONE
    if charge.noise_multiplier is not None:
        stddev = charge.noise_multiplier * math.sqrt(counted.histograms * (2 if swapped else 1))
    else:
        assert charge.epsilon is not None
        stddev = math.sqrt(2.0) * counted.histograms * (2 if swapped else 1) / charge.epsilon
    per_unit = schema.unit.max_rows if schema.unit is not None else 1
    return CellNoise(
        label=counted.label, stddev=stddev * per_unit, rows_per_cell=rows / max(counted.cells, 1)
    )
