"""Randomness of the public side: which rows are drawn. It protects nobody, so it may be seeded."""

from __future__ import annotations

import numpy as np


def public_generator(seed: int | None = None, *, stream: int = 0) -> np.random.Generator:
    """Return a generator: repeatable for a seed, from the system's entropy without one.

    Streams with different numbers are independent of each other.
    """
    entropy = [seed, stream] if seed is not None else None
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
