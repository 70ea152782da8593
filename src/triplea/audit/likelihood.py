"""The likelihood ratio of what the door handed out: the best test there is, where the answers are visible.

A run is recorded on one table and replayed on the other with its answers forced. For every question both
exact answers are then known, and so is the noise: the log of the ratio of the two densities is a sum over
questions, also when later questions depend on earlier answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from scipy.special import log_ndtr, logsumexp

from triplea.anonymize.charges import Charge
from triplea.anonymize.plan import Mechanism
from triplea.anonymize.thresholds import key_threshold
from triplea.audit.witnesses import Exact, Question, Recorder, Replayer
from triplea.engines import LocalEngine
from triplea.queries import SumQuery
from triplea.schema import Encoded, Schema

Answer = TypeVar("Answer")
LARGEST = 50.0  # a logarithm beyond this is certainty already
VISIBLE = (Mechanism.GAUSSIAN, Mechanism.LAPLACE, Mechanism.EXPONENTIAL, Mechanism.THRESHOLD)


class NotingEngine(LocalEngine):
    """The engine without threads, which tables this small do not need; notes the scale of each question."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.scale: float | np.ndarray = 1.0

    def total(self, table: Any, schema: Schema, query: SumQuery) -> np.ndarray:
        """Add up, and note the scale."""
        self.scale = query.scale
        return super().total(table, schema, query)

    def whole(self, table: Any, schema: Schema) -> Encoded:
        """Read all rows; what is asked of them has even noise."""
        self.scale = 1.0
        return super().whole(table, schema)

    def _mapped(
        self, work: Callable[[pa.RecordBatch], Answer], batches: Iterator[pa.RecordBatch]
    ) -> Iterator[Answer]:
        return map(work, batches)


class Transcript(Recorder):
    """A recorder that also keeps every noisy answer on the scale on which its noise is even.

    With `enough`, the run ends after so many questions.
    """

    def __init__(self, engine: NotingEngine, *, enough: int | None = None) -> None:
        super().__init__()
        self.engine, self.enough = engine, enough
        self.noisy: list[np.ndarray] = []

    def saw(
        self, *, label: str, exact: np.ndarray, released: np.ndarray, bound: float, norm: str
    ) -> np.ndarray:
        """Keep the question and its scaled answer."""
        even = norm in ("L1", "L2") and np.shape(released) == np.shape(exact)
        self.noisy.append(released / np.asarray(self.engine.scale) if even else released.copy())
        super().saw(label=label, exact=exact, released=released, bound=bound, norm=norm)
        if len(self.questions) == self.enough:
            raise Enough
        return released

    def saw_keys(
        self, *, label: str, exact: Mapping[str, int], released: tuple[str, ...], bound: float
    ) -> tuple[str, ...]:
        """Keep the counts; shown categories have no scale."""
        self.noisy.append(np.zeros(0))
        return super().saw_keys(label=label, exact=exact, released=released, bound=bound)


class Enough(Exception):
    """All recorded questions were asked again: what the method does with the answers is of no interest."""


@dataclass
class Shadow(Replayer):
    """A replayer that keeps the exact answers of the other table, and stops at the last question."""

    exacts: list[Exact] = field(default_factory=list)

    def saw(
        self, *, label: str, exact: np.ndarray, released: np.ndarray, bound: float, norm: str
    ) -> np.ndarray:
        """Hand out the recorded answer, and keep the exact one."""
        answer = super().saw(label=label, exact=exact, released=released, bound=bound, norm=norm)
        self._keep(exact.copy())
        return answer

    def saw_keys(
        self, *, label: str, exact: Mapping[str, int], released: tuple[str, ...], bound: float
    ) -> tuple[str, ...]:
        """Hand out the recorded categories, and keep their counts."""
        shown = super().saw_keys(label=label, exact=exact, released=released, bound=bound)
        self._keep(dict(exact))
        return shown

    def _keep(self, exact: Exact) -> None:
        self.exacts.append(exact)
        if len(self.exacts) == len(self.recorded):
            raise Enough


def log_ratio(
    transcript: Transcript, others: Sequence[Exact], charges: Mapping[str, Charge], *, rows_per_unit: int = 1
) -> float:
    """Log of (density on the other table / density on the table of the run), over all visible questions."""
    total = 0.0
    for question, noisy, other in zip(transcript.questions, transcript.noisy, others, strict=True):
        charge = charges[question.label]
        if charge.mechanism is Mechanism.THRESHOLD:
            part = _shown(question, other, charge, rows_per_unit)
        elif charge.mechanism in VISIBLE:
            part = _one(question, noisy, np.asarray(other, dtype=float), charge)
        else:
            continue
        total += float(np.clip(part, -LARGEST, LARGEST))
    return total


def _one(question: Question, noisy: np.ndarray, twin: np.ndarray, charge: Charge) -> float:
    own = np.asarray(question.exact, dtype=float)
    if charge.mechanism is Mechanism.EXPONENTIAL:
        picked = int(question.released)
        weights = [(charge.epsilon or 0.0) / (2.0 * question.bound) * scores for scores in (twin, own)]
        chances = [weight[picked] - logsumexp(weight) for weight in weights]
        return float(chances[0] - chances[1])
    if charge.mechanism is Mechanism.LAPLACE:
        spread = question.bound / (charge.epsilon or 1.0)
        return float((np.abs(noisy - own) - np.abs(noisy - twin)).sum() / spread)
    stddev = question.bound * (charge.noise_multiplier or 1.0)
    return float(((noisy - (own + twin) / 2.0) * (twin - own)).sum() / stddev**2)


def _shown(question: Question, other: Exact, charge: Charge, rows_per_unit: int) -> float:
    """Every category by itself: how likely its being shown, or not, is under either count."""
    own = question.exact
    assert isinstance(own, Mapping) and isinstance(other, Mapping)
    stddev = question.bound * (charge.noise_multiplier or 1.0)
    threshold = key_threshold(stddev=stddev, rows_per_unit=rows_per_unit, slack_delta=charge.slack_delta)
    total = 0.0
    for name in {*own, *other}:
        side = 1.0 if name in question.released else -1.0
        # A category that a table lacks is never shown: its count stands infinitely far below.
        chances = [
            float(log_ndtr(side * (counts.get(name, -np.inf) - threshold) / stddev))
            for counts in (other, own)
        ]
        total += float(np.clip(chances[0], -LARGEST, 0.0) - np.clip(chances[1], -LARGEST, 0.0))
    return total
