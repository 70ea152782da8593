"""The owner's rows behind a wall: they can be named, not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa

from triplea.schema import Schema
from triplea.tables.bounding import Mask, kept_rows
from triplea.tables.opening import open_source
from triplea.tables.source import BATCH_ROWS, Source, require_columns


class PrivateTable:
    """A table that only an engine can read.

    Public are the kind of container, the name of the source, its path, the schema, and `types`: the type
    of every column as the container declares it (the null type where the rows decide, see PandasSource). The
    privacy unit's row limit is applied to every batch: no reader can go around it.
    """

    __slots__ = ("_kept", "_secret", "_source", "container", "name", "path", "schema", "types")

    def __init__(self, source: Source, *, schema: Schema, secret: bytes | None = None) -> None:
        self.container = source.container
        self.name = source.name
        self.path: Path | None = source.path
        self.schema = schema
        self.types: pa.Schema = source.declared
        self._source = source
        self._secret = secret
        self._kept: Mask | None = None

    def __repr__(self) -> str:
        return f"PrivateTable({self.container}, {self.name})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a PrivateTable cannot be copied or pickled: its rows stay in this process")

    def _arrow_batches(
        self, columns: Sequence[str], batch_rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Yield the asked columns, row limit applied. For engines only.

        With a privacy unit the table is read once more, before the first batch, for the unit's ids.
        """
        unit = self.schema.unit
        if unit is None:
            yield from self._source.batches(columns, batch_rows)
            return
        if self._kept is None:
            ids = (batch.column(0) for batch in self._source.batches([unit.column], batch_rows))
            self._kept = kept_rows(ids, max_rows=unit.max_rows, secret=self._secret)
        start = 0
        for batch in self._source.batches(columns, batch_rows):
            yield batch.filter(pa.array(self._kept[start : start + batch.num_rows]))
            start += batch.num_rows


def open_table(source: Any, *, schema: Schema, secret: bytes | None = None) -> PrivateTable:
    """Open the owner's table; checks names and types against the schema and reads no rows.

    `secret` is for audits that compare two tables: it fixes which rows of a unit are kept.
    """
    opened = open_source(source)
    unit = [schema.unit.column] if schema.unit is not None else []
    require_columns(opened, list(dict.fromkeys([*schema.names, *unit])))
    schema.check_types(opened.layout)
    return PrivateTable(opened, schema=schema, secret=secret)
