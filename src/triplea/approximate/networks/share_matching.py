"""Biases of a generator's last layer, shifted until single columns have the released shares.

For tables too wide to choose among drawn rows: what the network says about several columns at once stays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.latent_rows import LatentRows

POOL, ROUNDS = 2_048, 8


def with_matched_shares(
    model: LatentRows, shares: Mapping[str, np.ndarray], *, least: float, rng: np.random.Generator
) -> Layers:
    """The model's layers with other last biases; shares count as at least `least`."""
    logits = model.logits(model.inputs(POOL, {}, rng))
    last = list(model.layers)[-1]
    weights, biases = model.layers[last]
    shifted = np.array(biases)
    for name, entries in model.code.entries.items():
        wanted = np.log(np.maximum(shares[name], least))
        mine = logits[:, entries]
        shift = np.zeros(mine.shape[1])
        for _ in range(ROUNDS):
            step = wanted - np.log(np.maximum(_mean_shares(mine + shift), least))
            shift += step[1:] - step[:1] if len(shift) == 1 else step
        shifted[entries] += shift
    return {**model.layers, last: (weights, shifted.astype(np.float32))}


def _mean_shares(logits: np.ndarray) -> np.ndarray:
    """Mean probabilities of a column's cells; a single entry stands for the second of two."""
    if logits.shape[1] == 1:
        second = float(np.mean(1.0 / (1.0 + np.exp(-logits[:, 0]))))
        return np.array([1.0 - second, second])
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=1, keepdims=True)).mean(axis=0))
