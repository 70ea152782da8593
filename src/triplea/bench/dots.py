"""The picture of many methods at one epsilon: a panel a data set, a dot a method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from triplea.bench.cells import REAL
from triplea.bench.curves import pictured_metric
from triplea.bench.many_curves import HIGHLIGHTED
from triplea.bench.paper import is_better
from triplea.bench.plots import GREY, svg
from triplea.bench.records import PROVED
from triplea.bench.stretch import ceiling_of, stretch_distances, stretch_scores
from triplea.bench.summary import Line, Setting

FEWEST = 6  # methods: fewer are read from the table
GAP = 0.045  # between ticks, in widths of the picture
LONGEST = 44  # letters of a name: longer ones, with parameters, would leave no room for the panels


def dotted(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return the lines of every evaluator that saw many methods on several data sets, at one epsilon."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if line.metric == pictured_metric(line.setting.evaluator) and line.statistic == "mean":
            found.setdefault(line.setting.evaluator, []).append(line)
    return {evaluator: chosen for evaluator, chosen in found.items() if _is_wide(chosen)}


def _is_wide(lines: Sequence[Line]) -> bool:
    methods = {line.setting.name for line in lines if line.setting.method != REAL}
    datasets = {line.setting.dataset for line in lines}
    epsilons = {line.setting.epsilon for line in lines} - {None}
    return len(methods) >= FEWEST and len(datasets) > 1 and len(epsilons) == 1


def draw_dots(lines: Sequence[Line], *, title: str) -> str:
    """Draw the methods one below the other, the best first; filled dots are proved, hollow ones are not."""
    metric = lines[0].metric
    datasets = list(dict.fromkeys(line.setting.dataset for line in lines))
    names = ranked([line for line in lines if line.setting.method != REAL])
    row = rows_of(lines)

    def fill(figure: Any) -> None:
        panels = figure.subplots(1, len(datasets), sharey=True, squeeze=False)[0]
        for axes, dataset in zip(panels, datasets, strict=True):
            chosen = [line for line in lines if line.setting.dataset == dataset]
            _panel(axes, chosen, names, row)
            _scale(axes, chosen, gap=GAP * len(datasets))
            axes.set_title(dataset + _ceiling(lines, dataset), fontsize=10)
        for label in panels[0].get_yticklabels():
            if label.get_text() in HIGHLIGHTED:
                label.set(color=HIGHLIGHTED[label.get_text()], fontweight="bold")
        words = f"{metric}, {'higher' if is_better(metric, 1.0, 0.0) else 'lower'} is better"
        figure.supxlabel(words, fontsize=9)
        figure.suptitle(title, fontsize=11)

    return svg(fill, size=(9.8, 1.3 + 0.24 * len(names)))


def ranked(lines: Sequence[Line]) -> list[str]:
    """Names by their score on the data set that most methods were run on; those that were not come last."""
    sets = [line.setting.dataset for line in lines]
    fullest = max(dict.fromkeys(sets), key=sets.count)
    upwards = is_better(lines[0].metric, 1.0, 0.0)
    row = rows_of(lines)
    score = {row[line.setting]: line.value for line in lines if line.setting.dataset == fullest}
    worst = -1.0 if upwards else 2.0
    names = dict.fromkeys(row[line.setting] for line in lines)
    return sorted(names, key=lambda name: score.get(name, worst), reverse=upwards)


def rows_of(lines: Sequence[Line]) -> dict[Setting, str]:
    """The name of the row of every setting. What was set anew for each data set is one row."""
    settings = dict.fromkeys(line.setting for line in lines)
    kinds: dict[tuple[str, str], list[Setting]] = {}
    for setting in settings:
        kinds.setdefault((setting.method, setting.variant), []).append(setting)
    names = {setting: setting.name for setting in settings}
    for same in kinds.values():
        tables, params = {setting.dataset for setting in same}, {setting.params for setting in same}
        if len(same) == len(tables) == len(params) > 1:
            plain = {setting: replace(setting, params="{}").name for setting in same}
            names |= {setting: f"{name}, set for each table" for setting, name in plain.items()}
    return names


def shortened(name: str) -> str:
    """A name that fits beside the panels; the tables have it in full."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _ceiling(lines: Sequence[Line], dataset: str) -> str:
    """The score of real rows in words; on a scale of what is lacking to it, it cannot be drawn."""
    real = [line for line in lines if (line.setting.dataset, line.setting.method) == (dataset, REAL)]
    shown = real and is_better(real[0].metric, 1.0, 0.0)
    return f"\n(real rows: {real[0].value:.3f})" if shown else ""


def _panel(axes: Any, lines: Sequence[Line], names: Sequence[str], row: Mapping[Setting, str]) -> None:
    for line in lines:
        if line.setting.method == REAL:
            continue
        colour = HIGHLIGHTED.get(line.setting.method, GREY)
        axes.errorbar(
            [line.value],
            [names.index(row[line.setting])],
            xerr=[line.spread or 0.0],
            marker="o",
            markersize=5,
            color=colour,
            markerfacecolor=colour if line.setting.guarantee == PROVED else "white",
            elinewidth=0.8,
        )
    axes.set_yticks(range(len(names)), labels=[shortened(name) for name in names], fontsize=8.5)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _scale(axes: Any, lines: Sequence[Line], *, gap: float) -> None:
    values = [line.value for line in lines if line.setting.method != REAL]
    real = next((line.value for line in lines if line.setting.method == REAL), None)
    if not values:
        return
    if is_better(lines[0].metric, 1.0, 0.0):
        stretch_scores(axes, values, ceiling_of(values, real), axis="x", gap=gap)
    else:
        stretch_distances(axes, values, axis="x", gap=gap)
