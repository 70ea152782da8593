"""Processes: limited in time, and never the end of a grid."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bench.support import cell
from triplea.bench import pool
from triplea.bench.pool import Pool
from triplea.bench.records import FAILED, OK, TIMEOUT


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let a shell script play the worker: $3 is the task, $4 the results."""
    script = folder / "worker.sh"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    monkeypatch.setattr(pool.sys, "executable", str(script))


def test_a_task_that_takes_too_long_is_killed_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, f"(sleep 2; touch {tmp_path}/survived) & sleep 60")
    (found,) = Pool(jobs=1, grid="g", limit_seconds=0.3).run([[cell(), cell(evaluator="fidelity")]])
    assert [record.status for record in found] == [TIMEOUT, TIMEOUT]
    assert found[0].reason == "stopped after 0.3 s"
    assert found[0].seconds == {"limit": 0.3}


def test_what_was_done_before_the_limit_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.bench.support import record
    from triplea.bench.records import append_records

    ready = tmp_path / "ready.jsonl"
    append_records(ready, [record()])
    stand_in(tmp_path, monkeypatch, f"cp {ready} $4; sleep 60")
    (found,) = Pool(jobs=1, grid="g", limit_seconds=1).run([[cell(), cell(evaluator="fidelity")]])
    assert [record.status for record in found] == [OK, TIMEOUT]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exit 3", "the process ended with exit code 3"),
        ("kill -9 $$", "the process ended with exit code -9 (no memory left?)"),
    ],
)
def test_a_process_that_dies_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    stand_in(tmp_path, monkeypatch, text)
    (found,) = Pool(jobs=2, grid="g", limit_seconds=None).run([[cell()]])
    assert [(record.status, record.reason) for record in found] == [(FAILED, reason)]


def test_leaving_the_loop_stops_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "grep -q '\"seed\": 0' $3 && exit 0; sleep 60")
    tasks = [[cell(seed=seed)] for seed in range(4)]
    running = Pool(jobs=2, grid="g", limit_seconds=None).run(tasks)
    assert next(running)[0].cell.seed == 0
    running.close()  # type: ignore[attr-defined]


def test_a_worker_has_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, f"echo $OMP_NUM_THREADS $2 > {tmp_path}/seen")
    list(Pool(jobs=1, grid=None, limit_seconds=None).run([[cell()]]))
    assert (tmp_path / "seen").read_text().split() == ["1", "triplea.bench.worker"]
    assert sys.executable


def test_a_worker_can_see_the_end_of_the_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, f"[ -p /dev/stdin ] && touch {tmp_path}/piped")
    list(Pool(jobs=1, grid=None, limit_seconds=None).run([[cell()]]))
    assert (tmp_path / "piped").exists()
