"""CSV files: every column is read as text, so that no type ever depends on a row."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.csv as pa_csv

from triplea.errors import TableError
from triplea.tables.csv_header import Header, read_header
from triplea.tables.plain import MARKED, mark, plain_batches
from triplea.tables.source import BATCH_ROWS, FileStamp, Source

# A record may straddle two blocks, not three: on failure the next size is tried from the start.
_BLOCK_BYTES = (1 << 23, 1 << 26, 1 << 29)
_ZERO = mark(0).encode()
_GZIP_MAGIC = b"\x1f\x8b"
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class CsvSource(Source):
    """A CSV file, plain or gzipped, with a header row.

    The delimiter (comma, semicolon, tab or bar) is found from the header alone. Rows with another number
    of fields than the header are dropped silently; zero bytes and those that are not UTF-8 are replaced; an
    empty field is null. A quote that is never closed takes in the rest of the file, as in every CSV reader.
    """

    container = "csv"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._stamp = FileStamp.of(path)
        with self._open() as stream, _damage_reported(self.name):
            self._header = read_header(stream, name=self.name)
        self.layout = pa.schema([(column, pa.string()) for column in self._header.names])

    def batches(self, columns: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the asked columns as text."""
        return self.batches_counting(columns, batch_rows, ragged=Counter())

    def batches_counting(
        self, columns: Sequence[str], batch_rows: int, *, ragged: Counter[str]
    ) -> Iterator[pa.RecordBatch]:
        """Yield batches; count dropped rows ("ragged") and a lost end ("cut off") for the owner's check."""
        self._stamp.check()
        done = 0
        for block_bytes in _BLOCK_BYTES:
            ragged.clear()
            try:
                for batch in _after(self._rows(columns, batch_rows, block_bytes, ragged), done):
                    done += batch.num_rows
                    yield batch
                return
            except RecordTooLong:
                ragged["cut off"] += 1

    def _rows(
        self, columns: Sequence[str], batch_rows: int, block_bytes: int, ragged: Counter[str]
    ) -> Iterator[pa.RecordBatch]:
        with self._open() as stream, _damage_reported(self.name):
            stream.read(self._header.end)
            yield from read_rows(
                stream, self._header, columns, batch_rows, block_bytes=block_bytes, ragged=ragged
            )

    def _open(self) -> BinaryIO:
        path = self._stamp.path
        with path.open("rb") as raw:
            zipped = raw.read(2) == _GZIP_MAGIC
        return cast(BinaryIO, gzip.open(path, "rb")) if zipped else path.open("rb")


class RecordTooLong(Exception):
    """One record is longer than a block: a huge value, or a quote that is never closed."""


def read_rows(
    stream: BinaryIO,
    header: Header,
    columns: Sequence[str],
    batch_rows: int,
    *,
    block_bytes: int,
    ragged: Counter[str],
    quoted_can_be_null: bool = True,
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a stream that stands right behind its header."""
    valid = Utf8Stream(stream)
    if valid.at_end():
        return
    valid.begin_with(codecs.BOM_UTF8)  # the parser drops one that stands first: let it not be a row's own
    # An empty choice would mean every column to the parser.
    wanted = list(columns) or [header.names[0]]
    try:
        reader = _arrow_reader(valid, header, wanted, block_bytes, ragged, quoted_can_be_null)
        yield from plain_batches(_renamed(reader, wanted), list(columns), batch_rows)
    except pa.ArrowInvalid:
        # The parser's own text quotes rows: it stops here.
        raise RecordTooLong from None


def _after(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """Leave out the first `rows` rows."""
    for batch in batches:
        fresh = batch.slice(min(rows, batch.num_rows))
        rows -= batch.num_rows - fresh.num_rows
        if fresh.num_rows:
            yield fresh


def _arrow_reader(
    stream: Utf8Stream,
    header: Header,
    columns: Sequence[str],
    block_bytes: int,
    ragged: Counter[str],
    quoted_can_be_null: bool,
) -> pa_csv.CSVStreamingReader:
    # Positions instead of names: a name may be anything.
    positions = [str(header.names.index(column)) for column in columns]

    def skip_row(row: object) -> str:
        ragged["ragged"] += 1
        return "skip"

    return pa_csv.open_csv(
        pa.PythonFile(stream, mode="r"),
        read_options=pa_csv.ReadOptions(
            column_names=[str(i) for i in range(len(header.names))], block_size=block_bytes
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=header.delimiter, newlines_in_values=True, invalid_row_handler=skip_row
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict.fromkeys(positions, pa.string()),
            include_columns=positions,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=quoted_can_be_null,
        ),
    )


def _renamed(reader: pa_csv.CSVStreamingReader, columns: list[str]) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        yield pa.RecordBatch.from_arrays(batch.columns, names=columns)


class Utf8Stream(io.RawIOBase):
    """A byte stream whose bytes are valid UTF-8: what is not is marked, and so are zero bytes.

    What is read of a row must not depend on where blocks end, for that depends on the rows before. So no
    block is short, as a record that reaches over a short one would be too long for the parser. None ends
    between a carriage return and a line feed, of which the parser drops the latter even in quotes. And of a
    record with a zero byte that reaches over the end of a block, the parser loses a part.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder("utf-8")(MARKED)
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        """Say yes."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or one less where the last of them would be parted from a line feed."""
        size = size if size > 0 else 1 << 20
        self._fill(size)
        splits = size > 1 and self._ready[size - 1 : size + 1] == b"\r\n"
        cut = size - 1 if splits else size
        out, self._ready = self._ready[:cut], self._ready[cut:]
        return out

    def at_end(self) -> bool:
        """Say whether nothing is left to read."""
        self._fill(0)
        return not self._ready

    def begin_with(self, mark: bytes) -> None:
        """Put bytes before those that are left."""
        self._ready = mark + self._ready

    def _fill(self, size: int) -> None:
        """Have more than `size` bytes ready, unless the end comes before."""
        while len(self._ready) <= size and not self._ended:
            chunk = self._raw.read(size + 1 - len(self._ready))
            self._ended = not chunk
            pending = self._decoder.getstate()[0]
            if not chunk.isascii() or pending:
                chunk = self._decoder.decode(chunk, final=self._ended).encode()
            self._ready += chunk.replace(b"\0", _ZERO)


class _damage_reported:
    """Turn a broken gzip stream into an error that names the file and nothing else."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None and issubclass(kind, _DAMAGED):
            raise TableError(f"{self._name}: the gzip file is damaged or cut off. Copy it again.") from None
