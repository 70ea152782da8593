"""A score against epsilon: one curve a method and variant, and where to write its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from triplea.bench.records import NON_PRIVATE
from triplea.bench.summary import HEADLINES, Line


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The mean scores of one method. A level has no epsilon: real rows, or rows read in the clear."""

    method: str
    name: str
    guarantee: str
    epsilons: tuple[float, ...]
    values: tuple[float, ...]
    spreads: tuple[float, ...]

    @property
    def is_level(self) -> bool:
        """Whether no epsilon stands behind the score."""
        return self.guarantee == NON_PRIVATE

    @property
    def last(self) -> float:
        """The score at the largest epsilon."""
        return self.values[-1]

    def at(self, epsilon: float) -> float:
        """The score at the measured epsilon that is nearest on a log scale."""
        gaps = np.abs(np.log(self.epsilons) - np.log(epsilon))
        return self.values[int(np.argmin(gaps))]


def pictures_of(lines: Iterable[Line]) -> dict[tuple[str, str], list[Line]]:
    """Return the lines of every data set and evaluator that was run at two or more epsilons."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.metric == pictured_metric(line.setting.evaluator) and line.statistic == "mean":
            found.setdefault((line.setting.dataset, line.setting.evaluator), []).append(line)
    return {
        key: chosen
        for key, chosen in found.items()
        if len({line.setting.epsilon for line in chosen} - {None}) > 1
    }


def pictured_metric(evaluator: str) -> str:
    """Return the number of an evaluator that a picture or an overview shows."""
    return "tv2" if evaluator == "fidelity" else HEADLINES.get(evaluator, ("",))[0]


def curves_of(lines: Sequence[Line]) -> list[Curve]:
    """Join the lines of a method and variant, by epsilon; in the order of their first line."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.setting.name, line.setting.guarantee), []).append(line)
    return [_curve(sorted(group, key=_epsilon)) for group in groups.values()]


def _curve(lines: Sequence[Line]) -> Curve:
    first = lines[0].setting
    return Curve(
        method=first.method,
        name=first.name,
        guarantee=first.guarantee,
        epsilons=tuple(_epsilon(line) for line in lines),
        values=tuple(line.value for line in lines),
        spreads=tuple(line.spread or 0.0 for line in lines),
    )


def _epsilon(line: Line) -> float:
    return line.setting.epsilon or 0.0


def spread_out(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Move heights as little as possible (least squares) until all are `gap` apart and in [low, high].

    Subtracting `gap` times the rank turns "at least `gap` apart" into "not decreasing": pooled neighbours. If
    there is no room for all, the gap shrinks.
    """
    if not wanted:
        return []
    order = np.argsort(wanted, kind="stable")
    step = min(gap, (high - low) / max(len(wanted) - 1, 1))
    steps = step * np.arange(len(wanted))
    blocks: list[tuple[float, int]] = []
    for value in np.asarray(wanted, dtype=float)[order] - steps:
        mean, size = float(value), 1
        while blocks and blocks[-1][0] > mean:
            before, count = blocks.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        blocks.append((mean, size))
    pooled = np.concatenate([np.full(size, mean) for mean, size in blocks])
    placed = np.empty(len(wanted))
    placed[order] = np.clip(pooled, low, high - steps[-1]) + steps
    return placed.tolist()
