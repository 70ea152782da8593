"""Parquet: one file, or a folder of files that hold parts of one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from triplea.errors import TableError
from triplea.tables.pandas_metadata import without_row_types
from triplea.tables.plain import is_text, plain_batches, written
from triplea.tables.source import BATCH_ROWS, FileStamp, Source, refuse_repeated


class ParquetSource(Source):
    """Parquet files. Only the asked columns are read from disk, and text stays dictionary-encoded."""

    container = "parquet"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._stamps = [FileStamp.of(file) for file in _files(path)]
        layouts = [(stamp.path, _layout(stamp.path)) for stamp in self._stamps]
        self.layout = _common_layout(layouts)
        self._declared = _common_layout([(file, without_row_types(layout)) for file, layout in layouts])

    @property
    def declared(self) -> pa.Schema:
        """The layout with the null type for columns that pandas wrote with a type of its rows' choice."""
        return self._declared

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the asked columns, file after file in the order of their names."""
        for stamp in self._stamps:
            stamp.check()
            try:
                yield from read_parquet(stamp.path, self.layout, columns, batch_rows)
            except (pa.ArrowException, OSError):
                raise TableError(f"{stamp.path}: the Parquet file is damaged. Write it again.") from None


def read_parquet(
    file: Path | pa.NativeFile, layout: pa.Schema, columns: Sequence[str], batch_rows: int
) -> Iterator[pa.RecordBatch]:
    """Yield the asked columns of one file in plain types."""
    texts = [name for name in columns if is_text(layout.field(name).type)]
    # Buffering a whole row group ahead costs memory and gains nothing on a local disk.
    with pq.ParquetFile(file, read_dictionary=texts, pre_buffer=False) as opened:
        chosen = list(columns) or opened.schema_arrow.names[:1]
        batches = opened.iter_batches(batch_size=batch_rows, columns=chosen)
        yield from plain_batches(_unified(batches, layout, columns), list(columns), batch_rows)


def _unified(
    batches: Iterator[pa.RecordBatch], layout: pa.Schema, columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Give number columns the folder's common type; text is left as it was read."""
    for batch in batches:
        arrays = [_as_declared(batch.column(name), layout.field(name).type) for name in columns]
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns)) if columns else batch


def _as_declared(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind or is_text(array.type) or pa.types.is_dictionary(array.type):
        return array
    if is_text(kind):
        return written(array) if _is_number(array.type) else array
    return array.cast(kind, safe=False)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*.parquet") if file.is_file() and _visible(file, path))
    if not found:
        raise TableError(f"{path}: no file in this folder ends in .parquet. Name another folder.")
    return found


def _visible(file: Path, folder: Path) -> bool:
    return not any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def _layout(file: Path) -> pa.Schema:
    try:
        layout = pq.read_schema(file)
        names = layout.names  # a name may hold bytes that are no text
    except (pa.ArrowException, OSError, UnicodeError):
        raise TableError(f"{file}: not a Parquet file, or a damaged one. Write it again.") from None
    refuse_repeated(str(file), names)
    return layout


def _common_layout(layouts: list[tuple[Path, pa.Schema]]) -> pa.Schema:
    """Unite the files' layouts; a missing column or types that do not go together name the file."""
    layouts = _without_rounding(layouts)
    first_file, common = layouts[0]
    common = common.remove_metadata()
    for file, layout in layouts[1:]:
        if set(layout.names) != set(common.names):
            raise TableError(f"{file}: its columns are not those of {first_file}. Make them the same.")
        try:
            common = pa.unify_schemas([common, layout.remove_metadata()], promote_options="permissive")
        except pa.ArrowException:
            raise TableError(f"{file}: a column's type does not go with {first_file}. Convert it.") from None
    return common


def _without_rounding(layouts: list[tuple[Path, pa.Schema]]) -> list[tuple[Path, pa.Schema]]:
    """Have columns of floats in some files and integers of 64 bits in others read as text.

    A float does not hold all such integers: in a folder that pandas wrote, one missing value in one file
    would round the numbers in all others, and make one unit of several ids.
    """
    kinds: dict[str, set[pa.DataType]] = {}
    for _, layout in layouts:
        for part in layout:
            kinds.setdefault(part.name, set()).add(part.type)
    apart = {
        name
        for name, found in kinds.items()
        if any(pa.types.is_floating(kind) for kind in found) and found & {pa.int64(), pa.uint64()}
    }

    def readable(part: pa.Field) -> pa.Field:
        return part.with_type(pa.string()) if part.name in apart and _is_number(part.type) else part

    return [(file, pa.schema(map(readable, layout), layout.metadata)) for file, layout in layouts]
