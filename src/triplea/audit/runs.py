"""Many runs of one request on two tables, each with fresh noise; what an attacker sees is kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np
import pyarrow as pa

from triplea.audit.features import Features, features_of, features_of_error
from triplea.audit.likelihood import Enough, NotingEngine, Shadow, Transcript, log_ratio
from triplea.audit.pairs import Pair
from triplea.engines.one_thread import ONE_THREAD
from triplea.releases.request import Request
from triplea.releases.run import run
from triplea.sample.randomness import public_generator
from triplea.tables import open_table

SECRET = bytes(32)  # of the draw of a unit's rows: the same for both tables
ROWS_DRAWN = 200
CHUNK = 25
Told = Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What one run showed: features of the release, and the log-likelihood ratio if the door was visible.

    `broken` says that the other table, given the same answers, was asked something else.
    """

    features: Features | None
    ratio: float | None = None
    broken: bool = False


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Some runs on one of the two tables: a task for one process."""

    request: Request
    table: pa.Table
    other: pa.Table
    sign: float
    seeds: tuple[int, ...]
    visible: bool
    features: bool = True


def fresh(request: Request) -> Request:
    """The same request with a new copy of its method: nothing passes from one run to the next."""
    method = type(request.method)(**request.method.get_params())
    method.variant = request.method.variant
    return replace(request, method=method)


def look(batch: Batch) -> list[Seen]:
    """Carry out the runs of a batch."""
    return [_one(batch, seed) for seed in batch.seeds]


def _one(batch: Batch, seed: int) -> Seen:
    engine = NotingEngine()
    planned = sum(charge.times for charge in batch.request.charges.values())
    transcript = Transcript(engine, enough=None if batch.features else planned)
    features: Features | None = None
    try:
        table = open_table(batch.table, schema=batch.request.schema, secret=SECRET)
        watched = transcript if batch.visible else None
        made = run(fresh(batch.request), table, seed=seed, engine=engine, witness=watched)
        if batch.features:
            features = features_of(made, rows=ROWS_DRAWN, rng=public_generator(seed, stream=2))
    except Enough:
        pass
    except Exception as error:
        return Seen(features=features_of_error(error))
    if not batch.visible:
        return Seen(features=features)
    shadow = _shadowed(batch, transcript, seed)
    if len(shadow.exacts) < len(transcript.questions):
        return Seen(features=features, broken=True)
    unit = batch.request.schema.unit
    ratio = log_ratio(
        transcript, shadow.exacts, batch.request.charges, rows_per_unit=1 if unit is None else unit.max_rows
    )
    return Seen(features=features, ratio=batch.sign * ratio)


def _shadowed(batch: Batch, transcript: Transcript, seed: int) -> Shadow:
    """The other table's exact answers to the same questions."""
    shadow = Shadow(transcript.questions)
    table = open_table(batch.other, schema=batch.request.schema, secret=SECRET)
    try:
        run(fresh(batch.request), table, seed=seed, engine=NotingEngine(), witness=shadow)
    except Exception:
        pass  # the end of the questions, or of a run that went another way: the answers say which
    return shadow


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let processes that start now use one thread each: they read this when they load their libraries."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


class Pool:
    """Processes that run batches; kept for several attacks, so that compiled programs are reused."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None

    @contextmanager
    def open(self) -> Iterator[Pool]:
        """Start processes when the first batch comes, and end them."""
        if self.workers == 1:
            yield self
            return
        with single_threaded():
            self._executor = ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"))
            try:
                yield self
            finally:
                self._executor.shutdown(wait=True, cancel_futures=True)
                self._executor = None

    def run(self, batches: Sequence[Batch], told: Told | None = None) -> list[list[Seen]]:
        """The outcomes, in the order of the batches."""
        say = told or (lambda _: None)
        if self._executor is None:
            found = []
            for batch in batches:
                found.append(look(batch))
                say(len(batch.seeds))
            return found
        futures: list[Future[list[Seen]]] = [self._executor.submit(look, batch) for batch in batches]
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                say(len(future.result()))
        return [future.result() for future in futures]


def gather(
    pool: Pool, request: Request, pair: Pair, *, runs: int, visible: bool, rng: np.random.Generator,
    features: int | None = None, told: Told | None = None,
) -> tuple[list[Seen], list[Seen]]:  # fmt: skip
    """`runs` runs on each table of a pair; the first `features` of them are looked at in full.

    The others end at the last question of the plan, for what a method makes of the answers takes longer.
    Their noise is the same on both tables, run by run.
    """
    whole = runs if features is None else min(features, runs)
    size = max(1, min(CHUNK, -(-runs // max(pool.workers, 1))))
    batches = []
    shared = [int(seed) for seed in rng.integers(2**62, size=runs - whole)]
    for sign, table, other in ((1.0, pair.table, pair.neighbour), (-1.0, pair.neighbour, pair.table)):
        seeds = [int(seed) for seed in rng.integers(2**62, size=whole)]
        batches += [
            Batch(
                request=request, table=table, other=other, sign=sign, visible=visible, features=full,
                seeds=tuple(part[start : start + size]),
            )
            for full, part in ((True, seeds), (False, shared))
            for start in range(0, len(part), size)
        ]  # fmt: skip
    found = pool.run(batches, told)
    half = len(batches) // 2
    first = [seen for part in found[:half] for seen in part]
    second = [seen for part in found[half:] for seen in part]
    return first, second
