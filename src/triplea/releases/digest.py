"""Hashes that tie a certificate to its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from triplea.schema import Schema, dump_schema


def file_sha256(path: Path) -> str:
    """Hash a file without loading it whole."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def files_sha256(paths: Sequence[Path]) -> str:
    """Hash several files, in this order, as one."""
    return hashlib.sha256("".join(file_sha256(path) for path in paths).encode()).hexdigest()


def schema_sha256(schema: Schema) -> str:
    """Hash what a schema says, whatever the layout of its file."""
    text = json.dumps(dump_schema(schema), sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
