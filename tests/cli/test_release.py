"""`triplea release`: a folder with all its parts, or one paragraph that says what to mend."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.support import triplea
from triplea.releases.run import Release


def test_a_release_folder_has_all_its_parts(released: Path) -> None:
    parts = {path.relative_to(released).as_posix() for path in released.rglob("*") if path.is_file()}
    assert {"data.parquet", "data.csv", "certificate.json", "certificate.md", "datasheet.md"} <= parts
    assert pq.read_table(released / "data.parquet").column_names == ["age", "ward", "readmitted"]


def test_the_guarantee_is_printed(stays: Path, tmp_path: Path) -> None:
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out"),
        *("-m", "independent", "--rows", 10, "--ledger", tmp_path / "budget.json"),
    )
    assert done.exit_code == 0, done.output
    assert "differentially private for adding or removing one row: proved" in done.stdout
    assert "10 synthetic rows" in done.stdout


def test_what_the_method_noted_is_printed(stays: Path, tmp_path: Path) -> None:
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out"),
        *("-m", "clustmix", "--variant", "published", "--accept-unproved"),
        *("-p", "alpha=1", "-p", "sigma_max=0.0001", "--ledger", tmp_path / "budget.json"),
    )
    assert done.exit_code == 0, done.output
    assert "Note: no class has l_min = " in done.stdout and "needs fewer" in done.stdout


def test_a_folder_that_exists_is_refused_before_budget_is_spent(stays: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "budget.json"
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path, "--ledger", ledger)
    )
    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert not ledger.exists()


def test_a_missing_schema_is_named(stays: Path, tmp_path: Path) -> None:
    done = triplea("release", stays / "stays.csv", "-s", "nowhere.json", "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "nowhere.json" in done.stderr
    assert "Traceback" not in done.output


def test_a_negative_epsilon_is_refused(stays: Path, tmp_path: Path) -> None:
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out", "-e", -1)
    )
    assert done.exit_code == 2
    assert "epsilon" in done.stderr


def test_an_unknown_method_is_answered_with_the_known_ones(stays: Path, tmp_path: Path) -> None:
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out", "-m", "magic")
    )
    assert done.exit_code == 2
    assert "magic" in done.stderr
    assert "independent" in done.stderr


def test_a_release_that_cannot_be_written_is_kept_elsewhere(
    stays: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuge = tmp_path / "refuge"
    refuge.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(refuge))
    save = Release.save

    def full(self: Release, folder: Path, *, csv: bool = False) -> Path:
        if refuge not in folder.parents:
            raise OSError(28, "No space left on device")
        return save(self, folder, csv=csv)

    monkeypatch.setattr(Release, "save", full)
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out"),
        *("-m", "independent", "--rows", 10, "--ledger", tmp_path / "budget.json"),
    )
    assert done.exit_code == 2
    assert "No space left on device. The budget is spent, so the release was written to" in done.stderr
    (kept,) = refuge.glob("*/out")
    assert triplea("verify", kept).exit_code == 0


def test_a_weak_promise_is_not_made_silently(stays: Path, tmp_path: Path) -> None:
    done = triplea(
        *("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out", "-e", 100),
        *("-m", "independent", "--rows", 10, "--ledger", tmp_path / "budget.json"),
    )
    assert done.exit_code == 0
    assert "Warning: epsilon = 100 protects little" in done.stderr


def test_a_release_that_is_stopped_says_what_stays(
    stays: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("triplea.release", stop)
    done = triplea("release", stays / "stays.csv", "-s", stays / "stays.json", "-o", tmp_path / "out")
    assert done.exit_code == 130
    assert "Stopped; nothing was written" in done.stderr
    assert list(tmp_path.iterdir()) == []
