"""Where the public data sets lie, and how their files become tables."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

from triplea.errors import UserError
from triplea.tables.owner_view import read_all

VARIABLE = "TRIPLEA_DATA"
_REPOSITORY = Path(__file__).resolve().parents[3]


def cache_folder() -> Path:
    """Return the folder that `triplea bench fetch` fills: the platform's cache of this user."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "triplea" / "data"


def data_folders() -> list[Path]:
    """Return where files are looked for, in order."""
    named = os.environ.get(VARIABLE)
    if named and not Path(named).is_dir():
        raise UserError(f"{VARIABLE} names {named!r}, which is no folder. Correct it or unset it.")
    beside = [Path.cwd().parent / "shared" / "data", _REPOSITORY.parent / "shared" / "data"]
    return list(dict.fromkeys([*([Path(named)] if named else []), *beside, cache_folder()]))


def find_file(name: str) -> Path:
    """Return the first file of that name."""
    folders = data_folders()
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    looked = ", ".join(str(folder) for folder in folders)
    stem = name.partition(".")[0]
    raise UserError(
        f"the file {name} was found in none of: {looked}. Set {VARIABLE} to its folder, or run: "
        f"triplea bench fetch {stem}"
    )


def read_file(path: Path) -> pa.Table:
    """Read a Parquet file, or an archive of images with the arrays x_train, y_train, x_test, y_test."""
    return _images(path) if path.suffix == ".npz" else read_all(path)


def _images(path: Path) -> pa.Table:
    """One column a pixel, row by row, then `label` and `split`."""
    with np.load(path) as arrays:
        pixels = np.concatenate([arrays["x_train"], arrays["x_test"]])
        labels = np.concatenate([arrays["y_train"], arrays["y_test"]])
        parts = ["train"] * len(arrays["y_train"]) + ["test"] * len(arrays["y_test"])
    flat = np.asfortranarray(pixels.reshape(len(pixels), -1))
    columns = {f"p{place}": pa.array(flat[:, place]) for place in range(flat.shape[1])}
    return pa.table({**columns, "label": pa.array(labels.astype(np.uint8)), "split": pa.array(parts)})
