"""Records to lines of a table: mean and spread over seeds, and the paper's number beside them."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triplea.bench.paper import BEST, Key, PaperNumber, is_better, paper_numbers
from triplea.bench.records import CLAIMED, NON_PRIVATE, OK, PROVED, Record

GUARANTEES = (PROVED, CLAIMED, NON_PRIVATE)
TITLES = {
    PROVED: "Proved",
    CLAIMED: "Claimed by a paper, not proved",
    NON_PRIVATE: "NON-PRIVATE",
}
# What is shown of an evaluator when no paper asks for more.
HEADLINES = {
    "lightgbm": ("roc_auc", "accuracy"),
    "lightgbm-10k": ("accuracy", "roc_auc"),
    "random-forest": ("accuracy", "roc_auc"),
    "twelve": ("mean.roc_auc", "mean.accuracy", "mean.roc_hard", "mean.prc_hard", "mean.f1_weighted"),
    "mc-gen-1": ("svm.accuracy", "lr.accuracy", "gb.accuracy"),
    "mc-gen-2": ("svm.accuracy", "lr.accuracy", "gb.accuracy"),
    "fidelity": ("tv1", "tv2", "tv2_target"),
    "diversity": ("jsd.total", "kl_mu.total"),
    "dimension-wise": ("share.mean_error", "share.r", "auroc.real", "auroc.synthetic"),
    "quick": ("lightgbm.roc_auc", "logistic_regression.roc_auc", "tv2", "nist"),
}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Everything about a cell but its seed."""

    dataset: str
    method: str
    variant: str
    epsilon: float | None
    evaluator: str
    params: str
    guarantee: str

    @property
    def name(self) -> str:
        """The method with its variant and parameters, if they are not the usual ones."""
        variant = "" if self.variant == "provable" else f" ({self.variant})"
        params = "" if self.params == "{}" else f" {self.params}"
        return f"{self.method}{variant}{params}"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One metric of one setting. `spread` is the standard deviation over seeds; None for one seed."""

    setting: Setting
    metric: str
    seeds: int
    value: float
    spread: float | None
    low: float
    high: float
    statistic: str
    paper: PaperNumber | None
    seconds: float
    mebibytes: float | None

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's."""
        return None if self.paper is None else self.value - self.paper.value


def summarise(records: Iterable[Record], *, every_metric: bool = False) -> list[Line]:
    """Return the lines of all settings that have a score, in the order of the records."""
    groups: dict[Setting, list[Record]] = {}
    for record in records:
        if record.status == OK:
            groups.setdefault(setting_of(record), []).append(record)
    return [
        line
        for setting, found in groups.items()
        for line in _lines(setting, found, every_metric=every_metric)
    ]


def setting_of(record: Record) -> Setting:
    """Return what a record shares with those of other seeds."""
    cell = record.cell
    return Setting(
        dataset=cell.dataset,
        method=cell.method,
        variant=cell.variant,
        epsilon=cell.epsilon,
        evaluator=cell.evaluator,
        params=json.dumps(dict(cell.params), sort_keys=True),
        guarantee=record.guarantee,
    )


def failures(records: Iterable[Record]) -> list[tuple[Setting, str, str, int]]:
    """Return setting, status, reason and number of seeds of the cells without scores."""
    counts: dict[tuple[Setting, str, str], int] = {}
    for record in records:
        if record.status != OK:
            key = (setting_of(record), record.status, record.reason or "")
            counts[key] = counts.get(key, 0) + 1
    return [(*key, count) for key, count in counts.items()]


def _lines(setting: Setting, records: Sequence[Record], *, every_metric: bool) -> list[Line]:
    metrics = list(dict.fromkeys(metric for record in records for metric in record.scores))
    lines = []
    for metric in metrics:
        values = [record.scores[metric] for record in records if metric in record.scores]
        numbers = _beside(setting, metric)
        shown = every_metric or metric in HEADLINES.get(setting.evaluator, ())
        if not numbers and not shown:
            continue
        lines += [_line(setting, metric, values, records, number) for number in numbers or (None,)]
    return lines


def _line(
    setting: Setting,
    metric: str,
    values: Sequence[float],
    records: Sequence[Record],
    paper: PaperNumber | None,
) -> Line:
    best = values[0]
    for value in values:
        best = value if is_better(metric, value, best) else best
    wanted = paper is not None and paper.statistic == BEST
    memory = [record.peak_mib for record in records if record.peak_mib is not None]
    return Line(
        setting=setting,
        metric=metric,
        seeds=len(values),
        value=best if wanted else statistics.fmean(values),
        spread=statistics.stdev(values) if len(values) > 1 else None,
        low=min(values),
        high=max(values),
        statistic="best" if wanted else "mean",
        paper=paper,
        seconds=statistics.fmean(record.seconds.get("release", 0.0) for record in records),
        mebibytes=max(memory) if memory else None,
    )


def _beside(setting: Setting, metric: str) -> tuple[PaperNumber, ...]:
    key = Key(
        dataset=setting.dataset,
        method=setting.method,
        epsilon=setting.epsilon,
        evaluator=setting.evaluator,
        metric=metric,
    )
    return paper_numbers().get(key, ())
