"""Slices: regions of space between cut values of single features, drawn from the vectors themselves.

Cut values are data values, as the paper has it; so the regions themselves tell about rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
ROWS_PER_REGION = 20_000  # clusters cost rows times clusters: regions of this size keep the whole linear


def regions_for(rows: int) -> int:
    """How many regions a table of this size is cut into when nothing else is asked for."""
    return max(1, round(rows / ROWS_PER_REGION))


def slice_randomly(vectors: Floats, regions: int, *, rng: np.random.Generator) -> Whole:
    """Cut the largest region at a random vector's value of a random feature, until there are enough.

    Of a few draws the most even cut is taken, and a region whose vectors are all equal is left whole: fewer
    regions may come out than were asked for.
    """
    region = np.zeros(len(vectors), dtype=np.int64)
    for new in range(1, regions):
        sizes = np.bincount(region, minlength=new).astype(float)
        members = np.flatnonzero(region == int(sizes.argmax()))
        above = _most_even_cut(vectors[members], rng) if sizes.max() > 1 else np.zeros(len(members), bool)
        if not above.any():
            break
        region[members[above]] = new
    return region


def _most_even_cut(vectors: Floats, rng: np.random.Generator, *, draws: int = 8) -> NDArray[np.bool_]:
    best = np.zeros(len(vectors), dtype=bool)
    for _ in range(draws):
        feature, row = rng.integers(vectors.shape[1]), rng.integers(len(vectors))
        above = vectors[:, feature] > vectors[row, feature]
        if abs(above.mean() - 0.5) < abs(best.mean() - 0.5):
            best = above
    return best
