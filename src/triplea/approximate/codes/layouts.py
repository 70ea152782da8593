"""Single entries and one-hot blocks in JAX: likelihoods, probabilities and draws from logits."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.row_code import Layout

Array = Any
SMALL_PRODUCT = 1 << 16  # entries times blocks up to which a product is faster than many small sums
LOGIT_LIMIT = 30.0  # exp of it is far from overflow, and a probability of e^-30 is as good as none


def bounded(logits: Array) -> Array:
    """Logits that can be exponentiated without harm."""
    return jnp.clip(logits, -LOGIT_LIMIT, LOGIT_LIMIT)


def surprise(logits: Array, record: Array, layout: Layout) -> Array:
    """Minus the log-probability of one record under bounded logits."""
    powers = jnp.exp(logits)
    total = jnp.sum(jnp.log1p(powers[: layout.singles])) if layout.singles else 0.0
    if layout.blocks:
        total = total + jnp.sum(jnp.log(_block_sums(powers[layout.singles :], layout)))
    return total - jnp.sum(record * logits)


def shares(logits: Array, layout: Layout) -> Array:
    """The probability of every entry, from bounded logits; works on the last axis."""
    powers = jnp.exp(logits)
    single = powers[..., : layout.singles]
    parts = [single / (1.0 + single)]
    rest = powers[..., layout.singles :]
    if _is_small(layout):
        belongs = membership(layout)
        parts.append(rest / ((rest @ belongs) @ belongs.T) if layout.blocks else rest)
    else:
        each = [part / jnp.sum(part, axis=-1, keepdims=True) for part in _equal_blocks(rest, layout)]
        parts.extend(part.reshape(*logits.shape[:-1], -1) for part in each)
    return jnp.concatenate(parts, axis=-1)


def drawn(logits: Array, uniforms: Array, layout: Layout) -> Array:
    """Entries of 0 and 1, drawn by their probabilities with the help of uniform numbers in (0, 1).

    Singles by a threshold; blocks by the largest logit plus Gumbel noise.
    """
    chance = jax.nn.sigmoid(logits[..., : layout.singles])
    parts = [(uniforms[..., : layout.singles] < chance).astype(logits.dtype)]
    noisy = logits - jnp.log(-jnp.log(uniforms)) if layout.blocks else logits
    for part in _equal_blocks(noisy[..., layout.singles :], layout):
        chosen = jax.nn.one_hot(jnp.argmax(part, axis=-1), part.shape[-1], dtype=logits.dtype)
        parts.append(chosen.reshape(*logits.shape[:-1], -1))
    return jnp.concatenate(parts, axis=-1)


def _block_sums(entries: Array, layout: Layout) -> Array:
    """The sum of every block: by a product with 0 and 1 if that is small, else by blocks of equal width."""
    if _is_small(layout):
        return entries @ membership(layout)
    return jnp.concatenate([jnp.sum(part, axis=-1) for part in _equal_blocks(entries, layout)], axis=-1)


def _equal_blocks(entries: Array, layout: Layout) -> list[Array]:
    """Neighbouring blocks of equal width as arrays of (blocks, width)."""
    parts, start = [], 0
    for width, blocks in _runs(layout):
        stop = start + width * blocks
        parts.append(entries[..., start:stop].reshape(*entries.shape[:-1], blocks, width))
        start = stop
    return parts


def _runs(layout: Layout) -> list[tuple[int, int]]:
    """Width and number of neighbouring blocks that are equally wide."""
    return [(width, len(list(same))) for width, same in itertools.groupby(layout.blocks)]


def _is_small(layout: Layout) -> bool:
    return len(layout.blocks) * sum(layout.blocks) <= SMALL_PRODUCT


def membership(layout: Layout) -> np.ndarray:
    """One row per entry of a block, one column per block: 1 where the entry belongs to the block."""
    owner = np.repeat(np.arange(len(layout.blocks)), layout.blocks)
    return np.asarray(owner[:, None] == np.arange(len(layout.blocks)), dtype=np.float32)
