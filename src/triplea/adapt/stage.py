"""The stage between approximation and release: points and labels in, points and labels out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from triplea.errors import MethodError

Progress = Callable[[int, float], None]  # steps done, loss
Ranges = tuple[tuple[str, bool, str], ...]  # a parameter, whether it is sound, and what is allowed


@dataclass(frozen=True, kw_only=True)
class Adapted:
    """What an adaptation hands on.

    `points` and `labels` have the order of those that came in; `losses` holds the objective at every step,
    before that step.
    """

    points: np.ndarray
    labels: np.ndarray
    losses: tuple[float, ...] = ()
    converged: bool = True


class Adaptation(Protocol):
    """Anything that adapts points to targets. A stage draws from `rng` alone, so it repeats.

    It adds no noise and proves nothing: whether its result may be released depends on where `points` and
    `targets` came from.
    """

    def adapt(
        self,
        points: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray | None = None,
        *,
        targets: np.ndarray,
        target_labels: np.ndarray,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Adapted:
        """Move `points` (n x d), each standing for `weights` records, towards what serves `targets`."""


@dataclass(frozen=True, kw_only=True)
class Unchanged:
    """No adaptation: what the equation gives for alpha = 1."""

    def adapt(
        self,
        points: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray | None = None,
        *,
        targets: np.ndarray,
        target_labels: np.ndarray,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Adapted:
        """Hand on copies of what came in."""
        del weights, targets, target_labels, rng, progress
        return Adapted(points=np.array(points), labels=np.array(labels))


def refuse_outside(what: str, stage: object, ranges: Ranges) -> None:
    """Raise an error that names the first parameter outside its range."""
    for name, sound, allowed in ranges:
        if not sound:
            raise MethodError(f"{what}: {name!r} must be {allowed}, got {getattr(stage, name)!r}.")
