"""Are test rows really held out? Rows that stand in both tables make every score of a model too good."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.evaluate.rows import Rows

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def overlap(train: Rows, test: Rows) -> tuple[float, float]:
    """The share of test rows that equal a training row, and of training rows that equal another one.

    Held-out rows of the same kind meet a training row about as often as training rows meet each other.
    """
    seen, places, times = np.unique(_keys(train), return_inverse=True, return_counts=True)
    if not len(train) or not len(test):
        return 0.0, 0.0
    return float(np.isin(_keys(test), seen).mean()), float((times[places] > 1).mean())


def _keys(rows: Rows) -> NDArray[np.uint64]:
    """One number a row; rows that differ share it by a chance of about 2^-64."""
    keys = np.zeros(len(rows), dtype=np.uint64)
    for name in rows.names:
        values = np.asarray(rows[name], dtype=np.float64) + 0.0  # -0 is 0
        values[np.isnan(values)] = np.nan  # all missing numbers are alike
        keys = (keys ^ values.view(np.uint64)) * _ODD
        keys ^= keys >> _SHIFT
    return keys
