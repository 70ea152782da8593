"""From a model to tables: in one piece, or chunk by chunk so that memory does not grow with rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.approximate.model import Condition, Model
from triplea.sample.weighted import check_weights, draw_weighted
from triplea.schema import Schema

CHUNK_ROWS = 500_000


def draw_tables(
    model: Model,
    schema: Schema,
    n: int,
    *,
    rng: np.random.Generator,
    types: pa.Schema | None = None,
    where: Mapping[str, Any] | None = None,
    weights: str | None = None,
    chunk_rows: int = CHUNK_ROWS,
) -> Iterator[pa.Table]:
    """Yield n synthetic rows in tables of at most `chunk_rows`; with n = 0, one empty table.

    `where` names columns and the values that they shall have, as a user writes them; `weights` names a column
    to add: small classes of the target get more rows, and less weight.
    """
    condition = schema.encode_where(dict(where)) if where else None
    if weights is not None:
        check_weights(weights, schema, condition)
    return (
        _draw(model, schema, min(chunk_rows, n - start), rng, types, condition, weights)
        for start in range(0, max(n, 1), chunk_rows)
    )


def _draw(
    model: Model,
    schema: Schema,
    n: int,
    rng: np.random.Generator,
    types: pa.Schema | None,
    where: Condition | None,
    weights: str | None,
) -> pa.Table:
    if weights is None:
        return schema.decode(model.sample(n, rng=rng, where=where), types=types)
    rows, factors = draw_weighted(model, str(schema.target), n, rng=rng, where=where)
    return schema.decode(rows, types=types).append_column(weights, pa.array(factors))
