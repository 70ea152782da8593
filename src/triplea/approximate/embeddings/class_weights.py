"""How often each class is drawn: by its noisy size, or equally where that is public knowledge."""

from __future__ import annotations

import numpy as np

SHOWN = 20  # class codes that a note lists at most


def class_weights(counts: np.ndarray, *, balanced: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
    """Shares of the classes, and notes for the certificate; a class without rows after noise gets none."""
    uniform = np.full(len(counts), 1.0 / len(counts))
    if len(counts) == 1:
        return uniform, ()
    if balanced:
        return uniform, ("labels are uniform: the schema states that the classes are balanced",)
    empty = np.flatnonzero(counts <= 0)
    if len(empty) == len(counts):
        return uniform, ("no class has rows after noise: labels are uniform",)
    shares = np.maximum(counts, 0.0) / np.maximum(counts, 0.0).sum()
    if not len(empty):
        return shares, ()
    codes = ", ".join(str(code) for code in empty[:SHOWN])
    text = f"{len(empty)} of {len(counts)} classes have no rows after noise (class codes {codes})"
    return shares, (f"{text} and get weight zero",)
