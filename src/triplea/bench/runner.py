"""Run what is left of a grid, and keep every outcome as soon as it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from triplea.bench.cells import Cell, by_release
from triplea.bench.grid import Grid
from triplea.bench.pool import Pool
from triplea.bench.records import OK, Record, append_records, read_records
from triplea.errors import UserError

FILTERS = ("method", "variant", "dataset", "epsilon", "seed", "evaluator")


@dataclass(frozen=True, kw_only=True)
class Watcher:
    """Told of the course of a run: how many cells there are to do, which begin, and which end."""

    planned: Callable[[int], None] = field(default=lambda _cells: None)
    began: Callable[[Sequence[Cell]], None] = field(default=lambda _cells: None)
    ended: Callable[[Sequence[Record]], None] = field(default=lambda _records: None)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How many cells were there before, and what became of the others."""

    present: int
    records: tuple[Record, ...]

    def count(self, status: str) -> int:
        """Return how many of the new records have that status."""
        return sum(record.status == status for record in self.records)


def run_grid(
    grid: Grid,
    *,
    out: Path,
    jobs: int | None = None,
    only: Mapping[str, str] | None = None,
    limit_seconds: float | None = None,
    retry: bool = False,
    watcher: Watcher | None = None,
) -> Outcome:
    """Run the cells of a grid that `out` does not hold yet, and append their records to it.

    With `retry`, cells that failed or were stopped are run again; the last record of a cell counts.
    """
    watch = watcher or Watcher()
    chosen = select(grid.cells, only or {})
    before = read_records(out) if out.exists() else []
    done = {record.cell.id for record in before if record.status == OK or not retry}
    left = [cell for cell in chosen if cell.id not in done]
    watch.planned(len(left))
    pool = Pool(
        jobs=jobs or cores(),
        grid=grid.name,
        limit_seconds=limit_seconds or grid.limit_seconds,
        started=watch.began,
    )
    records: list[Record] = []
    for found in pool.run(by_release(left)):
        append_records(out, found)
        records += found
        watch.ended(found)
    return Outcome(present=len(chosen) - len(left), records=tuple(records))


def select(cells: Sequence[Cell], only: Mapping[str, str]) -> list[Cell]:
    """Return the cells whose fields have the given values; values may be lists with commas."""
    for name in only:
        if name not in FILTERS:
            raise UserError(f"--only knows no field {name!r}. Fields: {', '.join(FILTERS)}.")
    chosen = list(cells)
    for name, text in only.items():
        wanted = [
            _short(part.strip()) if name == "epsilon" else part.strip() for part in str(text).split(",")
        ]
        present = list(dict.fromkeys(_text(cell, name) for cell in cells))
        for value in wanted:
            if value not in present:
                raise UserError(
                    f"--only {name}={value}: the grid has no such cell. It has: {', '.join(present)}."
                )
        chosen = [cell for cell in chosen if _text(cell, name) in wanted]
    if not chosen:
        raise UserError("--only leaves no cell of the grid: no cell has all of these values.")
    return chosen


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _text(cell: Cell, name: str) -> str:
    value = getattr(cell, name)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _short(number: str) -> str:
    """Write a number as cells do: 1.0 is 1. Anything else stays, to be refused by name."""
    try:
        return f"{float(number):g}"
    except ValueError:
        return number
