"""Shifts of a generator's logits under which single columns have the released shares.

For tables too wide to choose among drawn rows, and for generators that are told the class. What the network
says about several columns at once stays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.latent_rows import LatentRows

POOL, LEAST_POOL, NUMBERS = 2_048, 256, 1 << 22
ROUNDS = 8


def with_matched_shares(
    model: LatentRows, shares: Mapping[str, np.ndarray], *, least: float, rng: np.random.Generator
) -> Layers:
    """The model's layers with other last biases; shares count as at least `least`."""
    logits = model.logits(model.inputs(pool_for(model.code.layout.width), {}, rng))
    last = list(model.layers)[-1]
    weights, biases = model.layers[last]
    shifted = biases + matching_shift(logits, model.code.entries, shares, least=least)
    return {**model.layers, last: (weights, shifted.astype(np.float32))}


def pool_for(width: int) -> int:
    """How many drawn inputs stand for all: fewer where rows are wide."""
    return int(np.clip(NUMBERS // max(width, 1), LEAST_POOL, POOL))


def matching_shift(
    logits: np.ndarray, entries: Mapping[str, slice], shares: Mapping[str, np.ndarray], *, least: float
) -> np.ndarray:
    """What to add to the logits of rows, so that each column has its shares on average over them."""
    shift = np.zeros(logits.shape[1])
    for name, place in entries.items():
        if name not in shares:
            continue
        wanted = np.log(np.maximum(shares[name], least))
        mine = logits[:, place]
        for _ in range(ROUNDS):
            step = wanted - np.log(np.maximum(_mean_shares(mine + shift[place]), least))
            shift[place] += step[1:] - step[:1] if mine.shape[1] == 1 else step
    return shift


def _mean_shares(logits: np.ndarray) -> np.ndarray:
    """Mean probabilities of a column's cells; a single entry stands for the second of two."""
    if logits.shape[1] == 1:
        second = float(np.mean(1.0 / (1.0 + np.exp(-logits[:, 0]))))
        return np.array([1.0 - second, second])
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=1, keepdims=True)).mean(axis=0))
