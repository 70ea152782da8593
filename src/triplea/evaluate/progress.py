"""Progress of an evaluation: counted steps, shown by whoever wants to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

Report = Callable[[str, float], None]
"""Called with what is being done and the share of the steps that are done, 0 to 1."""


class Steps:
    """Counts steps, times them by stage and tells a `Report`, if there is one."""

    def __init__(self, total: int, report: Report | None = None) -> None:
        self.total = total
        self.done = 0
        self.seconds: dict[str, float] = {}
        self._report = report

    @contextmanager
    def step(self, label: str, *, stage: str) -> Iterator[None]:
        """Time one step and move on by one when it ends."""
        self._tell(label)
        begin = perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + perf_counter() - begin
            self.done += 1
            self._tell(label)

    def _tell(self, label: str) -> None:
        if self._report is not None:
            self._report(label, self.done / max(self.total, self.done, 1))
