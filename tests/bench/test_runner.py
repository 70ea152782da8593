"""A grid as a whole, in real processes: resumable, and not stopped by a failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bench.support import cell
from triplea.bench.grid import read_grid
from triplea.bench.records import FAILED, OK, append_records, read_records
from triplea.bench.runner import Watcher, cores, run_grid, select
from triplea.errors import UserError

pytest.importorskip("lightgbm")
MISSING = {"name": "naive-bayes", "variants": ["published"]}  # a variant that does not exist: its cell fails
PLAIN: dict[str, Any] = {
    "delta": 1e-5,
    "evaluators": ["fidelity"],
    "blocks": [{"methods": ["naive-bayes", MISSING], "datasets": ["diabetes"]}],
}


def test_a_grid_goes_on_after_a_failure_and_is_not_run_twice(small_data: Path, tmp_path: Path) -> None:
    out, seen = tmp_path / "results.jsonl", []
    grid = read_grid("g", PLAIN)
    watcher = Watcher(planned=seen.append, ended=lambda records: seen.extend(r.status for r in records))
    first = run_grid(grid, out=out, jobs=2, watcher=watcher)
    assert (first.present, first.count(OK), first.count(FAILED)) == (0, 1, 1)
    assert seen[0] == 2 and sorted(seen[1:]) == [FAILED, OK]
    lines = out.read_text()
    again = run_grid(grid, out=out, jobs=2)
    assert (again.present, again.records) == (2, ())
    assert out.read_text() == lines
    assert {record.grid for record in read_records(out)} == {"g"}


def test_retry_runs_what_failed_again(small_data: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    grid = read_grid("g", {**PLAIN, "blocks": [{"methods": ["real"], "datasets": ["diabetes"]}]})
    from tests.bench.support import record

    append_records(out, [replace(record(), cell=grid.cells[0], status=FAILED, scores={})])
    assert run_grid(grid, out=out).present == 1
    assert run_grid(grid, out=out, retry=True).count(OK) == 1
    assert [record.status for record in read_records(out)] == [OK]


def test_cells_can_be_chosen_by_their_fields() -> None:
    cells = [cell(), cell(epsilon=3.0), cell(seed=1, method="privbayes")]
    assert select(cells, {"epsilon": "3"}) == cells[1:2]
    assert select(cells, {"epsilon": "3.0"}) == cells[1:2]
    assert select(cells, {"method": "naive-bayes,privbayes", "seed": "0"}) == cells[:2]


@pytest.mark.parametrize(
    ("only", "text"),
    [
        ({"colour": "red"}, "--only knows no field 'colour'. Fields: method"),
        ({"method": "aim"}, "--only method=aim: the grid has no such cell. It has: naive-bayes, privbayes"),
        ({"method": "privbayes", "seed": "0"}, "leaves no cell"),
    ],
)
def test_a_choice_that_leaves_nothing_is_a_mistake(only: dict[str, str], text: str) -> None:
    with pytest.raises(UserError, match=text):
        select([cell(), cell(seed=1, method="privbayes")], only)


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
