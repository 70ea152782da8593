"""A pair of neighbours on which cluster mixing as published gives itself away.

One class, two numbers, 199 rows at the corners of a square, and one row that differs: left of its corner, or
below it. Two clusters of 99 rows or more are left and right in the first case, bottom and top in the other.
So replacing one row moves both centroids by 0.57, where the published theorem allows sqrt(2)/100.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from triplea.schema import Schema, load_schema

CORNERS = ((0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9))
ROWS_AT_CORNERS = (49, 50, 50, 50)
LEFT, BELOW = (0.0, 0.1), (0.1, 0.0)


def mover_pair() -> tuple[Schema, pa.Table, pa.Table]:
    """The schema, the table, and its neighbour with one row replaced."""
    columns = [{"name": name, "kind": "numeric", "lower": 0.0, "upper": 1.0} for name in ("x", "y")]
    return load_schema({"columns": columns}), _table(LEFT), _table(BELOW)


def _table(mover: tuple[float, float]) -> pa.Table:
    rows = np.vstack([np.repeat(CORNERS, ROWS_AT_CORNERS, axis=0), [mover]])
    return pa.table({"x": rows[:, 0], "y": rows[:, 1]})
