"""Records that nobody had to wait for."""

from __future__ import annotations

from typing import Any

from triplea.bench.cells import Cell
from triplea.bench.records import OK, PROVED, Record


def cell(**changed: Any) -> Cell:
    given: dict[str, Any] = {
        "method": "naive-bayes",
        "dataset": "diabetes",
        "evaluator": "lightgbm",
        "seed": 0,
        "epsilon": 1.0,
        "delta": 1e-5,
    }
    return Cell(**{**given, **changed})


def record(*, scores: dict[str, float] | None = None, guarantee: str = PROVED, **changed: Any) -> Record:
    return Record(
        cell=cell(**changed),
        status=OK,
        guarantee=guarantee,
        scores={"roc_auc": 0.8} if scores is None else scores,
        seconds={"release": 2.0},
        peak_mib=300.0,
        versions={"triplea": "1.2.3"},
        commit="abc",
        machine="a machine",
        finished="2030-01-02T03:04:05+00:00",
        grid="smoke",
    )
