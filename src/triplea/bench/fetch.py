"""Download a public data set, check it, convert it, and put it where the loaders look."""

from __future__ import annotations

import hashlib
import os
import tempfile
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from triplea import __version__
from triplea.bench.convert import Converted, convert
from triplea.bench.downloads import ORIGINS, Download, Origin
from triplea.bench.files import cache_folder
from triplea.bench.recipes import FILES, file_name
from triplea.errors import UserError

TIMEOUT_SECONDS = 60
Progress = Callable[[str], None]


def fetch(
    name: str,
    *,
    folder: Path | None = None,
    origin: Origin | None = None,
    rows: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Fill the cache with one data set and return its file; nothing is left behind if a check fails.

    `origin` and `rows` stand in for the published ones, for a mirror or a part of the data.
    """
    if name not in ORIGINS:
        raise UserError(f"there is no data set {name!r} to fetch. Known: {', '.join(ORIGINS)}.")
    source, say = origin or ORIGINS[name], progress or (lambda _: None)
    files = []
    for part in source.files:
        say(f"downloading {part.name}")
        files.append(download(part))
    say("converting")
    try:
        converted = convert(name, files)
    except (pa.ArrowException, ValueError, KeyError, OSError) as error:
        raise UserError(
            f"data set {name!r}: what was downloaded does not have the published form "
            f"({type(error).__name__}). The source may have changed, or answered with a page of its own."
        ) from None
    check(name, converted, source.classes, rows or FILES[name])
    target = (folder or cache_folder()) / file_name(name)
    say("writing")
    _write(converted, target)
    return target


def download(part: Download) -> bytes:
    """Read one file into memory and compare its checksum, if one is known."""
    data = _get(part.url)
    expected = part.checksum
    if expected is None and part.sums is not None:
        expected = _from_list(_get(part.sums).decode(), part)
    if expected is not None:
        kind, _, value = expected.partition(":")
        got = hashlib.new(kind, data, usedforsecurity=False).hexdigest()
        if got != value:
            raise UserError(
                f"{part.url}: the {kind} checksum is {got}, expected {value}. The file was not kept: it was "
                "damaged on the way, or it has changed."
            )
    return data


def check(name: str, converted: Converted, classes: Mapping[str, Mapping[str, int]], rows: int) -> None:
    """Compare the rows, and the rows of every class, with what is published."""
    columns: dict[str, np.ndarray] = {}
    if isinstance(converted, dict):
        columns["label"] = np.concatenate([converted["y_train"], converted["y_test"]]).astype(str)
        found = len(columns["label"])
    else:
        found = converted.num_rows
        columns = {column: pc.cast(converted.column(column), pa.string()).to_numpy() for column in classes}
    if found != rows:
        raise UserError(f"data set {name!r}: expected {rows:,} rows, got {found:,}. The file was not kept.")
    for column, expected in classes.items():
        counted = dict(Counter(columns[column].tolist()))
        if counted != dict(expected):
            raise UserError(
                f"data set {name!r}: the values of {column!r} should be {dict(expected)}, got {counted}. "
                "The file was not kept."
            )


def _get(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": f"triplea/{__version__}"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
            data: bytes = answer.read()
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or type(error).__name__
        raise UserError(
            f"{url} could not be downloaded: {reason}. Check the connection; or download it by hand and set "
            "TRIPLEA_DATA to the folder of the converted file."
        ) from None
    return data


def _from_list(text: str, part: Download) -> str:
    """Find a file in a list of lines with a sha256 sum and a name."""
    for line in text.splitlines():
        value, _, name = line.strip().partition(" ")
        if name.strip().lstrip("*./") == part.name:
            return f"sha256:{value}"
    raise UserError(f"{part.sums}: the list of checksums does not name {part.name}. The file was not kept.")


def _write(converted: Converted, target: Path) -> None:
    """Write beside the target and rename: a file there is whole, or is not there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(converted, dict):
                np.savez_compressed(file, **converted)
            else:
                pq.write_table(converted, file, compression="zstd")
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
