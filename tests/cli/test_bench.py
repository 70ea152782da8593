"""`triplea bench`: list, run, show, fetch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.conftest import small_data as small_data
from tests.bench.support import record
from tests.cli.support import triplea
from triplea.bench.records import append_records

GRID = """
delta: 1.0e-5
evaluators: [fidelity]
blocks:
  - {methods: [real], datasets: [diabetes]}
"""


def test_everything_that_can_be_chosen_is_listed() -> None:
    found = json.loads(triplea("bench", "list", "--json").stdout)
    assert "smoke" in {grid["name"] for grid in found["grids"]}
    shown = triplea("bench", "list").output
    for word in ("Grids", "headline", "Data sets", "isolet/dp-merf", "Evaluators", "diversity"):
        assert word in shown


def test_a_grid_runs_and_is_shown(small_data: Path, tmp_path: Path) -> None:
    grid, out = tmp_path / "mine.yaml", tmp_path / "mine.jsonl"
    grid.write_text(GRID)
    done = triplea("bench", "run", grid, "--out", out, "--jobs", 1, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {
        "grid": "mine", "out": str(out), "present": 0, "ok": 1, "failed": 0, "timeout": 0,
    }  # fmt: skip
    again = triplea("bench", "run", grid, "--out", out)
    assert "0 cells done, 0 failed, 0 stopped, 1 were there before." in again.output
    assert "NON-PRIVATE: fidelity" in triplea("bench", "show", out).output


def test_results_are_shown_in_every_format(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    append_records(results, [record(dataset="adult", method="clustmix")])
    assert "0.863 (3a, Table 1)" in triplea("bench", "show", results).output
    assert "## Proved: lightgbm" in triplea("bench", "show", results, "--format", "markdown").output
    assert "<h2>Proved: lightgbm</h2>" in triplea("bench", "show", results, "--format", "html").output
    plain = json.loads(triplea("bench", "show", results, "--json").stdout)
    assert plain[0]["rows"][0]["difference"] == "-0.0630"
    page = tmp_path / "page.md"
    assert triplea("bench", "show", results, "--format", "markdown", "--out", page).exit_code == 0
    assert page.is_file()


def test_places_are_checked_before_anything_runs_or_is_drawn(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    append_records(results, [record()])
    for words in (("run", "smoke"), ("show", results, "--format", "markdown")):
        done = triplea("bench", *words, "--out", tmp_path)
        assert done.exit_code == 2
        assert "is a folder. Name a file" in done.stderr
    assert list(tmp_path.iterdir()) == [results]


def test_a_file_without_results_is_not_shown_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").touch()
    assert "holds no results yet" in triplea("bench", "show", tmp_path / "results.jsonl").stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("run", "nonsense"), "there is no grid 'nonsense'"),
        (("run", "smoke", "--only", "method=nonsense"), "the grid has no such cell"),
        (("run", "smoke", "--only", "method"), "--only expects NAME=VALUE"),
        (("show", "nowhere.jsonl"), "there is no such file"),
        (("fetch", "nonsense"), "there is no data set 'nonsense' to fetch"),
    ],
)
def test_a_mistake_ends_with_two_and_a_sentence(words: tuple[str, ...], text: str) -> None:
    done = triplea("bench", *words)
    assert done.exit_code == 2
    assert text in " ".join(done.output.split())


def test_a_data_set_is_fetched_into_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.bench.test_convert import line_of
    from triplea.bench import downloads, fetch

    source = tmp_path / "rows.csv"
    source.write_text(f"{line_of('diabetes')}\n")
    part = downloads.Download(url=source.as_uri())
    small = downloads.Origin(files=(part,), licence="none", classes={"outcome": {"0": 1}})
    monkeypatch.setitem(downloads.ORIGINS, "diabetes", small)
    monkeypatch.setitem(fetch.FILES, "diabetes", 1)
    done = triplea("bench", "fetch", "diabetes", "--to", tmp_path / "cache")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "cache" / "diabetes.parquet").is_file()
    assert "licence: none" in done.output
