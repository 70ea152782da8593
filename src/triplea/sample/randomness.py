"""Randomness of the public side: which rows are drawn. It protects nobody, so it may be seeded."""

from __future__ import annotations

import numpy as np

from triplea.errors import UserError


def check_seed(seed: int | None) -> None:
    """Refuse a seed that no generator takes."""
    if seed is not None and (type(seed) is not int or seed < 0):
        raise UserError(
            f"option seed must be a whole number of at least 0, got {seed!r}. Leave it out for none."
        )


def public_generator(seed: int | None = None, *, stream: int = 0) -> np.random.Generator:
    """Return a generator: repeatable for a seed, from the system's entropy without one.

    Streams with different numbers are independent of each other.
    """
    check_seed(seed)
    entropy = [seed, stream] if seed is not None else None
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
