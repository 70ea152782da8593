"""Features from a mixture of products, the label from a teacher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.leaf_cells import LeafCells
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.label_balance import balance_labels
from triplea.approximate.mixtures.label_draw import draw_labels, similar_order
from triplea.approximate.mixtures.product_mixture import normalised, quota, shuffled_cells
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded

TAUGHT = -1  # the owner of components whose rows have their label from the teacher
LABEL_TRIES = 1000  # rounds of rejection for rows of a wanted class before the class counts as impossible
MOST_AT_ONCE = 200_000


class TaughtMixture(Model):
    """A joint distribution over columns: p(features) by the mixture, p(label | features) by the teacher.

    A component with an owner is a class's own: its rows have that label, and the teacher never gives it.
    Without a label it is the mixture alone. Conditioning on features is exact by Bayes' rule over the
    components; conditioning on the label is exact by rejection, or by the components that own it.
    """

    kind = "taught-mixture"

    def __init__(
        self,
        *,
        names: tuple[str, ...],
        cells: Mapping[str, LeafCells],
        weights: np.ndarray,
        tables: Mapping[str, np.ndarray],
        label: str | None = None,
        teacher: AdditiveTeacher | None = None,
        owners: np.ndarray | None = None,
    ) -> None:
        self.names = names
        self.cells = dict(cells)
        self.weights = normalised(weights)
        self.tables = {name: normalised(table) for name, table in tables.items()}
        self.label = label
        self.teacher = teacher
        self.owners = np.full(len(weights), TAUGHT) if owners is None else np.asarray(owners)

    @property
    def features(self) -> list[str]:
        """The columns that the mixture draws."""
        return [name for name in self.names if name != self.label]

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, from the exact conditional distribution."""
        fixed = dict(where or {})
        wanted = fixed.pop(self.label, None) if self.label else None
        if wanted is None or self.label is None:
            drawn, labels = self._draw(n, fixed, rng)
        else:
            cell = int(self.cells[self.label].assign(np.asarray([wanted]))[0])
            drawn, labels = self._draw_class(n, fixed, cell, rng)
        rows: Encoded = {}
        for name in self.names:
            if name == self.label:
                rows[name] = self.cells[name].draw(labels, rng)
            else:
                rows[name] = self.cells[name].draw(drawn[:, self.features.index(name)], rng)
        for name, value in (where or {}).items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return rows

    def draw_features(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw cells of the features, one column each; shares are met to a rounding."""
        return self.draw_rows(n, rng)[0]

    def draw_rows(
        self, n: int, rng: np.random.Generator, *, fixed: Condition | None = None, owner: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw cells of the features and who owns the rows: of all components, or of one owner's."""
        given = {name: int(self.cells[name].assign(np.asarray([v]))[0]) for name, v in (fixed or {}).items()}
        members = quota(self._posterior(given, owner), n, rng)
        drawn = np.zeros((n, len(self.features)), dtype=np.int32)
        for j, name in enumerate(self.features):
            if name in given:
                drawn[:, j] = given[name]
                continue
            parts = [
                shuffled_cells(self.tables[name][k], count, rng) for k, count in enumerate(members) if count
            ]
            drawn[:, j] = np.concatenate(parts) if parts else 0
        order = rng.permutation(n)
        return drawn[order], np.repeat(self.owners, members)[order]

    def _posterior(self, given: Mapping[str, int], owner: int | None) -> np.ndarray:
        prior = self.weights if owner is None else np.where(self.owners == owner, self.weights, 0.0)
        weights = prior
        for name, cell in given.items():
            weights = weights * self.tables[name][:, cell]
        return np.asarray(weights if weights.sum() > 0 else prior)

    def _draw(self, n: int, fixed: Condition, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw features, then labels along an order of similar rows, and trade labels between neighbours."""
        drawn, labels = self.draw_rows(n, rng, fixed=fixed)
        taught = labels == TAUGHT
        if self.teacher is None or not taught.any():
            return drawn, np.maximum(labels, 0)
        heard = drawn[taught]
        chances = self.teacher.probabilities(heard)
        order = similar_order(self.teacher.spreads(heard), chances @ np.arange(chances.shape[1]), rng)
        labels[taught] = balance_labels(draw_labels(chances, order, rng), chances, heard, order, rng)
        return drawn, labels

    def _draw_class(
        self, n: int, fixed: Condition, cell: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw from the class's own components; or keep drawn rows with the teacher's probability of it."""
        if cell in self.owners:
            return self.draw_rows(n, rng, fixed=fixed, owner=cell)[0], np.full(n, cell)
        assert self.teacher is not None
        kept: list[np.ndarray] = []
        missing, at_once = n, max(1000, 2 * n)
        for _ in range(LABEL_TRIES):
            if missing <= 0:
                break
            drawn, _ = self.draw_rows(min(at_once, MOST_AT_ONCE), rng, fixed=fixed, owner=TAUGHT)
            accepted = drawn[rng.random(len(drawn)) < self.teacher.probabilities(drawn)[:, cell]]
            kept.append(accepted[:missing])
            missing -= len(kept[-1])
            at_once *= 2
        if missing > 0:  # the class has no probability here: hand out rows of the condition as they are
            kept.append(self.draw_rows(missing, rng, fixed=fixed, owner=TAUGHT)[0])
        return np.concatenate(kept) if kept else self.draw_features(0, rng), np.full(n, cell)

    def state(self) -> State:
        """Return names as JSON, everything else as arrays."""
        arrays = {"weights": self.weights, "owners": self.owners}
        for i, name in enumerate(self.names):
            arrays |= {f"cells_{i}_{key}": value for key, value in self.cells[name].state().items()}
            if name in self.tables:
                arrays[f"table_{i}"] = self.tables[name]
        if self.teacher is not None:
            arrays |= {f"teacher_{key}": value for key, value in self.teacher.state().items()}
        return {"names": list(self.names), "label": self.label}, arrays

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        names = tuple(description["names"])
        cells = {name: LeafCells.from_state(_under(f"cells_{i}_", arrays)) for i, name in enumerate(names)}
        tables = {name: arrays[f"table_{i}"] for i, name in enumerate(names) if f"table_{i}" in arrays}
        taught = _under("teacher_", arrays)
        return cls(
            names=names,
            cells=cells,
            weights=arrays["weights"],
            tables=tables,
            label=description["label"],
            owners=arrays["owners"],
            teacher=AdditiveTeacher.from_state(taught) if taught else None,
        )


def _under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of one part of the model, by the names that the part gave them."""
    return {key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)}
