"""The engine of this process: batches are read once, and summed by all cores."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np
import pyarrow as pa

from triplea.engines.base import IntArray, keys_of_batch, part_of, sum_of_batch
from triplea.queries import SumQuery
from triplea.schema import Column, Encoded, Schema
from triplea.tables import PrivateTable

Answer = TypeVar("Answer")
# Small enough for a batch's arrays to stay in the processor's cache, large enough to hide Python's overhead.
BATCH_ROWS = 1 << 17


class LocalEngine:
    """Sums over rows with a pool of threads; NumPy and Arrow let them run side by side.

    At most `threads + 1` batches are in memory at once, whatever the size of the table. `progress`, if
    given, is called with the number of batches done: for the owner's terminal, never for a log.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        batch_rows: int = BATCH_ROWS,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.threads = threads or _cores()
        self.batch_rows = batch_rows
        self.progress = progress

    def total(self, table: PrivateTable, schema: Schema, query: SumQuery) -> IntArray:
        """Return the sum of the query's vectors over all rows, reading only the query's columns."""
        part = part_of(schema, query.columns)
        total = np.zeros(query.shape, dtype=np.int64)
        batches = table._arrow_batches(part.names, self.batch_rows)
        for partial in self._mapped(lambda batch: sum_of_batch(batch, part, query), batches):
            total += partial
        return total

    def key_counts(self, table: PrivateTable, column: Column) -> dict[str, int]:
        """Return how many rows hold each value of a column, as the table writes it."""
        counts: Counter[str] = Counter()
        for part in self._mapped(keys_of_batch, table._arrow_batches([column.name], self.batch_rows)):
            counts.update(part)
        return dict(counts)

    def whole(self, table: PrivateTable, schema: Schema) -> Encoded:
        """Return all rows, encoded, in the order of the table."""
        parts = [schema.encode(batch) for batch in table._arrow_batches(schema.names, self.batch_rows)]
        if not parts:
            return schema.empty()
        return {name: np.concatenate([part[name] for part in parts]) for name in schema.names}

    def _mapped(
        self, work: Callable[[pa.RecordBatch], Answer], batches: Iterator[pa.RecordBatch]
    ) -> Iterator[Answer]:
        """Yield the answers as they come; the next batch is read while the threads work."""
        done = 0
        running: set[Future[Answer]] = set()
        with ThreadPoolExecutor(self.threads) as pool:
            for batch in batches:
                running.add(pool.submit(work, batch))
                while len(running) > self.threads:
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        done += 1
                        yield self._reported(future, done)
            for future in running:
                done += 1
                yield self._reported(future, done)

    def _reported(self, future: Future[Answer], done: int) -> Answer:
        answer = future.result()
        if self.progress is not None:
            self.progress(done)
        return answer


def _cores() -> int:
    """Cores that this process may use, which in a container are fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
