"""The first table of a page: one score a method and data set, so that methods can be compared at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triplea.bench.summary import GUARANTEES, HEADLINES, TITLES, Line


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A table over data sets for one evaluator's first metric."""

    evaluator: str
    metric: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def overviews(lines: Sequence[Line]) -> Iterator[Overview]:
    """Yield one overview for each evaluator that was run on several data sets."""
    for evaluator in dict.fromkeys(line.setting.evaluator for line in lines):
        metric = HEADLINES.get(evaluator, ("",))[0]
        chosen = [line for line in lines if (line.setting.evaluator, line.metric) == (evaluator, metric)]
        datasets = list(dict.fromkeys(line.setting.dataset for line in chosen))
        if len(datasets) > 1:
            yield Overview(
                evaluator=evaluator,
                metric=metric,
                headers=("method", "guarantee", "epsilon", *datasets),
                rows=tuple(_rows(chosen, datasets)),
            )


def _rows(lines: Sequence[Line], datasets: Sequence[str]) -> Iterator[tuple[str, ...]]:
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


def _cell(line: Line | None) -> str:
    if line is None:
        return "-"
    return f"{line.value:.4f}" if line.spread is None else f"{line.value:.4f} ± {line.spread:.4f}"
