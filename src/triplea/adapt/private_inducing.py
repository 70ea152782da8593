"""DP-KIP (Vinaroz and Park 2023, arXiv:2301.13389) as a stage: the rows move the points, under noise.

These are the numbers of a run only. The rows are behind the door, so the run is a question of its own in the
plan of whoever uses the stage: `queries.inducing` has the loss, docs/proofs/descend.md the proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from triplea.adapt.stage import Ranges, refuse_outside


@dataclass(frozen=True, kw_only=True)
class PrivateInducing:
    """DP-SGD on equation 6 of 3A: per-record gradients in the points, clipped, summed and noised.

    `alpha`, `ridge` and `depth` are those of `KernelInducing`. Every step sees a Poisson sample of the rows
    at `sampling_rate`, gradients are clipped to `clip_norm`, and `share` is the run's part of the plan,
    beside the 1 that all other questions share.
    """

    alpha: float = 0.5
    ridge: float = 1e-3
    depth: int = 2
    learning_rate: float = 0.02
    steps: int = 100
    sampling_rate: float = 1 / 32
    clip_norm: float = 0.1
    share: float = 0.25

    def __post_init__(self) -> None:
        """Refuse numbers that no run could have."""
        ranges: Ranges = (
            ("alpha", 0.0 <= self.alpha <= 1.0, "between 0 and 1"),
            ("ridge", 1e-4 <= self.ridge < math.inf, "at least 1e-4 (steps are in 32 bits)"),
            ("depth", type(self.depth) is int and 0 <= self.depth <= 32, "a whole number from 0 to 32"),
            ("learning_rate", 0.0 < self.learning_rate < math.inf, "a finite number above 0"),
            ("steps", type(self.steps) is int and self.steps >= 1, "a whole number of at least 1"),
            ("sampling_rate", 0.0 < self.sampling_rate <= 1.0, "above 0 and at most 1"),
            ("clip_norm", 0.0 < self.clip_norm < math.inf, "a finite number above 0"),
            ("share", 0.0 < self.share < math.inf, "a finite number above 0"),
        )
        refuse_outside("private inducing points", self, ranges)
