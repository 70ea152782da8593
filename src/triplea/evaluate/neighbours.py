"""Nearest rows in a mixed table.

Each number column is put into [0, 1] by its public bounds; two different categories are at distance 1. The
distance of two rows is the Euclidean one over columns.
"""

from __future__ import annotations

import numpy as np

from triplea.evaluate.inputs import onehot
from triplea.evaluate.rows import Rows

_BLOCK_ENTRIES = 1 << 24


def points_of(rows: Rows, *, weights: dict[str, float] | None = None) -> np.ndarray:
    """Return rows as float32 points; a missing number stands at .5, a missing category is its own level."""
    blocks = []
    for field in rows.fields:
        weight = np.float32(1.0 if weights is None else weights[field.name])
        values = rows[field.name]
        if field.levels is None:
            scaled = np.nan_to_num((values - field.lower) / field.width, nan=0.5)
            blocks.append(weight * scaled.astype(np.float32)[:, None])
        else:
            size = len(field.levels)
            # Two different corners of the one-hot cube are sqrt(2) apart.
            blocks.append(
                weight * onehot(np.where(values < 0, size, values), size + 1) * np.float32(0.5**0.5)
            )
    return np.concatenate(blocks, axis=1)


def nearest(
    queries: np.ndarray, references: np.ndarray, *, count: int = 1, skip_self: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and positions of the `count` nearest references, nearest first.

    With `skip_self`, the single best match at distance 0 is left out: use it when the queries are among the
    references. Candidates are found by a matrix product; their distances are then computed exactly.
    """
    wanted = min(count + skip_self, len(references))
    squares = np.einsum("ij,ij->i", references, references)
    size = max(1, _BLOCK_ENTRIES // max(len(references), 1))
    distances, positions = [], []
    for start in range(0, len(queries), size):
        block = queries[start : start + size]
        rough = squares - 2.0 * (block @ references.T)
        # Ask for a few more than wanted: float32 may swap rows that are almost equally far.
        some = min(wanted + 4, len(references))
        place = np.argpartition(rough, some - 1, axis=1)[:, :some]
        exact = np.sqrt(
            np.maximum(((block[:, None, :].astype(np.float64) - references[place]) ** 2).sum(axis=2), 0.0)
        )
        order = np.argsort(exact, axis=1, kind="stable")[:, skip_self:wanted]
        distances.append(np.take_along_axis(exact, order, axis=1))
        positions.append(np.take_along_axis(place, order, axis=1))
    if not distances:
        empty = np.zeros((0, max(wanted - skip_self, 0)))
        return empty, empty.astype(np.int64)
    return np.concatenate(distances), np.concatenate(positions)


def inverse_entropy_weights(rows: Rows, *, bins: int = 20) -> dict[str, float]:
    """Return ADS-GAN's weights: a column that varies little counts more. A constant column counts nothing."""
    from triplea.evaluate.binning import cells_of
    from triplea.evaluate.marginals import distribution

    cells = cells_of(rows, bins=bins)
    weights = {}
    for name in rows.names:
        shares = distribution(cells, name)
        shares = shares[shares > 0]
        entropy = float(-(shares * np.log(shares)).sum())
        weights[name] = 1.0 / entropy if entropy > 1e-9 else 0.0
    return weights
