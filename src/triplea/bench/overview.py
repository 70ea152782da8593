"""The first tables of a page: one score a method, by data set or by epsilon, to compare at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triplea.bench.curves import pictured_metric
from triplea.bench.paper import is_better
from triplea.bench.summary import GUARANTEES, TITLES, Line


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A table for one evaluator's first metric, over data sets or over epsilons."""

    evaluator: str
    metric: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def overviews(lines: Sequence[Line]) -> Iterator[Overview]:
    """Yield a table for each evaluator: data sets beside each other, or the epsilons of a single one."""
    for evaluator in dict.fromkeys(line.setting.evaluator for line in lines):
        metric = pictured_metric(evaluator)
        chosen = [line for line in lines if (line.setting.evaluator, line.metric) == (evaluator, metric)]
        datasets = list(dict.fromkeys(line.setting.dataset for line in chosen))
        epsilons = sorted({line.setting.epsilon for line in chosen if line.setting.epsilon is not None})
        if len(datasets) > 1:
            headers = ("method", "guarantee", "epsilon", *datasets)
            rows = _by_dataset(chosen, datasets)
        elif len(epsilons) > 1:
            headers = ("method", "guarantee", *(f"epsilon {epsilon:g}" for epsilon in epsilons))
            rows = _by_epsilon(chosen, epsilons)
        else:
            continue
        yield Overview(evaluator=evaluator, metric=metric, headers=headers, rows=tuple(rows))


def _by_dataset(lines: Sequence[Line], datasets: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """One row a method and epsilon; guarantees are kept apart, and the real rows come last."""
    groups: dict[tuple[int, float, str], dict[str, Line]] = {}
    for line in lines:
        setting = line.setting
        key = (GUARANTEES.index(setting.guarantee), setting.epsilon or 0.0, setting.name)
        groups.setdefault(key, {}).setdefault(setting.dataset, line)
    for guarantee, epsilon, name in sorted(groups):
        found = groups[guarantee, epsilon, name]
        cells = [_cell(found.get(dataset)) for dataset in datasets]
        yield (name, TITLES[GUARANTEES[guarantee]], f"{epsilon:g}" if epsilon else "-", *cells)


def _by_epsilon(lines: Sequence[Line], epsilons: Sequence[float]) -> Iterator[tuple[str, ...]]:
    """One row a method, the best first among those of a guarantee; a score without an epsilon is at all."""
    groups: dict[tuple[int, str], dict[float | None, Line]] = {}
    for line in lines:
        key = (GUARANTEES.index(line.setting.guarantee), line.setting.name)
        groups.setdefault(key, {}).setdefault(line.setting.epsilon, line)
    middle = epsilons[len(epsilons) // 2]

    def place(key: tuple[int, str]) -> tuple[int, float]:
        line = groups[key].get(middle) or next(iter(groups[key].values()))
        return key[0], -line.value if is_better(line.metric, 1.0, 0.0) else line.value

    for guarantee, name in sorted(groups, key=place):
        found = groups[guarantee, name]
        cells = [_cell(found.get(epsilon, found.get(None))) for epsilon in epsilons]
        yield (name, TITLES[GUARANTEES[guarantee]], *cells)


def _cell(line: Line | None) -> str:
    if line is None:
        return "-"
    return f"{line.value:.4f}" if line.spread is None else f"{line.value:.4f} ± {line.spread:.4f}"
