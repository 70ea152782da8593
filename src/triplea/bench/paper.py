"""The papers' own numbers, to stand beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

MEAN, BEST = "mean", "best"
# Divergences and distances: the smaller the better.
SMALLER_IS_BETTER = ("tv", "jsd", "kl_mu", "risk", "membership", "share.mean", "share.largest", "auroc.lost")


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a number is about. A paper has no variants: its number stands beside both of ours."""

    dataset: str
    method: str
    epsilon: float | None
    evaluator: str
    metric: str


@dataclass(frozen=True, kw_only=True)
class PaperNumber:
    """A printed number: a mean over runs, or the best of them."""

    paper: str
    table: str
    value: float
    statistic: str = MEAN


@cache
def paper_numbers() -> Mapping[Key, tuple[PaperNumber, ...]]:
    """Return all numbers by what they are about."""
    found: dict[Key, tuple[PaperNumber, ...]] = {}
    for table in _file()["tables"]:
        for key, number in _numbers(table):
            found[key] = (*found.get(key, ()), number)
    return found


def citations() -> dict[str, str]:
    """Return the citation of every paper."""
    return {name: entry["citation"] for name, entry in _file()["papers"].items()}


def table_notes(paper: str) -> dict[str, str]:
    """Return what must be known about the tables of a paper."""
    return {
        table["table"]: table["note"]
        for table in _file()["tables"]
        if table["paper"] == paper and "note" in table
    }


def is_better(metric: str, first: float, second: float) -> bool:
    """Whether the first of two values of a metric is the better one."""
    return first < second if metric.startswith(SMALLER_IS_BETTER) else first > second


@cache
def _file() -> Any:
    inside = resources.files("triplea.bench").joinpath("paper_numbers.yaml")
    return yaml.safe_load(inside.read_text(encoding="utf-8"))


def _numbers(table: Mapping[str, Any]) -> Iterator[tuple[Key, PaperNumber]]:
    for datasets, metric, *values in table["rows"]:
        for column, value in zip(table["columns"], values, strict=True):
            number = PaperNumber(
                paper=table["paper"],
                table=table["table"],
                value=float(value),
                statistic=table.get("statistic", MEAN),
            )
            for dataset in datasets.split("|"):
                key = Key(
                    dataset=dataset.strip(),
                    method=column["method"],
                    epsilon=column.get("epsilon"),
                    evaluator=table["evaluator"],
                    metric=metric,
                )
                yield key, number
