"""One release and its evaluators, in a process of its own: `python -m triplea.bench.worker TASK RESULTS`.

Every record is written as soon as it is there, so that what was done before a time limit is kept.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from triplea.anonymize.plan import Mechanism
from triplea.bench import provenance
from triplea.bench.cells import ONE_OVER_ROWS, REAL, Cell
from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.ending import end_with_parent
from triplea.bench.evaluators import Material, measure
from triplea.bench.records import (
    CLAIMED,
    FAILED,
    NON_PRIVATE,
    OK,
    PROVED,
    Record,
    append_records,
    expected_guarantee,
)
from triplea.engines import LocalEngine
from triplea.errors import UserError
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table


@dataclass(frozen=True, kw_only=True)
class Made:
    """Synthetic rows, and what is known of their privacy."""

    rows: Any
    guarantee: str
    epsilon_proved: float | None
    delta: float | None


def run_cells(cells: Sequence[Cell], *, grid: str | None, keep: Callable[[Record], None]) -> None:
    """Run cells that share a release; every outcome, good or bad, goes to `keep`."""
    begin = perf_counter()
    try:
        dataset = load_dataset(cells[0].dataset)
        loaded = perf_counter()
        made = _make(cells[0], dataset)
    except Exception as error:
        spent = {"release": round(perf_counter() - begin, 3)}
        for cell in cells:
            keep(
                _finished(
                    cell, grid, FAILED, expected_guarantee(cell), reason=reason_of(error), seconds=spent
                )
            )
        return
    seconds = {"load": round(loaded - begin, 3), "release": round(perf_counter() - loaded, 3)}
    counts = {"train": dataset.train.num_rows, "test": dataset.test.num_rows, "synthetic": made.rows.num_rows}
    threads = int(os.environ.get("TRIPLEA_BENCH_THREADS", "1"))
    material = Material(dataset=dataset, synthetic=made.rows, seed=cells[0].seed, threads=threads)
    for cell in cells:
        start, status, scores, reason = perf_counter(), OK, {}, None
        try:
            scores = measure(cell.evaluator, material)
        except Exception as error:
            status, reason = FAILED, reason_of(error)
        spent = {**seconds, "evaluate": round(perf_counter() - start, 3)}
        facts = {"epsilon_proved": made.epsilon_proved, "delta": made.delta, "rows": counts, "seconds": spent}
        keep(_finished(cell, grid, status, made.guarantee, reason=reason, scores=scores, **facts))


def reason_of(error: Exception) -> str:
    """The error's class, with its text if we wrote it, else with the place where it was raised."""
    if isinstance(error, UserError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "triplea" in frame.filename] or frames
    return f"{type(error).__name__} in {Path(ours[-1].filename).name}, line {ours[-1].lineno}"


def _make(cell: Cell, dataset: Dataset) -> Made:
    """Make the release in this process, on one thread, with repeatable noise: never for use."""
    if cell.method == REAL:
        return Made(rows=dataset.train, guarantee=NON_PRIVATE, epsilon_proved=None, delta=None)
    delta = 1.0 / dataset.train.num_rows if cell.delta == ONE_OVER_ROWS else float(cell.delta or 0.0)
    request = prepare(
        schema=dataset.schema,
        epsilon=float(cell.epsilon or 0.0),
        delta=delta,
        method=cell.method,
        variant=cell.variant,
        neighbours=cell.neighbours,
        params=cell.params,
    )
    table = open_table(dataset.train, schema=request.schema)
    made = run(request, table, seed=cell.seed, engine=LocalEngine(threads=1))
    certificate = made.certificate
    clear = any(charge.mechanism is Mechanism.CLEAR for charge in certificate.charges)
    return Made(
        rows=made.rows,
        guarantee=PROVED if certificate.proved else NON_PRIVATE if clear else CLAIMED,
        epsilon_proved=certificate.epsilon_proved if certificate.proved else None,
        delta=delta,
    )


def _finished(cell: Cell, grid: str | None, status: str, guarantee: str, **facts: Any) -> Record:
    return Record(
        cell=cell,
        grid=grid,
        status=status,
        guarantee=guarantee,
        peak_mib=_peak_mib(),
        versions=provenance.all_versions(),
        commit=provenance.commit(),
        machine=provenance.machine(),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    )


def _peak_mib() -> float:
    """The most memory that this process ever held; the system counts in KiB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def main(task: str, results: str) -> None:
    """Read a task file, run its cells, write their records."""
    given = json.loads(Path(task).read_text(encoding="utf-8"))
    cells = [Cell.from_json(state) for state in given["cells"]]
    run_cells(cells, grid=given["grid"], keep=lambda record: append_records(Path(results), [record]))


if __name__ == "__main__":
    end_with_parent()
    main(*sys.argv[1:])
