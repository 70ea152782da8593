"""The display of a running grid: how many cells are done, what runs now, and what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

    from triplea.bench.cells import Cell
    from triplea.bench.records import Record
    from triplea.bench.runner import Watcher

SHOWN = 3


@contextmanager
def watched(*, hidden: bool) -> Iterator[Watcher]:
    """Show a bar on stderr; silent when hidden or when nobody watches."""
    from triplea.bench.runner import Watcher

    if hidden or not sys.stderr.isatty():
        yield Watcher()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")  # names get the room that numbers leave
    words = TextColumn("{task.description}", table_column=rest)
    columns = (BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn(), words)
    with Progress(*columns, console=Console(stderr=True), expand=True) as bar:
        display = Display(bar)
        yield Watcher(planned=display.planned, began=display.began, ended=display.ended)


class Display:
    """Keeps a bar up to date."""

    def __init__(self, bar: Progress) -> None:
        self.bar, self.task = bar, bar.add_task("cells", total=None)
        self.running: dict[str, str] = {}

    def planned(self, cells: int) -> None:
        """Say how many cells there are to do."""
        self.bar.update(self.task, total=cells)

    def began(self, cells: Sequence[Cell]) -> None:
        """Add a release to what runs now."""
        self.running[cells[0].release_id] = cells[0].label
        self._describe()

    def ended(self, records: Sequence[Record]) -> None:
        """Count cells, and print why one has no result."""
        from rich.markup import escape

        for record in records:
            self.running.pop(record.cell.release_id, None)
            self.bar.advance(self.task)
            if record.reason:
                said = escape(f"{record.cell.label}, {record.cell.evaluator}: {record.reason}")
                self.bar.console.print(f"[red]{record.status}[/] {said}", highlight=False)
        self._describe()

    def _describe(self) -> None:
        from rich.markup import escape

        names = list(self.running.values())
        more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
        self.bar.update(self.task, description=escape("; ".join([*names[:SHOWN], *more])) or "cells")
