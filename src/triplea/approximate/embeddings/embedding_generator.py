"""A trained generator as a model: noise and a class in, rows out. Drawing needs NumPy only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.generator_network import Parameters, Shape, forward
from triplea.approximate.embeddings.latent_coordinates import LatentCoordinates
from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.model import Condition, Model, State
from triplea.approximate.networks.dense import softmax
from triplea.schema import Encoded

CHUNK_ROWS = 20_000
POOL = 64  # candidates for every conditioned row, up to MOST_POOL in all
MOST_POOL = 50_000


class Outputs(Protocol):
    """What turns a generator's numbers and codes into rows."""

    numbers: int
    blocks: tuple[int, ...]

    @property
    def anchors(self) -> dict[int, tuple[int, np.ndarray]]:
        """For every number with states: its block and the coordinate of every state but the first."""

    def decode(self, numbers: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> Encoded:
        """Rows in the columns' own ranges."""

    def log_chances(
        self, numbers: np.ndarray, chances: list[np.ndarray], fixed: Mapping[str, int | float]
    ) -> np.ndarray:
        """How likely each generated point gives the wanted values, as logarithms."""

    def state(self) -> dict[str, Any]:
        """A JSON-able description."""

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays that go with the description."""


class EmbeddingGenerator(Model):
    """Class weights, the class column, and a network that puts out the other columns."""

    kind = "embedding-generator"

    def __init__(
        self,
        *,
        shape: Shape,
        parameters: Parameters,
        coordinates: Outputs,
        weights: np.ndarray,
        label: str | None,
        classes: Binning | None,
        order: tuple[str, ...],
    ) -> None:
        self.shape = shape
        self.parameters = {name: np.asarray(value, np.float32) for name, value in parameters.items()}
        self.coordinates = coordinates
        self.weights = np.asarray(weights, dtype=float) / np.sum(weights)
        self.label = label
        self.classes = classes
        self.order = order

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows. With `where`, noise is drawn from a pool by how likely it gives the wanted values."""
        fixed = dict(where or {})
        weights = self.weights
        if self.label in fixed and self.classes is not None:
            cell = int(self.classes.assign(np.asarray([fixed[self.label]]))[0])
            weights = np.eye(len(weights))[cell]
        others = {name: value for name, value in fixed.items() if name != self.label}
        made = [
            self._draw(min(CHUNK_ROWS, n - start), weights, others, rng)
            for start in range(0, max(n, 1), CHUNK_ROWS)
        ]
        rows = {name: np.concatenate([part[name] for part in made]) for name in self.order}
        for name, value in fixed.items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return rows

    def _draw(
        self, n: int, weights: np.ndarray, fixed: Mapping[str, int | float], rng: np.random.Generator
    ) -> Encoded:
        if fixed and n:
            noise, labels = self._likely(n, weights, fixed, rng)
        else:
            labels = rng.permutation(np.repeat(np.arange(len(weights)), quota(weights, n, rng)))
            noise = self._noise(n, rng)
        numbers, chances = self._outputs(noise, labels)
        picked = [_pick(own, rng) for own in chances]
        codes = np.stack(picked, axis=1) if picked else np.zeros((n, 0), np.int64)
        rows = self.coordinates.decode(numbers, codes, rng)
        if self.label is not None and self.classes is not None:
            rows[self.label] = self.classes.draw(labels, rng)
        return rows

    def _noise(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(-1.0, 1.0, (n, self.shape.draws)).astype(np.float32)

    def _outputs(self, noise: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        classes = np.eye(self.shape.classes, dtype=np.float32)[labels]
        numbers, logits = forward(np, self.shape, self.parameters, noise, classes)
        if not self.shape.blocks:
            return numbers, []
        ends = np.cumsum(self.shape.blocks)[:-1]
        return numbers, [softmax(own) for own in np.split(logits, ends, axis=1)]

    def _likely(
        self, n: int, weights: np.ndarray, fixed: Mapping[str, int | float], rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Noise and classes, resampled from a pool in proportion to the chance of the given values."""
        size = min(POOL * n, MOST_POOL)
        labels = rng.choice(len(weights), size=size, p=weights)
        noise = self._noise(size, rng)
        numbers, chances = self._outputs(noise, labels)
        logs = self.coordinates.log_chances(numbers, chances, fixed)
        likelihood = np.exp(logs - logs.max())
        chosen = rng.choice(size, size=n, p=likelihood / likelihood.sum())
        return noise[chosen], labels[chosen]

    def state(self) -> State:
        """Sizes, scales and names as JSON; parameters as arrays."""
        description = {
            "shape": asdict(self.shape),
            "coordinates": self.coordinates.state(),
            "label": self.label,
            "classes": None if self.classes is None else self.classes.state(),
            "order": list(self.order),
        }
        own = {f"coordinates.{name}": array for name, array in self.coordinates.arrays().items()}
        return description, {"class_weights": self.weights, **self.parameters, **own}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        sizes: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in description["shape"].items()
        }
        classes, inside = description["classes"], "coordinates."
        own = {name.removeprefix(inside): array for name, array in arrays.items() if name.startswith(inside)}
        kept = {
            name: array
            for name, array in arrays.items()
            if name != "class_weights" and not name.startswith(inside)
        }
        return cls(
            shape=Shape(**sizes),
            parameters=kept,
            coordinates=_outputs(description["coordinates"], own),
            weights=arrays["class_weights"],
            label=description["label"],
            classes=None if classes is None else Binning.from_state(classes),
            order=tuple(description["order"]),
        )


def _outputs(state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Outputs:
    if state.get("kind") == LatentCoordinates.kind:
        return LatentCoordinates.from_state(state, arrays)
    return MixedCoordinates.from_state(state)


def _pick(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One code for every row, by its own chances."""
    steps = np.cumsum(chances, axis=1)
    drawn = rng.random((len(chances), 1)) * steps[:, -1:]
    return np.asarray(np.minimum((steps < drawn).sum(axis=1), chances.shape[1] - 1))
