"""Where a command may write: checked before any work is done, and never left half-written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from triplea.errors import UserError


def check_folder(folder: Path) -> None:
    """Refuse a place where no folder can be made, or whose files cannot be written."""
    existing = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise UserError(f"option out: {str(existing)!r} is a file, not a folder. Choose another place.")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UserError(f"option out: the folder {str(existing)!r} is not writable. Choose another place.")


def check_file(path: Path) -> None:
    """Refuse a place where no file can be written. The folders on the way there will be made."""
    if path.is_dir():
        raise UserError(f"option out: {str(path)!r} is a folder. Name a file, in it or elsewhere.")
    check_folder(path.parent)


def check_new_file(path: Path) -> None:
    """Refuse to write over a file: it may be somebody's table, or a schema that was mended by hand."""
    if path.exists():
        raise UserError(f"option out: {str(path)!r} exists already. Choose another name or remove it.")
    check_folder(path.parent)
    if not path.parent.is_dir():
        raise UserError(
            f"option out: the folder {str(path.parent)!r} does not exist. Create it first, or choose another."
        )


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a place beside `path` for a file that takes its name at the end; a failure leaves nothing."""
    with TemporaryDirectory(dir=path.parent, prefix=".partial-") as folder:
        yield Path(folder) / path.name
        os.replace(Path(folder) / path.name, path)
