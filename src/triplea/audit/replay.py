"""Record and replay: run a method on a table, then on a neighbour with the same answers forced at the door.

If all that a method learns about rows comes through the door, then with the same answers it must ask the same
questions, end with the same error, or make the same model, certificate and rows; and at every question the
exact answers of the two tables may differ by the priced bound and no more. Whatever breaks this leaks.

A pass is evidence for the tables tried, no proof. A report compares exact answers of real rows: it is for the
owner's eyes only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from triplea.audit.witnesses import Finding, Recorder, Replayer, Step
from triplea.releases.request import Options, Request, prepare
from triplea.releases.run import Release, run
from triplea.tables import open_table


@dataclass(frozen=True, kw_only=True)
class ReplayReport:
    """What one pair of tables showed. `findings` is empty when the method passed."""

    method: str
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def breaking_question(self) -> str | None:
        """The label of the first question that gave the method away."""
        return next((finding.label for finding in self.findings if finding.label is not None), None)

    @property
    def used(self) -> float:
        """The largest share of a priced bound that a question used; 1 is all of it."""
        return max((step.measured / step.allowed for step in self.steps if step.allowed), default=0.0)

    def __str__(self) -> str:
        if self.ok:
            return f"{self.method}: {len(self.steps)} question(s) in bounds, at most {self.used:.0%} used"
        return f"{self.method}: " + "; ".join(str(finding) for finding in self.findings)


def replay(table: Any, neighbour: Any, *, seed: int = 0, **options: Unpack[Options]) -> ReplayReport:
    """Compare a run on `table` with a run on `neighbour` that gets the first run's answers.

    Takes what `triplea.plan` takes. The two tables must be neighbours under the stated relation.
    """
    return replay_request(prepare(**options), table, neighbour, seed=seed)


def replay_request(request: Request, table: Any, neighbour: Any, *, seed: int = 0) -> ReplayReport:
    """The same for a request that is priced already."""
    return Recording(request, table, seed=seed).against(neighbour)


class Recording:
    """A run on one table, written down once to be compared with runs on many neighbours."""

    def __init__(self, request: Request, table: Any, *, seed: int = 0) -> None:
        recorder = Recorder()
        self._request, self._seed = request, seed
        self._outcome = _outcome(request, table, recorder, seed)
        self._questions = recorder.questions

    def against(self, neighbour: Any) -> ReplayReport:
        """Run on a neighbour that gets the recorded answers, and compare."""
        replayer = Replayer(self._questions)
        second = _outcome(self._request, neighbour, replayer, self._seed)
        findings = [*replayer.findings, *replayer.unasked(second.error)]
        if not replayer.diverged:
            findings += _differences(self._outcome, second)
        return ReplayReport(
            method=self._request.method.name, steps=tuple(replayer.steps), findings=tuple(findings)
        )


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    release: Release | None
    error: str | None


# A key shared by both tables: a unit must keep the same rows in both, or the draw would count as a change.
_SECRET = bytes(32)


def _outcome(request: Request, source: Any, witness: Recorder | Replayer, seed: int) -> _Outcome:
    """Run a fresh copy of the method: nothing may pass from one run to the other."""
    method = type(request.method)(**request.method.get_params())
    method.variant = request.method.variant
    try:
        table = open_table(source, schema=request.schema, secret=_SECRET)
        made = run(replace(request, method=method), table, seed=seed, witness=witness)
        return _Outcome(release=made, error=None)
    except Exception as error:
        return _Outcome(release=None, error=f"{type(error).__name__}: {error}")


def _differences(first: _Outcome, second: _Outcome) -> list[Finding]:
    """Whatever a reader of the outcome could tell apart."""
    if first.error != second.error:
        one, two = (outcome.error or "a release" for outcome in (first, second))
        return [Finding(what=f"the first run ended with {one}, the second with {two}")]
    if first.release is None or second.release is None:
        return []
    pairs = [(name, part, _parts(second.release)[name]) for name, part in _parts(first.release).items()]
    return [
        Finding(what=f"{name} differ with the same answers")
        for name, one, two in pairs
        if not _equal(one, two)
    ]


def _parts(release: Release) -> dict[str, Any]:
    description, arrays = release.model.model.state()
    certificate = {name: part for name, part in release.certificate.to_json().items() if name != "created"}
    return {
        "the ledger entries": certificate.pop("entries"),
        "the certificates": certificate,
        "the models": [json.dumps(description, default=str), arrays],
        "the rows": pa.concat_tables(release.tables()),
    }


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_equal(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(_equal, one, two))
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    return bool(one.equals(two)) if isinstance(one, pa.Table) else bool(one == two)
