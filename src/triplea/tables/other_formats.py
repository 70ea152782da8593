"""Files that are no table of ours, known by their first bytes: said before they are taken for CSV."""

from __future__ import annotations

from pathlib import Path

from triplea.errors import TableError

_QUERY = 'Name it as "{scheme}:///{path}", with a query such as "SELECT * FROM visits".'
_UNPACK = "Unpack it, or compress it with gzip."
_SHEET = "Save the sheet as CSV in UTF-8."
_PARQUET = "Convert it to Parquet or CSV."
_KNOWN: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"SQLite format 3\x00", "a SQLite database", _QUERY),
    (8, b"DUCK", "a DuckDB database", _QUERY),
    (0, b"PK\x03\x04", "an Excel workbook or a zip archive", _SHEET),
    (0, b"\xd0\xcf\x11\xe0", "an old Excel workbook", _SHEET),
    (0, b"ARROW1", "an Arrow file", _PARQUET),
    (0, b"BZh", "a bzip2 file", _UNPACK),
    (0, b"\xfd7zXZ\x00", "an xz file", _UNPACK),
    (0, b"\x28\xb5\x2f\xfd", "a zstandard file", _UNPACK),
)
_JSON = (".json", ".jsonl", ".ndjson")
LONGEST = 16


def refuse_other_formats(path: Path, start: bytes) -> None:
    """Raise TableError if the first bytes, or the ending, belong to another format; quotes no byte."""
    for offset, mark, what, cure in _KNOWN:
        if start[offset:].startswith(mark):
            scheme = "duckdb" if mark == b"DUCK" else "sqlite"
            raise TableError(f"{path}: this is {what}. {cure.format(scheme=scheme, path=path)}")
    if path.suffix.lower() in _JSON:
        raise TableError(f"{path}: this is JSON. {_PARQUET}")
