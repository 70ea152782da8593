"""Rows in the clear, for the owner's eyes: evaluation, checks and drafts. Never part of a release."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from triplea.schema import Schema
from triplea.tables.opening import open_source
from triplea.tables.plain import plain_type
from triplea.tables.source import Source, require_columns


def read_all(source: Any, schema: Schema | None = None) -> pa.Table:
    """Read the whole table into memory: the schema's columns, or all that can be read. Nothing is bounded."""
    opened = open_source(source)
    if schema is None:
        columns = [part.name for part in opened.layout if plain_type(part.type) is not None]
    else:
        columns = list(schema.names)
        require_columns(opened, columns)
    return read_columns(opened, columns)


def read_columns(source: Source, columns: list[str]) -> pa.Table:
    """Read the named columns; a table without rows still has its columns and types."""
    batches = list(source.batches(columns))
    if not batches:
        return pa.schema(
            [(name, plain_type(source.layout.field(name).type)) for name in columns]
        ).empty_table()
    return pa.Table.from_batches(batches)
