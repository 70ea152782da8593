"""Places to write: refused before any work is done, and never half-written."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplea.cli import places
from triplea.cli.places import check_file, check_folder, check_new_file, whole_file
from triplea.errors import UserError


def test_a_folder_may_exist_or_be_made(tmp_path: Path) -> None:
    check_folder(tmp_path)
    check_folder(tmp_path / "deep" / "down")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").touch()
    for place in (tmp_path / "rows.csv", tmp_path / "rows.csv" / "deep"):
        with pytest.raises(UserError, match="rows.csv' is a file, not a folder"):
            check_folder(place)


def test_a_folder_without_the_right_to_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places.os, "access", lambda *_: False)
    with pytest.raises(UserError, match="is not writable"):
        check_folder(tmp_path / "new")


def test_an_existing_file_is_not_written_over(tmp_path: Path) -> None:
    check_new_file(tmp_path / "new.csv")
    (tmp_path / "old.csv").touch()
    with pytest.raises(UserError, match="old.csv' exists already"):
        check_new_file(tmp_path / "old.csv")
    with pytest.raises(UserError, match="does not exist. Create it first"):
        check_new_file(tmp_path / "deep" / "new.csv")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with whole_file(path) as place:
        place.write_text("whole")
        assert not path.exists()
    with pytest.raises(ZeroDivisionError), whole_file(path) as place:
        place.write_text("ha")
        raise ZeroDivisionError
    assert path.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    check_file(tmp_path / "deep" / "page.md")
    with pytest.raises(UserError, match="is a folder. Name a file"):
        check_file(tmp_path)
