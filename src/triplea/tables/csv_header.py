"""The header of a CSV file: names and delimiter, found and checked before any row is read."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import BinaryIO

from triplea.errors import TableError
from triplea.tables.source import refuse_repeated

_LONGEST_HEADER = 1 << 22
_DELIMITERS = ",;\t|"
_BOM = b"\xef\xbb\xbf"
_OTHER_BOMS = (b"\xff\xfe", b"\xfe\xff")
_QUOTE, _NEWLINE, _RETURN = 0x22, 0x0A, 0x0D


@dataclass(frozen=True, kw_only=True)
class Header:
    """Column names, the delimiter, and the number of bytes up to the first row."""

    names: tuple[str, ...]
    delimiter: str
    end: int


def read_header(stream: BinaryIO, *, name: str) -> Header:
    """Read the first record of a stream, or raise TableError; never quotes what it read.

    A file without a header has a private row in its place, so the texts give positions, not names.
    """
    start = stream.read(_LONGEST_HEADER)
    if start.startswith(_OTHER_BOMS):
        raise TableError(f"{name}: the file is UTF-16. Save it as UTF-8.")
    begin = len(_BOM) if start.startswith(_BOM) else 0
    while begin < len(start) and start[begin] in (_NEWLINE, _RETURN):
        begin += 1
    if begin == len(start):
        raise TableError(f"{name}: the file is empty. It needs a header row with the column names.")
    end = _record_end(start, begin)
    if end is None:
        raise TableError(
            f"{name}: no end of the header row within {_LONGEST_HEADER >> 20} MiB. "
            "Is it a CSV file, and is every quote in the header closed?"
        )
    text = start[begin:end].decode("utf-8", "replace").replace("\x00", "\ufffd")
    try:
        delimiter = _delimiter(text)
        names = _fields(text, delimiter)
    except csv.Error:
        raise TableError(f"{name}: a column name in the header row is too long. Shorten it.") from None
    if all(_is_number(field) for field in names):
        raise TableError(
            f"{name}: the first row holds only numbers, so the header is absent. Add column names."
        )
    refuse_repeated(name, [field for field in names if field])
    return Header(names=tuple(_named(names)), delimiter=delimiter, end=end)


def _record_end(raw: bytes, begin: int) -> int | None:
    """Return where the first record ends, its newline included; None when it does not end."""
    quoted = False
    for position in range(begin, len(raw)):
        byte = raw[position]
        if byte == _QUOTE:
            quoted = not quoted
        elif not quoted and byte in (_NEWLINE, _RETURN):
            paired = byte == _RETURN and raw[position + 1 : position + 2] == b"\n"
            return position + (2 if paired else 1)
    return len(raw) if not quoted and len(raw) < _LONGEST_HEADER else None


def _delimiter(text: str) -> str:
    """Return the delimiter that gives the most names; a comma when none splits the header."""
    return max(_DELIMITERS, key=lambda mark: len(_fields(text, mark)))


def _fields(text: str, delimiter: str) -> list[str]:
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])


def _named(names: list[str]) -> list[str]:
    """Give columns without a name one that no schema will ask for."""
    taken = set(names)
    return [field or _free(taken, position) for position, field in enumerate(names, start=1)]


def _free(taken: set[str], position: int) -> str:
    name = f"column {position}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
