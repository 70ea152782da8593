"""One of several adaptations, to be chosen under the budget instead of by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from triplea.adapt.stage import Adaptation, Unchanged
from triplea.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class OneOf:
    """The stage whose points put most rows into their own class, every class weighed alike.

    All stages adapt released points to released draws, so they are free; the choice between them is one
    question of the plan (exponential mechanism), and `share` is its part, beside the 1 of all others.
    """

    stages: tuple[Adaptation, ...] = (Unchanged(),)
    share: float = 0.05

    def __post_init__(self) -> None:
        """Refuse a choice between nothing, or for nothing."""
        if not self.stages:
            raise MethodError("OneOf: 'stages' must name at least one adaptation, got none.")
        if not 0.0 < self.share < math.inf:
            raise MethodError(f"OneOf: 'share' must be a finite number above 0, got {self.share!r}.")
