"""From a model to tables: in one piece, or chunk by chunk so that memory does not grow with rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.approximate.model import Model
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
    chunk_rows: int = CHUNK_ROWS,
) -> Iterator[pa.Table]:
    """Yield n synthetic rows in tables of at most `chunk_rows`; with n = 0, one empty table.

    `where` names columns and the values that they shall have, as a user writes them.
    """
    condition = schema.encode_where(dict(where)) if where else None
    for start in range(0, max(n, 1), chunk_rows):
        size = min(chunk_rows, n - start)
        yield schema.decode(model.sample(size, rng=rng, where=condition), types=types)


def draw_table(
    model: Model,
    schema: Schema,
    n: int,
    *,
    rng: np.random.Generator,
    types: pa.Schema | None = None,
    where: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Draw n synthetic rows as one table."""
    return pa.concat_tables(draw_tables(model, schema, n, rng=rng, types=types, where=where))
