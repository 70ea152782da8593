"""Single entries and one-hot blocks in JAX: likelihoods, probabilities and draws from logits."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.codes.row_code import Layout

Array = Any
LOGIT_LIMIT = 30.0  # exp of it is far from overflow, and a probability of e^-30 is as good as none


def bounded(logits: Array) -> Array:
    """Logits that can be exponentiated without harm."""
    return jnp.clip(logits, -LOGIT_LIMIT, LOGIT_LIMIT)


def surprise(logits: Array, record: Array, layout: Layout) -> Array:
    """Minus the log-probability of one record under bounded logits."""
    powers = jnp.exp(logits)
    total = jnp.sum(jnp.log1p(powers[: layout.singles])) if layout.singles else 0.0
    if layout.blocks:
        total = total + jnp.sum(jnp.log(powers[layout.singles :] @ membership(layout)))
    return total - jnp.sum(record * logits)


def shares(logits: Array, layout: Layout) -> Array:
    """The probability of every entry, from bounded logits; works on the last axis."""
    powers = jnp.exp(logits)
    single = powers[..., : layout.singles]
    parts = [single / (1.0 + single)]
    if layout.blocks:
        belongs = membership(layout)
        rest = powers[..., layout.singles :]
        parts.append(rest / ((rest @ belongs) @ belongs.T))
    return jnp.concatenate(parts, axis=-1)


def drawn(logits: Array, uniforms: Array, layout: Layout) -> Array:
    """Entries of 0 and 1, drawn by their probabilities with the help of uniform numbers in (0, 1).

    Singles by a threshold; blocks by the largest logit plus Gumbel noise.
    """
    chance = jax.nn.sigmoid(logits[..., : layout.singles])
    parts = [(uniforms[..., : layout.singles] < chance).astype(logits.dtype)]
    noisy = logits - jnp.log(-jnp.log(uniforms)) if layout.blocks else logits
    start = layout.singles
    for width in layout.blocks:
        part = noisy[..., start : start + width]
        parts.append(jax.nn.one_hot(jnp.argmax(part, axis=-1), width, dtype=logits.dtype))
        start += width
    return jnp.concatenate(parts, axis=-1)


def membership(layout: Layout) -> np.ndarray:
    """One row per entry of a block, one column per block: 1 where the entry belongs to the block."""
    owner = np.repeat(np.arange(len(layout.blocks)), layout.blocks)
    return np.asarray(owner[:, None] == np.arange(len(layout.blocks)), dtype=np.float32)
