"""What an engine is, and the three functions of one batch that every engine maps over a table.

A sum over rows is the sum of the batches' partial sums, in whole numbers, so it does not matter where
or in which order the batches are added. An engine for a cluster is therefore a map of `sum_of_batch`
over batches and an addition; accounting, clipping and noise are elsewhere and stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.queries import SumQuery
from triplea.schema import Column, Encoded, Schema
from triplea.tables import PrivateTable
from triplea.tables.plain import written

IntArray = np.ndarray[Any, np.dtype[np.int64]]


class Engine(Protocol):
    """Reads the rows of a table for the door. What it returns is exact and private."""

    def total(self, table: PrivateTable, schema: Schema, query: SumQuery) -> IntArray:
        """Return the sum of the query's vectors over all rows, in units of its grid."""

    def key_counts(self, table: PrivateTable, column: Column) -> dict[str, int]:
        """Return how many rows hold each value of a column, as the table writes it; nulls are left out."""

    def whole(self, table: PrivateTable, schema: Schema) -> Encoded:
        """Return all rows, encoded; memory grows with the table."""


def part_of(schema: Schema, columns: Sequence[str] | None) -> Schema:
    """Return the schema of the asked columns alone, so that nothing else is read or encoded.

    A query without columns still counts rows, for which one column must be read.
    """
    if columns is None:
        return schema
    names = tuple(dict.fromkeys(columns)) or schema.names[:1]
    return Schema(columns=tuple(schema.column(name) for name in names))


def sum_of_batch(batch: pa.RecordBatch, schema: Schema, query: SumQuery) -> IntArray:
    """Encode one batch and return its partial sum; `schema` holds the query's columns only."""
    return query.partial_sums(schema.encode(batch))


def keys_of_batch(batch: pa.RecordBatch) -> Counter[str]:
    """Count the values of a batch's only column as text; a row counts once or, when null, not at all."""
    column = batch.column(0)
    texts = column if pa.types.is_dictionary(column.type) else written(column)
    counted = pc.value_counts(texts)
    values = counted.field("values")
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    pairs = zip(values.to_pylist(), counted.field("counts").to_pylist(), strict=True)
    counts: Counter[str] = Counter()
    for value, rows in pairs:
        if value is not None:
            counts[value] += rows
    return counts
