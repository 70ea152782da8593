"""What every kind of table offers: names and types without rows, and rows in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

import pyarrow as pa

from triplea.errors import TableError
from triplea.schema import Schema
from triplea.tables.plain import plain_type

BATCH_ROWS = 1 << 18


class Source(ABC):
    """A table that can be read several times, always with the same rows in the same order.

    `layout` holds the name of every column and the type in which the container stores it.
    """

    container: str
    name: str
    layout: pa.Schema
    path: Path | None = None

    @property
    def declared(self) -> pa.Schema:
        """The layout as far as it does not depend on rows: the null type stands where it does."""
        return self.layout

    def delivered(self, table: pa.Table, schema: Schema) -> Any:
        """Return a synthetic table as the type that went in; files and queries give an Arrow table."""
        return table

    @abstractmethod
    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the asked columns, in that order, at most `batch_rows` rows at a time, in plain types."""


def require_columns(source: Source, columns: Sequence[str]) -> None:
    """Raise TableError unless every asked column is there once, in a type that can be read."""
    missing = [name for name in columns if name not in source.layout.names]
    if missing:
        raise TableError(
            f"{source.name}: {listed(missing)} of the schema {_is(missing)} not in the table. Rename or "
            f"remove {_it(missing)} in the schema, or name the right table (a CSV file needs a header row)."
        )
    for name in columns:
        kind = source.layout.field(name).type
        if plain_type(kind) is None:
            raise TableError(
                f'{source.name}: column "{name}" has the type {kind}, which cannot be read. '
                "Convert it to numbers, text, dates or booleans, or leave it out of the schema."
            )


def refuse_repeated(name: str, columns: Sequence[str]) -> None:
    """Raise TableError when two columns share a name; says where, since a name may be a value in disguise."""
    first: dict[str, int] = {}
    for position, column in enumerate(columns, start=1):
        if column in first:
            raise TableError(
                f"{name}: columns {first[column]} and {position} have the same name. "
                "Give every column a name of its own (or add the header row, if it is absent)."
            )
        first[column] = position


@dataclass(frozen=True, kw_only=True)
class FileStamp:
    """Notices that a file was changed between two questions, which must see the same rows."""

    path: Path
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> FileStamp:
        """Take the stamp, or raise TableError when the file cannot be opened."""
        try:
            state = path.stat()
            if not S_ISREG(state.st_mode):  # opening a pipe would wait for its writer
                raise TableError(
                    f"{path}: not a file. Rows are read several times, which a pipe or device does not "
                    "allow: save them to a file first."
                )
            with path.open("rb"):
                pass
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            raise TableError(f"{path}: {reason}. Check the path and the permissions.") from None
        return cls(path=path, size=state.st_size, modified=state.st_mtime_ns)

    def check(self) -> None:
        """Raise TableError when the file is not the one that was opened."""
        if FileStamp.of(self.path) != self:
            raise TableError(f"{self.path}: the file was changed while it was in use. Open it again.")


def listed(names: Sequence[str]) -> str:
    """Name the first ten columns, and how many more there are."""
    shown = ", ".join(f'"{name}"' for name in names[:10])
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"column{'s' if len(names) > 1 else ''} {shown}{more}"


def _is(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"


def _it(names: Sequence[str]) -> str:
    return "them" if len(names) > 1 else "it"
