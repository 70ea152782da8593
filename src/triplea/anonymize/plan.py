"""What a method will ask at the door, said before a row is read.

An `Ask` names one question and its share of the budget; a `Plan` is the whole list. Shares are relative
weights of squared signal-to-noise (of mu squared, in Gaussian differential privacy): an ask with twice the
share gets noise smaller by a factor sqrt(2). `accountant.calibrate` turns a plan and a budget into charges.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from triplea.anonymize.budget import is_count, is_real_number
from triplea.errors import BudgetError

DEFAULT_SLACK_DELTA_SHARE = 0.1


class Mechanism(StrEnum):
    """How an answer is protected. CLAIMED and CLEAR are not: their proved epsilon is infinite."""

    GAUSSIAN = "gaussian"
    LAPLACE = "laplace"
    EXPONENTIAL = "exponential"
    THRESHOLD = "threshold"
    SAMPLED_GAUSSIAN = "sampled-gaussian"
    CLAIMED = "claimed"
    CLEAR = "clear"

    @property
    def is_proved(self) -> bool:
        """Whether a finite epsilon can be proved for this mechanism."""
        return self not in (Mechanism.CLAIMED, Mechanism.CLEAR)

    @property
    def is_pure(self) -> bool:
        """Whether the mechanism needs no delta."""
        return self in (Mechanism.LAPLACE, Mechanism.EXPONENTIAL)


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One question of a plan, asked `times` times with the same noise; the share covers all of them.

    SAMPLED_GAUSSIAN takes `sampling_rate` (Poisson sampling) and `steps`, and one use is the whole run.
    THRESHOLD takes `slack_delta_share`: the fraction of the budget's delta that may go wrong when a key
    held by one unit shows up (all `times` together).
    """

    label: str
    mechanism: Mechanism
    share: float = 1.0
    times: int = 1
    sampling_rate: float | None = None
    steps: int | None = None
    slack_delta_share: float | None = None

    def __post_init__(self) -> None:
        """Refuse asks that cannot be priced."""
        if not self.label.strip():
            raise BudgetError(f"ask: label is {self.label!r}, allowed is any text. Name the question.")
        object.__setattr__(self, "mechanism", Mechanism(self.mechanism))
        self._require(
            is_real_number(self.share) and 0 < self.share < math.inf,
            "share", self.share, "a finite number above 0", "Leave the ask out if it needs no budget.",
        )  # fmt: skip
        self._require(
            is_count(self.times), "times", self.times, "a whole number of at least 1",
            "Leave the ask out if it is never asked.",
        )  # fmt: skip
        self._check_sampling()
        self._check_slack()

    def _check_sampling(self) -> None:
        if self.mechanism is Mechanism.SAMPLED_GAUSSIAN:
            self._require(
                is_real_number(self.sampling_rate) and 0 < float(self.sampling_rate or 0) <= 1,
                "sampling_rate", self.sampling_rate, "0 < sampling_rate <= 1",
                "Give the Poisson sampling rate: expected batch size over the public row count.",
            )  # fmt: skip
            self._require(
                is_count(self.steps), "steps", self.steps, "a whole number of at least 1",
                "Give the number of training steps.",
            )  # fmt: skip
        else:
            self._require(
                self.sampling_rate is None and self.steps is None, "sampling_rate, steps",
                (self.sampling_rate, self.steps), f"none for mechanism {self.mechanism.value!r}",
                "Use mechanism 'sampled-gaussian', or leave both out.",
            )  # fmt: skip

    def _check_slack(self) -> None:
        if self.mechanism is Mechanism.THRESHOLD:
            if self.slack_delta_share is None:
                object.__setattr__(self, "slack_delta_share", DEFAULT_SLACK_DELTA_SHARE)
            self._require(
                is_real_number(self.slack_delta_share) and 0 < float(self.slack_delta_share or 0) < 1,
                "slack_delta_share", self.slack_delta_share, "0 < slack_delta_share < 1",
                f"The default is {DEFAULT_SLACK_DELTA_SHARE}.",
            )  # fmt: skip
        else:
            self._require(
                self.slack_delta_share is None, "slack_delta_share", self.slack_delta_share,
                f"none for mechanism {self.mechanism.value!r}", "Use mechanism 'threshold', or leave it out.",
            )  # fmt: skip

    def _require(self, holds: bool, option: str, got: object, allowed: str, cure: str) -> None:
        if not holds:
            raise BudgetError(f"ask {self.label!r}: {option} is {got!r}, allowed is {allowed}. {cure}")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The whole list of asks of a method; labels are unique, because the ledger is kept by label."""

    asks: tuple[Ask, ...]

    def __post_init__(self) -> None:
        """Refuse two asks under one label."""
        object.__setattr__(self, "asks", tuple(self.asks))
        uses = Counter(ask.label for ask in self.asks).most_common(1)
        if uses and uses[0][1] > 1:
            raise BudgetError(
                f"plan: the label {uses[0][0]!r} is used by more than one ask, allowed is one. "
                "Rename one of them, or use `times` for a question that is asked again."
            )
