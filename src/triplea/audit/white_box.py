"""The exact part: record and replay over many pairs; a failing pair is shrunk to the smallest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.anonymize.plan import Mechanism
from triplea.audit.neighbours import neighbours_of
from triplea.audit.pairs import GENERAL, Pair, lone_answer
from triplea.audit.replay import ReplayReport, replay_request
from triplea.audit.verdicts import WhiteBox
from triplea.errors import MethodError
from triplea.releases.request import Request, prepare

GENERATED = 4
ATTEMPTS = 40  # replays that shrinking may take
SHOWN = 3


def examine(request: Request, pair: Pair, *, rng: np.random.Generator) -> WhiteBox:
    """Replay the pair both ways, generated neighbours of its table, and every general pair that fits."""
    reports: list[ReplayReport] = []
    findings: list[str] = []
    smallest = None
    for tried, asked in _pairs(request, pair, rng):
        report = replay_request(asked, tried.table, tried.neighbour)
        reports.append(report)
        if not report.ok and len(findings) < SHOWN:
            findings.append(f"{tried.name}: {report.findings[0]}")
        if not report.ok and smallest is None:
            smallest = described(shrunk(asked, tried))
    return WhiteBox(
        pairs=len(reports),
        questions=sum(len(report.steps) for report in reports),
        used=max((report.used for report in reports), default=0.0),
        findings=tuple(findings),
        smallest=smallest,
    )


def _pairs(request: Request, pair: Pair, rng: np.random.Generator) -> Iterator[tuple[Pair, Request]]:
    yield pair, request
    yield replace(pair, table=pair.neighbour, neighbour=pair.table), request
    for near in neighbours_of(pair.table, pair.schema, relation=pair.relation, rng=rng, count=GENERATED):
        yield replace(pair, name=near.change, neighbour=near.table), request
    for make in (lone_answer,) if _is_compiled(request) else GENERAL:
        general = make()
        if general.name == pair.name:
            continue
        try:
            yield general, _same_method(request, general)
        except MethodError:
            continue  # a method may refuse a table by its schema


def _is_compiled(request: Request) -> bool:
    """Training is compiled for every shape of a table anew: such a method gets tables of one shape."""
    return any(charge.mechanism is Mechanism.SAMPLED_GAUSSIAN for charge in request.charges.values())


def _same_method(request: Request, pair: Pair) -> Request:
    method = type(request.method)(**request.method.get_params())
    method.variant = request.method.variant
    budget = request.budget
    return prepare(
        schema=pair.schema,
        epsilon=budget.epsilon,
        delta=budget.delta,
        neighbours=pair.relation,
        method=method,
    )


def shrunk(request: Request, pair: Pair) -> Pair:
    """The pair with as few common rows as still break a bound, by halving what is taken out."""
    common, own, other = _parted(pair.table, pair.neighbour)
    left, step, attempts = list(range(common.num_rows)), max(common.num_rows // 2, 1), 0
    while step >= 1 and left and attempts < ATTEMPTS:
        start, removed = 0, False
        while start < len(left) and attempts < ATTEMPTS:
            kept = left[:start] + left[start + step :]
            attempts += 1
            if not _replayed(request, pair, _taken(common, kept), own, other).ok:
                left, removed = kept, True
            else:
                start += step
        step = step if removed and step > 1 and len(left) >= step else step // 2
    rows = _taken(common, left)
    return replace(pair, table=_joined(rows, own), neighbour=_joined(rows, other))


def described(pair: Pair) -> dict[str, Any]:
    """Both tables as plain values; they are made up, so nobody's rows are shown."""
    return {
        "pair": pair.name,
        "first": [{name: str(value) for name, value in row.items()} for row in pair.table.to_pylist()],
        "second": [{name: str(value) for name, value in row.items()} for row in pair.neighbour.to_pylist()],
    }


def _replayed(request: Request, pair: Pair, common: pa.Table, own: pa.Table, other: pa.Table) -> ReplayReport:
    return replay_request(request, _joined(common, own), _joined(common, other))


def _joined(common: pa.Table, own: pa.Table) -> pa.Table:
    return pa.concat_tables([common, own]).unify_dictionaries()


def _parted(table: pa.Table, neighbour: pa.Table) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Rows of both, rows of the first alone, rows of the second alone."""
    texts = [[repr(row) for row in part.to_pylist()] for part in (table, neighbour)]
    shared = Counter(texts[0]) & Counter(texts[1])
    common, own = _split(texts[0], Counter(shared))
    _, other = _split(texts[1], Counter(shared))
    return _taken(table, common), _taken(table, own), _taken(neighbour, other)


def _taken(table: pa.Table, rows: list[int]) -> pa.Table:
    return table.take(pa.array(rows, pa.int64()))


def _split(texts: list[str], shared: Counter[str]) -> tuple[list[int], list[int]]:
    common, own = [], []
    for place, text in enumerate(texts):
        if shared[text] > 0:
            shared[text] -= 1
            common.append(place)
        else:
            own.append(place)
    return common, own
