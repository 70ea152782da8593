"""A taught mixture with several targets: each further target has a tutor of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.label_draw import draw_labels, similar_order
from triplea.approximate.mixtures.taught_mixture import LABEL_TRIES, MOST_AT_ONCE, TaughtMixture
from triplea.approximate.model import Condition, State


class TutoredMixture(TaughtMixture):
    """p(other features) by the mixture, p(further target | other features) by its tutor, then the label.

    A tutor hears all features but its own target. Conditioning stays exact: a further target that is fixed
    is met by rejection with the tutor's probability.
    """

    kind = "tutored-mixture"

    def __init__(self, *, tutors: Mapping[str, AdditiveTeacher] | None = None, **base: Any) -> None:
        super().__init__(**base)
        self.tutors = dict(tutors or {})

    @classmethod
    def of(cls, base: TaughtMixture, tutors: Mapping[str, AdditiveTeacher]) -> Self:
        """Give tutors to a mixture."""
        return cls(
            names=base.names,
            cells=base.cells,
            weights=base.weights,
            tables=base.tables,
            label=base.label,
            teacher=base.teacher,
            owners=base.owners,
            tutors=tutors,
        )

    def draw_rows(
        self, n: int, rng: np.random.Generator, *, fixed: Condition | None = None, owner: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw cells of the features; tutored ones are drawn again, by their tutors, in turn."""
        free = {name: value for name, value in (fixed or {}).items() if name not in self.tutors}
        wanted = {
            name: int(self.cells[name].assign(np.asarray([value]))[0])
            for name, value in (fixed or {}).items()
            if name in self.tutors
        }
        if not wanted:
            drawn, owners = super().draw_rows(n, rng, fixed=free, owner=owner)
            return self._tutored(drawn, {}, rng)[0], owners
        kept: list[tuple[np.ndarray, np.ndarray]] = []
        missing, at_once = n, max(1000, 2 * n)
        for _ in range(LABEL_TRIES):
            if missing <= 0:
                break
            drawn, owners = super().draw_rows(min(at_once, MOST_AT_ONCE), rng, fixed=free, owner=owner)
            drawn, chances = self._tutored(drawn, wanted, rng)
            accepted = np.flatnonzero(rng.random(len(drawn)) < chances)[:missing]
            kept.append((drawn[accepted], owners[accepted]))
            missing -= len(accepted)
            at_once *= 2
        if missing > 0:  # the condition has no probability here: hand out rows that hold it as they are
            drawn, owners = super().draw_rows(missing, rng, fixed=free, owner=owner)
            kept.append((self._tutored(drawn, wanted, rng)[0], owners))
        if not kept:
            return super().draw_rows(0, rng)
        return np.concatenate([rows for rows, _ in kept]), np.concatenate([whose for _, whose in kept])

    def _tutored(
        self, drawn: np.ndarray, wanted: Mapping[str, int], rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows with tutored columns drawn or set as wanted, and the probability of what was wanted."""
        likely = np.ones(len(drawn))
        for name, tutor in self.tutors.items() if len(drawn) else ():
            place = self.features.index(name)
            others = np.delete(drawn, place, axis=1)
            chances = tutor.probabilities(others)
            if name in wanted:
                likely *= chances[:, wanted[name]]
                drawn[:, place] = wanted[name]
            else:
                key = chances @ np.arange(chances.shape[1])
                drawn[:, place] = draw_labels(chances, similar_order(tutor.spreads(others), key, rng), rng)
        return drawn, likely

    def state(self) -> State:
        """The mixture's state, and the tutors' weights."""
        description, arrays = super().state()
        for i, tutor in enumerate(self.tutors.values()):
            arrays |= {f"tutor_{i}_{key}": value for key, value in tutor.state().items()}
        return {**description, "tutored": list(self.tutors)}, arrays

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        made = super().from_state(description, arrays)
        keys = ("weights", "bias", "offsets")
        made.tutors = {
            name: AdditiveTeacher.from_state({key: arrays[f"tutor_{i}_{key}"] for key in keys})
            for i, name in enumerate(description["tutored"])
        }
        return made
