"""Dense networks as plain arrays: a name for every layer, its weights (inputs x outputs) and its biases.

NumPy only: a stored generator draws rows without JAX.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

Layers = dict[str, tuple[np.ndarray, np.ndarray]]


def dense_layers(prefix: str, widths: Sequence[int], *, rng: np.random.Generator) -> Layers:
    """Layers `prefix.0`, `prefix.1`, ... between the given widths, uniform in +-sqrt(1/inputs)."""
    layers: Layers = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(widths)):
        reach = inputs**-0.5
        weights = rng.uniform(-reach, reach, (inputs, outputs)).astype(np.float32)
        biases = rng.uniform(-reach, reach, outputs).astype(np.float32)
        layers[f"{prefix}.{index}"] = (weights, biases)
    return layers


def layer_names(layers: Mapping[str, object], prefix: str) -> tuple[str, ...]:
    """The names under a prefix, in order."""
    return tuple(name for name in layers if name.startswith(prefix + "."))


def leaky(values: np.ndarray, slope: float = 0.2) -> np.ndarray:
    """Leaky ReLU."""
    return np.asarray(np.maximum(values, slope * values))


def softmax(values: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def arrays_of(layers: Layers) -> dict[str, np.ndarray]:
    """Weights and biases under names that can be stored."""
    stored: dict[str, np.ndarray] = {}
    for name, (weights, biases) in layers.items():
        stored[f"{name}.weights"] = np.asarray(weights, dtype=np.float32)
        stored[f"{name}.biases"] = np.asarray(biases, dtype=np.float32)
    return stored


def layers_of(arrays: Mapping[str, np.ndarray], names: Sequence[str]) -> Layers:
    """Rebuild what `arrays_of` gave."""
    return {name: (arrays[f"{name}.weights"], arrays[f"{name}.biases"]) for name in names}
