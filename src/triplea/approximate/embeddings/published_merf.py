"""What DP-MERF's public code does with the rows themselves, for the `published` variant.

Rows become raw numbers: numeric columns as they are, categories as their integer codes. Everything that needs
rows (undersampling, the bandwidth from ten of them, the embedding and its noise) is here, as the code has it;
none of it is proved. Noise comes from the generator that is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.model import Condition, Model, State
from triplea.schema import Encoded, Schema, len_of

HELD_OUT = 10  # rows for the bandwidth, which then leave the table
SMALLEST_WEIGHT = 1e-3  # a class weight that noise has made negative becomes this
CHUNK_ENTRIES = 1 << 24  # features of some rows at a time: 128 MiB an array
REASONS = (
    "median heuristic: the bandwidth is the median distance of ten raw rows, which have no protection at all",
    "undersampling: the number of kept rows depends on the class counts, before anything is accounted for",
    "integer codes: categories enter as codes, longer than the one-hot vectors that the sensitivity is for",
    "exact size: means are divided by the true number of rows",
)


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """Noisy class sums by the rows, class weights, the features' directions and bandwidth, and the rows."""

    means: np.ndarray
    weights: np.ndarray
    directions: np.ndarray
    bandwidth: float
    rows: int


def raw_matrix(rows: Encoded, names: tuple[str, ...], schema: Schema) -> np.ndarray:
    """Columns as floats: values in their own units, categories as codes, missing as zero."""
    parts = []
    for name in names:
        column = schema.column(name)
        values = rows[name].astype(float)
        if column.is_countable and not column.is_discrete:
            values = values + float(column.bounds[0])
        parts.append(np.nan_to_num(values))
    return np.stack(parts, axis=1) if parts else np.zeros((len_of(rows), 0))


def classic_noise(epsilon: float, delta: float, releases: int) -> float:
    """Noise multiplier by Renyi accounting with the classic conversion: 6.93 for (1, 1e-5) and two releases.

    >>> round(classic_noise(1.0, 1e-5, 2), 2)
    6.93
    """
    logs = 2.0 * releases * np.log(1.0 / delta)
    return float(releases / (np.sqrt(logs + 2.0 * releases * epsilon) - np.sqrt(logs)))


def median_bandwidth(points: np.ndarray) -> float:
    """The median distance of all pairs; one where that is zero."""
    gaps = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    found = float(np.median(gaps[np.triu_indices(len(points), 1)])) if len(points) > 1 else 0.0
    return found if found > 0 else 1.0


def published_embedding(
    matrix: np.ndarray,
    labels: np.ndarray,
    *,
    classes: int,
    numeric: int,
    features: int,
    undersampling: float,
    noise_multiplier: float,
    rng: np.random.Generator,
) -> Embedded:
    """The embedding as published; the first `numeric` columns are numbers, the others codes."""
    kept = _undersampled(labels, undersampling, rng)
    order = rng.permutation(kept)
    held, used = order[:HELD_OUT], order[HELD_OUT:] if len(order) > HELD_OUT else order
    bandwidth = median_bandwidth(matrix[held, :numeric])
    directions = rng.standard_normal((features // 2, numeric)) / bandwidth
    points, own = matrix[used], labels[used]
    n = max(len(used), 1)
    shape = (classes, embed(points[:1], directions, numeric).shape[1])
    means = np.zeros(shape)
    step = max(1, CHUNK_ENTRIES // max(shape[1], 1))
    for start in range(0, len(points), step):
        part = embed(points[start : start + step], directions, numeric)
        for label in range(classes):
            means[label] += part[own[start : start + step] == label].sum(axis=0)
    sensitivity = 2.0 * (np.sqrt(2.0) if numeric < matrix.shape[1] else 1.0)
    noisy = (means + rng.standard_normal(shape) * noise_multiplier * sensitivity) / n
    counts = np.bincount(own, minlength=classes) + rng.standard_normal(classes) * noise_multiplier * np.sqrt(
        2.0
    )
    weights = np.where(counts > 0, counts / n, SMALLEST_WEIGHT)
    return Embedded(means=noisy, weights=weights, directions=directions, bandwidth=bandwidth, rows=n)


def embed(points: np.ndarray, directions: np.ndarray, numeric: int) -> np.ndarray:
    """Cosines and sines of the numbers with length one, then the codes by the root of their number."""
    angles = points[:, :numeric] @ directions.T
    scale = 1.0 / np.sqrt(max(len(directions), 1))
    codes = points[:, numeric:] / np.sqrt(max(points.shape[1] - numeric, 1))
    return np.concatenate([scale * np.cos(angles), scale * np.sin(angles), codes], axis=1)


def _undersampled(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """All rows but for the commonest class, of which a share is kept."""
    if share >= 1.0 or not len(labels):
        return np.arange(len(labels))
    common = int(np.bincount(labels).argmax())
    rows = rng.permutation(np.flatnonzero(labels == common))
    return np.sort(np.concatenate([np.flatnonzero(labels != common), rows[: int(len(rows) * share)]]))


class PublishedGenerator(Model):
    """The trained network, its batch normalisation folded in; outputs are cut to the columns' ranges."""

    kind = "published-merf"

    def __init__(
        self,
        *,
        layers: Mapping[str, np.ndarray],
        noise: int,
        numeric: int,
        weights: np.ndarray,
        names: tuple[str, ...],
        lowest: np.ndarray,
        binnings: Mapping[str, Binning],
        label: str | None,
        order: tuple[str, ...],
    ) -> None:
        self.layers = {name: np.asarray(array, np.float32) for name, array in layers.items()}
        self.noise, self.numeric, self.names, self.label, self.order = noise, numeric, names, label, order
        self.weights = np.asarray(weights, float) / np.sum(weights)
        self.lowest = np.asarray(lowest, float)
        self.binnings = dict(binnings)

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; given values are written over what was drawn."""
        labels = rng.choice(len(self.weights), size=n, p=self.weights)
        noise = rng.standard_normal((n, self.noise))
        out = outputs(np, self.layers, np.concatenate([noise, labels[:, None]], axis=1), self.numeric)
        rows: Encoded = {}
        for index, name in enumerate(self.names):
            rows[name] = self._inside(name, out[:, index] - self.lowest[index])
        if self.label is not None:
            rows[self.label] = self.binnings[self.label].draw(labels, rng)
        for name, value in dict(where or {}).items():
            rows[name] = np.full(n, value, dtype=rows[name].dtype)
        return {name: rows[name] for name in self.order}

    def _inside(self, name: str, values: np.ndarray) -> np.ndarray:
        edges = self.binnings[name].edges
        if not self.binnings[name].countable:
            return np.asarray(np.clip(values.astype(float), edges[0], edges[-1]))
        whole = np.clip(np.round(values.astype(float)), 0, float(edges[-1]) - 1)
        return np.asarray(np.minimum(whole.astype(np.int64), edges[-1] - 1))

    def state(self) -> State:
        """Names and ranges as JSON; layers as arrays."""
        description: dict[str, Any] = {"noise": self.noise, "numeric": self.numeric, "label": self.label}
        description |= {"names": list(self.names), "order": list(self.order)}
        description["binnings"] = {name: binning.state() for name, binning in self.binnings.items()}
        return description, {"class_weights": self.weights, "lowest": self.lowest, **self.layers}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        kept = {"class_weights", "lowest"}
        return cls(
            layers={name: array for name, array in arrays.items() if name not in kept},
            noise=description["noise"],
            numeric=description["numeric"],
            weights=arrays["class_weights"],
            names=tuple(description["names"]),
            lowest=arrays["lowest"],
            binnings={name: Binning.from_state(own) for name, own in description["binnings"].items()},
            label=description["label"],
            order=tuple(description["order"]),
        )


def outputs(xp: Any, layers: Mapping[str, Any], inputs: Any, numeric: int) -> Any:
    """Two hidden layers with ReLU; sigmoid for codes, ReLU for numbers beside them, else linear."""
    values = inputs
    for index in (0, 1):
        values = xp.maximum(values @ layers[f"weights{index}"] + layers[f"biases{index}"], 0.0)
    values = values @ layers["weights2"] + layers["biases2"]
    if numeric == values.shape[1]:
        return values
    codes = 1.0 / (1.0 + xp.exp(-xp.clip(values[:, numeric:], -30.0, 30.0)))
    return xp.concatenate([xp.maximum(values[:, :numeric], 0.0), codes], axis=1)
