"""Tasks in parallel, each in its own process with one thread, stopped when it takes too long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event, Lock

from triplea.bench.cells import Cell
from triplea.bench.records import FAILED, TIMEOUT, Record, expected_guarantee, read_records
from triplea.engines.one_thread import ONE_THREAD

Started = Callable[[Sequence[Cell]], None]


class Pool:
    """Runs tasks (cells that share a release) in `jobs` processes at a time."""

    def __init__(
        self, *, jobs: int, grid: str | None, limit_seconds: float | None, started: Started | None = None
    ) -> None:
        self.jobs, self.grid, self.limit_seconds = jobs, grid, limit_seconds
        self._started = started or (lambda _: None)
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock, self._stopped = Lock(), Event()

    def run(self, tasks: Sequence[Sequence[Cell]]) -> Iterator[list[Record]]:
        """Yield the records of each task as it ends. Leaving the loop early stops all processes."""
        executor = ThreadPoolExecutor(self.jobs)
        try:
            waiting = [executor.submit(self._one, task) for task in tasks]
            for done in as_completed(waiting):
                yield done.result()
        finally:
            self._stopped.set()
            with self._lock:
                for process in self._running:
                    _kill(process)
            executor.shutdown(wait=True, cancel_futures=True)

    def _one(self, cells: Sequence[Cell]) -> list[Record]:
        if self._stopped.is_set():
            return []
        self._started(cells)
        with tempfile.TemporaryDirectory(prefix="triplea-bench-") as folder:
            task, results = Path(folder) / "task.json", Path(folder) / "results.jsonl"
            described = {"grid": self.grid, "cells": [cell.to_json() for cell in cells]}
            task.write_text(json.dumps(described), encoding="utf-8")
            code = self._wait(self._start(task, results))
            found = read_records(results) if results.exists() else []
        if self._stopped.is_set():
            return found
        done = {record.cell.id for record in found}
        return found + [self._lost(cell, code) for cell in cells if cell.id not in done]

    def _start(self, task: Path, results: Path) -> subprocess.Popen[bytes]:
        debugging = os.environ.get("TRIPLEA_DEBUG") == "1"
        with self._lock:
            process = subprocess.Popen(
                [sys.executable, "-m", "triplea.bench.worker", str(task), str(results)],
                env={**os.environ, **ONE_THREAD},
                stdin=subprocess.PIPE,  # never written to: it closes when this process ends, however it ends
                stdout=subprocess.DEVNULL,
                stderr=None if debugging else subprocess.DEVNULL,
                start_new_session=True,
            )
            self._running.add(process)
        return process

    def _wait(self, process: subprocess.Popen[bytes]) -> int | None:
        """Return the exit code, or None if the time limit was reached."""
        try:
            return process.wait(timeout=self.limit_seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)
            with self._lock:
                self._running.discard(process)
            if process.stdin is not None:
                process.stdin.close()

    def _lost(self, cell: Cell, code: int | None) -> Record:
        """The record of a cell whose process ended before it could write one."""
        guarantee = expected_guarantee(cell)
        if code is None:
            reason, limit = f"stopped after {self.limit_seconds:g} s", float(self.limit_seconds or 0)
            spent = {"limit": limit}
            return Record(
                cell=cell, grid=self.grid, status=TIMEOUT, guarantee=guarantee, reason=reason, seconds=spent
            )
        memory = " (no memory left?)" if code == -signal.SIGKILL else ""
        return Record(
            cell=cell,
            grid=self.grid,
            status=FAILED,
            guarantee=guarantee,
            reason=f"the process ended with exit code {code}{memory}",
        )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Stop a process that still runs, and all that it started."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
