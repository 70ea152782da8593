"""The display of a running grid."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.progress import Progress

from tests.bench.support import cell, record
from triplea.bench.records import FAILED
from triplea.cli.bench_progress import Display, watched


def test_the_display_counts_cells_and_names_failures() -> None:
    written = io.StringIO()
    with Progress(console=Console(file=written, width=200)) as bar:
        display = Display(bar)
        display.planned(2)
        display.began([cell()])
        assert bar.tasks[0].description == "naive-bayes on diabetes, epsilon 1, seed 0"
        display.ended([record(), replace(record(seed=1), status=FAILED, reason="no [bold] luck")])
        assert (bar.tasks[0].completed, bar.tasks[0].total) == (2, 2)
        assert bar.tasks[0].description == "cells"
    assert "failed naive-bayes on diabetes, epsilon 1, seed 1, lightgbm: no [bold] luck" in written.getvalue()


def test_many_running_tasks_are_cut_short() -> None:
    with Progress(console=Console(file=io.StringIO())) as bar:
        display = Display(bar)
        for seed in range(5):
            display.began([cell(seed=seed)])
        assert bar.tasks[0].description.endswith("; 2 more")


def test_nothing_is_shown_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with watched(hidden=True) as watcher:
        watcher.planned(3)
        watcher.ended([record()])
    assert capsys.readouterr().err == ""


def test_numbers_are_shown_whole_however_long_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    written.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    with watched(hidden=False) as watcher:
        watcher.planned(32)
        watcher.began([cell()])
        watcher.began([cell(seed=1)])
        watcher.ended([record(seed=2)])
    last = written.getvalue().splitlines()[-2]
    assert "1/32" in last
    assert "0:00:00" in last
    assert "naive-bayes on diabetes" in last
