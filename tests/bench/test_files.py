"""Files are looked for where the guide says, in that order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triplea.bench import files
from triplea.errors import UserError


def test_the_variable_comes_first_and_the_cache_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "named").mkdir()
    monkeypatch.setenv("TRIPLEA_DATA", str(tmp_path / "named"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folders = files.data_folders()
    assert folders[0] == tmp_path / "named"
    assert folders[-1] == files.cache_folder()
    assert folders[1].parts[-2:] == ("shared", "data")


def test_the_folder_beside_the_current_one_is_looked_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIPLEA_DATA", raising=False)
    (tmp_path / "here").mkdir()
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "x.parquet").touch()
    monkeypatch.chdir(tmp_path / "here")
    assert files.find_file("x.parquet") == tmp_path / "shared" / "data" / "x.parquet"


def test_a_file_that_is_nowhere_is_answered_with_the_cure() -> None:
    with pytest.raises(UserError, match="triplea bench fetch nonsense"):
        files.find_file("nonsense.parquet")


def test_a_variable_that_names_no_folder_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEA_DATA", "/nowhere")
    with pytest.raises(UserError, match="TRIPLEA_DATA names '/nowhere'"):
        files.find_file("x.parquet")


@pytest.mark.parametrize(
    ("system", "part"), [("linux", ".cache"), ("darwin", "Caches"), ("win32", "AppData")]
)
def test_every_platform_has_its_cache(monkeypatch: pytest.MonkeyPatch, system: str, part: str) -> None:
    monkeypatch.setattr(files.sys, "platform", system)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert part in files.cache_folder().parts


def test_images_become_one_column_a_pixel(tmp_path: Path) -> None:
    pixels = np.arange(3 * 4, dtype=np.uint8).reshape(3, 2, 2)
    path = tmp_path / "images.npz"
    np.savez(path, x_train=pixels[:2], y_train=[1, 2], x_test=pixels[2:], y_test=[3])
    table = files.read_file(path)
    assert table.column("p3").to_pylist() == [3, 7, 11]
    assert table.column("label").to_pylist() == [1, 2, 3]
    assert table.column("split").to_pylist() == ["train", "train", "test"]
