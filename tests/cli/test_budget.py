"""`triplea budget`: the total of all releases, and a limit that holds before a row is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import triplea


@pytest.fixture
def table(stays: Path, tmp_path: Path) -> Path:
    """A table of its own, with no budget file yet."""
    copy = tmp_path / "stays.csv"
    copy.write_bytes((stays / "stays.csv").read_bytes())
    return copy


def release(table: Path, stays: Path, name: str, *, epsilon: float = 1.0) -> int:
    """Release a few rows, and return the exit code."""
    words = ("-m", "independent", "--rows", 5, "-e", epsilon, "-d", 1e-6, "-o", table.parent / name)
    return triplea("release", table, "-s", stays / "stays.json", *words).exit_code


def test_a_table_without_releases_has_spent_nothing(table: Path) -> None:
    done = triplea("budget", table)
    assert done.exit_code == 0, done.output
    assert "No release of this table was counted yet." in done.stdout
    assert "There is no limit." in done.stdout
    assert list(table.parent.iterdir()) == [table]


def test_releases_add_up(table: Path, stays: Path) -> None:
    assert [release(table, stays, name) for name in ("one", "two")] == [0, 0]
    shown = json.loads(triplea("budget", table, "--json").stdout)
    assert shown["delta"] == 1e-6
    assert 1.2 < shown["epsilon"] < 2.0  # two Gaussians cost less than twice one
    assert len(shown["releases"]) == 2
    assert "Together: epsilon = " in triplea("budget", shown["file"]).stdout


def test_a_limit_refuses_before_a_row_is_read(table: Path, stays: Path) -> None:
    assert triplea("budget", table, "--limit", 1.2, "--delta", 1e-6).exit_code == 0
    assert [release(table, stays, name) for name in ("one", "two")] == [0, 2]
    shown = triplea("budget", table)
    assert "Limit: epsilon = 1.2 at delta = 1e-06" in shown.stdout
    assert shown.stdout.count("independent") == 1
    assert not (table.parent / "two").exists()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--limit", -1), "epsilon: got -1.0"),
        (("--limit", 1, "--delta", 2), "delta: got 2.0"),
        (("--delta", 1), "delta: got 1.0"),
    ],
)
def test_a_limit_that_promises_nothing_is_refused(table: Path, words: tuple[object, ...], text: str) -> None:
    done = triplea("budget", table, *words)
    assert done.exit_code == 2
    assert text in done.stderr
    assert list(table.parent.glob("*.budget.json")) == []


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = triplea("budget", tmp_path / "none.csv")
    assert done.exit_code == 2
    assert "none.csv: there is no such table or budget file" in done.stderr
