"""THE DOOR: the only place where rows are read, and the only place where noise is added.

Order inside every question: price, refuse or charge, read, sanitise, clip, sum, noise, record. What is
handed back is public. Sanitising, clipping and summing happen in the query's base class, on rows that
the schema has already encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.ledger import NOT_ASKED, Ledger, LedgerEntry
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.noise import MAX_SCALE, Noise
from triplea.anonymize.plan import Mechanism
from triplea.anonymize.thresholds import key_threshold
from triplea.engines import Engine, LocalEngine
from triplea.errors import BudgetExceeded, SchemaError
from triplea.queries import DyadicCounts, Scores, SumQuery
from triplea.schema import Encoded, Schema
from triplea.tables.private_table import PrivateTable

if TYPE_CHECKING:  # both need JAX, which is loaded when a question of this kind is asked
    from triplea.anonymize.descending import Descended, Watch
    from triplea.queries.descent import Descent
    from triplea.queries.votes import Votes

T = TypeVar("T")
QUANTILE_DEPTH = 12  # 4,096 leaves: a quantile is known to 1/4096 of the public range at best
SCORE_BITS = 16  # scores are rounded to steps of 2^-16 of their bound, which grows by two of them


@dataclass(frozen=True, kw_only=True)
class Released:
    """Noisy numbers that left the private room, with the standard deviation of their noise."""

    values: np.ndarray
    stddev: float | np.ndarray


class Witness(Protocol):
    """Sees un-noised answers. For record-and-replay tests and audits only, never in a release."""

    def saw(
        self, *, label: str, exact: np.ndarray, released: np.ndarray, bound: float, norm: str
    ) -> np.ndarray:
        """Take note of a question; return what the door shall hand out."""

    def saw_keys(
        self, *, label: str, exact: Mapping[str, int], released: tuple[str, ...], bound: float
    ) -> tuple[str, ...]:
        """Take note of category counts; return the categories that the door shall hand out."""


class Door:
    """Answers the questions of one calibrated plan about one private table."""

    def __init__(
        self,
        *,
        table: PrivateTable,
        schema: Schema,
        budget: Budget,
        charges: Mapping[str, Charge],
        seed: int | None = None,
        engine: Engine | None = None,
        witness: Witness | None = None,
    ) -> None:
        self._table = table
        self._charges = dict(charges)
        self._noise = Noise(seed)
        self._engine = engine or LocalEngine()
        self._witness = witness
        self.schema = schema
        self.budget = budget
        self.ledger = Ledger()

    def measure(self, query: SumQuery, *, label: str) -> Released:
        """Release a clipped sum with Gaussian or Laplace noise, as the plan says."""
        charge = self._planned(label, Mechanism.GAUSSIAN, Mechanism.LAPLACE)
        gaussian = charge.mechanism is Mechanism.GAUSSIAN
        norm = "L2" if gaussian else "L1"
        sensitivity = self._per_unit(query, norm)
        noise_scale = sensitivity * (charge.noise_multiplier if gaussian else 1.0 / charge.epsilon)  # type: ignore[operator]
        spread = np.broadcast_to(np.asarray(query.scale, dtype=float) * noise_scale, query.shape)
        stddev = spread if gaussian else spread * np.sqrt(2.0)
        _refuse_endless_noise(label, spread / query.grid)
        self._record(charge, "measure", query.proof, sensitivity, norm, stddev)

        units = self._engine.total(self._table, self.schema, query)
        draw = self._noise.gaussian if gaussian else self._noise.laplace
        noisy = units + draw(spread / query.grid, query.shape)
        values = noisy * np.asarray(query.grid)
        if self._witness is not None:
            exact = units * np.asarray(query.grid) / np.asarray(query.scale)
            values = self._witness.saw(
                label=label, exact=exact, released=values, bound=sensitivity, norm=norm
            )
        return Released(values=values, stddev=stddev)

    def count_noise(self, histograms: int, *, label: str) -> float:
        """The standard deviation that counts of so many histograms will get: public, known before asking."""
        charge = self._charges[label]
        factor = 1.0 if self._adding else 2.0
        if charge.mechanism is Mechanism.GAUSSIAN and charge.noise_multiplier is not None:
            return charge.noise_multiplier * float(np.sqrt(factor * histograms)) * self._rows_per_unit
        assert charge.epsilon is not None
        return float(np.sqrt(2.0)) * factor * histograms * self._rows_per_unit / charge.epsilon

    def choose(self, scores: Scores, *, label: str) -> int:
        """Pick a candidate by the exponential mechanism: better scores are likelier."""
        charge = self._planned(label, Mechanism.EXPONENTIAL)
        bound = (scores.row_bound if self._adding else scores.swap_bound) * self._rows_per_unit
        step = bound / 2**SCORE_BITS
        self._record(charge, "choose", scores.proof, bound, "max", None, numbers=scores.size)

        units = self._engine.total(self._table, self.schema, scores.sums)
        exact = np.round(np.nan_to_num(scores.scores(units)) / step) * step
        assert charge.epsilon is not None
        sensitivity = bound + 2.0 * step  # one for the rounding here, one for that of the scores themselves
        picked = self._noise.exponential_choice(exact, epsilon=charge.epsilon, sensitivity=sensitivity)
        if self._witness is not None:
            shown = np.asarray(float(picked))
            picked = int(
                self._witness.saw(label=label, exact=exact, released=shown, bound=sensitivity, norm="max")
            )
        return picked

    def quantiles(self, column: str, probabilities: Sequence[float], *, label: str) -> np.ndarray:
        """Release quantiles of one column: noisy dyadic counts, then post-processing."""
        query = DyadicCounts(column=self.schema.column(column), levels=range(1, QUANTILE_DEPTH + 1))
        released = self.measure(query, label=label)
        return query.quantiles(released.values, probabilities)

    def keys(self, column: str, *, label: str) -> tuple[str, ...]:
        """Release the categories that enough units hold, in sorted order.

        Gaussian noise on every category's count; only counts above a public threshold show their
        category, and one unit's own category passes it with probability at most `slack_delta`.
        """
        charge = self._planned(label, Mechanism.THRESHOLD)
        assert charge.noise_multiplier is not None
        sensitivity = self._rows_per_unit * (1.0 if self._adding else np.sqrt(2.0))
        stddev = sensitivity * charge.noise_multiplier
        slack = charge.slack_delta if self._adding else charge.slack_delta / 2.0
        threshold = key_threshold(stddev=stddev, rows_per_unit=self._rows_per_unit, slack_delta=slack)
        self._record(charge, "keys", "docs/proofs/keys.md", sensitivity, "L2", np.asarray(stddev), numbers=0)

        counts = self._engine.key_counts(self._table, self.schema.column(column))
        names = sorted(counts)
        exact = np.array([counts[name] for name in names], dtype=np.int64)
        noisy = exact + self._noise.gaussian(stddev, len(names))
        shown = tuple(name for name, count in zip(names, noisy, strict=True) if count > threshold)
        if self._witness is not None:
            shown = self._witness.saw_keys(label=label, exact=counts, released=shown, bound=sensitivity)
        return shown

    def descend(self, descent: Descent, *, label: str) -> Descended:
        """Train networks by DP-SGD: a whole run is one question, priced before its first step.

        The plan fixes the steps, the sampling rate and the noise multiplier; every step adds noise of
        `noise_multiplier * sensitivity` to a sum of gradients clipped to `descent.clip_norm`.
        """
        from triplea.anonymize import descending
        from triplea.anonymize.batches import row_rate

        charge = self._planned(label, Mechanism.SAMPLED_GAUSSIAN)
        assert charge.noise_multiplier and charge.sampling_rate and charge.steps
        descending.check(descent, label)
        sensitivity = descent.clip_norm * self._rows_per_unit * (1.0 if self._adding else 2.0)
        stddev = sensitivity * charge.noise_multiplier
        self._record(
            charge, "descend", descent.proof, sensitivity, "L2", np.asarray(stddev), numbers=descent.size
        )
        self.ledger.remarks.append(descending.REMARK.format(label=label))

        records = descending.finite(descent.encode(self._engine.whole(self._table, self.schema)))
        return descending.train(
            descent,
            records,
            rate=row_rate(charge.sampling_rate, self._rows_per_unit),
            steps=charge.steps,
            stddev=stddev,
            generator=self._noise.generator(),
            public_generator=self._noise.generator(),
            label=label,
            watch=self._watch_of_steps(label, sensitivity),
        )

    def _watch_of_steps(self, label: str, sensitivity: float) -> Watch | None:
        """Show single steps of a training run to the witness, if there is one."""
        from triplea.anonymize.descending import Watch

        if self._witness is None:
            return None
        saw = partial(self._witness.saw, label=label, bound=sensitivity, norm="L2")
        return Watch(saw=saw, generator=self._noise.generator())

    def vote(self, votes: Votes, *, label: str) -> Released:
        """Release how many teachers say yes to each question, with Gaussian noise.

        Teachers are trained on disjoint parts of the rows, inside the question, and never leave it.
        """
        charge = self._planned(label, Mechanism.GAUSSIAN)
        assert charge.noise_multiplier is not None
        kind = votes.row_l2 if self._adding else votes.swap_l2
        sensitivity = kind * self._rows_per_unit
        stddev = np.full(votes.questions, sensitivity * charge.noise_multiplier)
        _refuse_endless_noise(label, stddev)
        self._record(charge, "vote", votes.proof, sensitivity, "L2", stddev)

        exact = votes.counts(self._engine.whole(self._table, self.schema))
        values = (exact + self._noise.gaussian(stddev, exact.shape)).astype(float)
        if self._witness is not None:
            values = self._witness.saw(
                label=label, exact=exact.astype(float), released=values, bound=sensitivity, norm="L2"
            )
        return Released(values=values, stddev=stddev)

    def as_claimed(
        self, computation: Callable[[Encoded, np.random.Generator], T], *, label: str, reasons: Sequence[str]
    ) -> T:
        """Run a published algorithm on the rows as printed. Its guarantee is claimed, not proved."""
        charge = self._planned(label, Mechanism.CLAIMED)
        self._record(charge, "as_claimed", "none: claimed by the paper", None, None, None, reasons=reasons)
        return computation(self._engine.whole(self._table, self.schema), self._noise.generator())

    def read_in_the_clear(self, *, label: str, reasons: Sequence[str]) -> Encoded:
        """Hand out the rows themselves. There is no guarantee after this, and the certificate says so."""
        charge = self._planned(label, Mechanism.CLEAR)
        self._record(charge, "read_in_the_clear", "none: not private", None, None, None, reasons=reasons)
        return self._engine.whole(self._table, self.schema)

    def refine(self, schema: Schema) -> None:
        """Go on with a schema that released values have completed (categories or bounds found)."""
        if schema.unit != self.schema.unit:
            raise SchemaError(
                f"the privacy unit is {self.schema.unit} and cannot become {schema.unit}: the questions so "
                "far were priced for it. Complete columns only."
            )
        self.schema = schema

    def charge_the_rest(self) -> None:
        """Charge what was planned and not asked; nothing is read.

        Whether a question is asked may follow from earlier answers. The price may not: a certificate states
        what a release can cost, not what one run of it happened to ask.
        """
        for charge in self._charges.values():
            for _ in range(charge.times - self.ledger.asked(charge.label)):
                self._record(charge, NOT_ASKED, "none: nothing was read", None, None, None)

    @property
    def witnessed(self) -> bool:
        """Whether somebody looks over the door's shoulder; such a run is no release."""
        return self._witness is not None

    @property
    def seeded(self) -> bool:
        """Whether the noise comes from a seed; such a run is no release either."""
        return self._noise.seeded

    @property
    def _adding(self) -> bool:
        return self.budget.neighbours is Neighbours.ADD_OR_REMOVE_ONE

    @property
    def _rows_per_unit(self) -> int:
        return self.schema.unit.max_rows if self.schema.unit is not None else 1

    def _per_unit(self, query: SumQuery, norm: str) -> float:
        """How far one unit can move the answer: its rows' vectors could all point the same way."""
        kind = "row" if self._adding else "swap"
        return float(getattr(query, f"{kind}_{norm.lower()}")) * self._rows_per_unit

    def _planned(self, label: str, *allowed: Mechanism) -> Charge:
        """Find the price of a question, or refuse it before anything is read."""
        charge = self._charges.get(label)
        if charge is None:
            known = ", ".join(repr(name) for name in self._charges) or "nothing"
            raise BudgetExceeded(
                f"{label!r} is not in the plan, so no budget is set aside for it. Nothing was read. "
                f"Planned: {known}. Add it to the method's plan."
            )
        asked = self.ledger.asked(label)
        if asked >= charge.times:
            raise BudgetExceeded(
                f"{label!r} was planned {charge.times} time(s) and has been asked {asked} time(s). "
                f"Nothing was read. Plan it with times={asked + 1}."
            )
        if charge.mechanism not in allowed:
            raise SchemaError(
                f"{label!r} is planned as {charge.mechanism.value!r} but asked as one of "
                f"{[mechanism.value for mechanism in allowed]}. Nothing was read. Change the plan."
            )
        return charge

    def _record(
        self,
        charge: Charge,
        question: str,
        proof: str,
        sensitivity: float | None,
        norm: str | None,
        stddev: np.ndarray | None,
        *,
        numbers: int | None = None,
        reasons: Sequence[str] = (),
    ) -> None:
        spread = stddev if stddev is not None and stddev.size else None
        entry = LedgerEntry(
            charge=replace(charge, times=1),
            question=question,
            proof=proof,
            sensitivity=sensitivity,
            norm=norm,
            noise_from=None if spread is None else float(spread.min()),
            noise_to=None if spread is None else float(spread.max()),
            numbers=numbers if numbers is not None or stddev is None else int(stddev.size),
            reasons=tuple(reasons),
        )
        self.ledger.entries.append(entry)


def _refuse_endless_noise(label: str, units: np.ndarray) -> None:
    """Refuse a question whose noise has no place on the grid, before it is charged."""
    largest = float(units.max(initial=0.0))
    if largest > MAX_SCALE:
        raise BudgetExceeded(
            f"{label!r} would need noise of {largest:.3g} grid steps, allowed are {MAX_SCALE:.3g}. "
            "Nothing was read. Raise epsilon, or ask for less."
        )
