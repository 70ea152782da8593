"""The release folder: data, certificate, model, datasheet; whole or not at all; no pickle.

data.parquet  certificate.json  certificate.md  datasheet.md  datasheet.html
model/{model.json, arrays.npz, schema.json}
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from triplea.anonymize.certificate import Certificate
from triplea.approximate.model import Model
from triplea.errors import ReleaseError, UserError
from triplea.registry import find_method
from triplea.releases.digest import file_sha256, files_sha256
from triplea.releases.facts import release_facts
from triplea.releases.fitted import FittedModel
from triplea.releases.pages import certificate_page, datasheet_page
from triplea.releases.run import Release
from triplea.report.datasheet import datasheet_html
from triplea.schema import dump_schema, load_schema

FORMAT = 1
DATA, CSV, CERTIFICATE, CERTIFICATE_PAGE, DATASHEET, DATASHEET_PAGE = (
    "data.parquet",
    "data.csv",
    "certificate.json",
    "certificate.md",
    "datasheet.md",
    "datasheet.html",
)
MODEL, ARRAYS, SCHEMA = "model/model.json", "model/arrays.npz", "model/schema.json"


def check_destination(folder: Path) -> None:
    """Refuse a place that is taken or cannot be written, before any budget is spent."""
    if folder.exists():
        raise ReleaseError(f"option out: {str(folder)!r} exists already. Choose another folder or remove it.")
    parent = folder.absolute().parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise ReleaseError(
            f"option out: the folder {str(parent)!r} does not exist or is not writable. Create it first."
        )


def save_release(release: Release, folder: Path, *, csv: bool = False) -> Path:
    """Write everything into a hidden folder beside the destination, then rename it."""
    check_destination(folder)
    with whole_folder(folder) as place:
        (place / "model").mkdir()
        _write_rows(release, place, csv=csv)
        _write_model(release.model.model, release.rows_seed, place)
        certificate = replace(
            release.certificate,
            data_sha256=file_sha256(place / DATA),
            model_sha256=files_sha256([place / MODEL, place / ARRAYS]),
        )
        schema = dump_schema(release.schema)
        _write_json(place / CERTIFICATE, certificate.to_json())
        (place / CERTIFICATE_PAGE).write_text(certificate_page(certificate), encoding="utf-8")
        (place / DATASHEET).write_text(datasheet_page(certificate, release.schema), encoding="utf-8")
        page = datasheet_html(release_facts(certificate, release.schema))
        (place / DATASHEET_PAGE).write_text(page, encoding="utf-8")
        _write_json(place / SCHEMA, schema)
    return folder


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give a temporary folder that takes the final name at the end; a failure leaves nothing behind."""
    parent = folder.absolute().parent
    place = Path(tempfile.mkdtemp(prefix=f".{folder.name}.partial-", dir=parent))
    try:
        yield place
        place.chmod(0o755)
        for path in sorted(place.rglob("*")):
            _flush(path)
        _flush(place)
        place.rename(folder.absolute())
        _flush(parent)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def load_release(folder: str | Path) -> Release:
    """Read a release folder back; sampling works without the private table."""
    with damage_named(Path(folder)):
        return _load(Path(folder))


@contextmanager
def damage_named(place: Path) -> Iterator[None]:
    """Turn whatever a damaged file causes into one error; nothing in a release folder is private."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # a damaged file can fail in any way
        raise ReleaseError(
            f"{str(place)!r} is damaged or incomplete ({type(error).__name__}). "
            "Ask the owner for the original."
        ) from error


def _load(place: Path) -> Release:
    certificate = read_certificate(place)
    description = read_json(place / MODEL)
    if description.get("format") != FORMAT:
        raise ReleaseError(
            f"{MODEL} has format {description.get('format')!r}, this version reads format {FORMAT}. "
            f"Read it with the triplea version named in {CERTIFICATE}."
        )
    find_method(certificate.method)  # models register themselves when their method is loaded
    kind = Model.kinds.get(str(description["kind"]))
    if kind is None:
        raise ReleaseError(f"{MODEL} names the unknown model kind {description['kind']!r}.")
    with (place / ARRAYS).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        model = kind.from_state(description["model"], dict(arrays))
    schema = load_schema(place / SCHEMA)
    fitted = FittedModel(model=model, schema=schema, types=_types(place / DATA), hand_over=_as_it_is)
    return Release(model=fitted, certificate=certificate, rows_seed=int(description["rows_seed"]))


def _types(rows: Path) -> pa.Schema:
    """The types the rows were made with: Parquet's own have no seconds, they come back as milliseconds."""
    written = (pa.parquet.read_metadata(rows).metadata or {}).get(b"ARROW:schema")
    if written is None:  # another tool has written the rows anew
        return pa.parquet.read_schema(rows)
    return pa.ipc.read_schema(pa.BufferReader(base64.b64decode(written)))


def read_certificate(place: Path) -> Certificate:
    """Read the certificate of a release folder."""
    return Certificate.from_json(read_json(place / CERTIFICATE))


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object, or say which file of the release is missing or damaged."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise ReleaseError(f"{str(path.parent)!r} is not a release folder: it has no {path.name}.") from None
    except (OSError, ValueError):
        raise ReleaseError(
            f"{path.name} cannot be read as JSON. Ask the owner for the original file."
        ) from None
    if not isinstance(state, dict):
        raise ReleaseError(f"{path.name} must hold a JSON object. Ask the owner for the original file.")
    return state


def _write_rows(release: Release, place: Path, *, csv: bool) -> None:
    """Stream the rows chunk by chunk."""
    chunks = release.tables()
    first = next(chunks)
    with pa.parquet.ParquetWriter(place / DATA, first.schema, compression="zstd") as writer:
        sheet = pa.csv.CSVWriter(place / CSV, plain(first).schema) if csv else None
        for chunk in _chain(first, chunks):
            writer.write_table(chunk)
            if sheet is not None:
                sheet.write_table(plain(chunk))
        if sheet is not None:
            sheet.close()


def plain(table: pa.Table) -> pa.Table:
    """A table without dictionary encoding, which CSV does not know."""
    fields = [
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def _chain(first: pa.Table, rest: Iterator[pa.Table]) -> Iterator[pa.Table]:
    yield first
    yield from rest


def _write_model(model: Model, rows_seed: int, place: Path) -> None:
    description, arrays = model.state()
    _write_json(
        place / MODEL, {"format": FORMAT, "kind": model.kind, "rows_seed": rows_seed, "model": description}
    )
    np.savez_compressed(place / ARRAYS, allow_pickle=False, **arrays)


def _write_json(path: Path, state: dict[str, Any]) -> None:
    path.write_text(json.dumps(state, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")


def _flush(path: Path) -> None:
    """Push a file or folder to the disk, so that the rename cannot overtake its content."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _as_it_is(table: pa.Table) -> pa.Table:
    return table
