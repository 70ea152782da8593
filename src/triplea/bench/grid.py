"""Grids: YAML files that say which cells to run. Everything in them is checked before anything runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from triplea.bench.cells import Cell
from triplea.bench.choices import (
    check_dataset,
    check_delta,
    check_epsilon,
    check_evaluator,
    check_neighbours,
    check_seed,
    known,
)
from triplea.bench.entries import Entry, expand_entry
from triplea.errors import UserError

DEFAULTS: Mapping[str, Any] = {
    "seeds": [0],
    "epsilons": [1.0],
    "delta": "1/n",
    "neighbours": "add-or-remove-one",
    "evaluators": ["lightgbm"],
}
GRID_KEYS = ("title", "description", "paper", "skipped", "limit_seconds", "blocks", *DEFAULTS)
BLOCK_KEYS = ("methods", "datasets", *DEFAULTS)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What a page says of a grid. `skipped`: what of a paper's table is left out, and why."""

    name: str
    title: str
    description: str
    skipped: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Grid(Heading):
    """A checked grid with its cells."""

    limit_seconds: float | None
    cells: tuple[Cell, ...]


def grid_names() -> list[str]:
    """Return the names of the grids that come with the package."""
    folder = resources.files("triplea.bench").joinpath("grids")
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def load_grid(source: str | Path) -> Grid:
    """Read a grid: the name of a packaged one, or the path of a YAML file."""
    return read_grid(*_plain_of(source))


def load_heading(source: str | Path) -> Heading:
    """Read what a page says of a grid. Its cells are not listed, so no method has to be loaded for it."""
    return Heading(**_heading(*_plain_of(source)))


def read_grid(name: str, plain: Any) -> Grid:
    """Check a grid's mapping and list its cells."""
    where, heading = f"grid {name}", _heading(name, plain)
    blocks = _list(plain, "blocks", where)
    listed = [
        cell
        for number, block in enumerate(blocks, 1)
        for cell in _cells(plain, block, f"{where}, block {number}")
    ]
    limit = plain.get("limit_seconds")
    if limit is not None and not (isinstance(limit, int | float) and limit > 0):
        raise UserError(f"{where}: limit_seconds must be a positive number, got {limit!r}.")
    cells = tuple({cell.id: cell for cell in listed}.values())
    return Grid(**heading, limit_seconds=limit, cells=cells)


def _heading(name: str, plain: Any) -> dict[str, Any]:
    where = f"grid {name}"
    if not isinstance(plain, Mapping):
        raise UserError(f"{where}: must be a mapping with the key blocks, got {type(plain).__name__}.")
    _check_keys(plain, GRID_KEYS, where)
    return {
        "name": name,
        "title": str(plain.get("title", name)),
        "description": str(plain.get("description", "")).strip(),
        "skipped": tuple(str(text) for text in plain.get("skipped", ())),
    }


def _cells(grid: Mapping[str, Any], block: Any, where: str) -> Iterator[Cell]:
    if not isinstance(block, Mapping):
        raise UserError(f"{where}: must be a mapping with methods and datasets, got {block!r}.")
    _check_keys(block, BLOCK_KEYS, where)
    given = {**DEFAULTS, **{key: grid[key] for key in DEFAULTS if key in grid}, **block}
    entries = [entry for item in _list(given, "methods", where) for entry in expand_entry(item, where)]
    datasets = [check_dataset(item, where) for item in _list(given, "datasets", where)]
    evaluators = [check_evaluator(item, where) for item in _list(given, "evaluators", where)]
    epsilons = [check_epsilon(item, where) for item in _list(given, "epsilons", where)]
    seeds = [check_seed(item, where) for item in _list(given, "seeds", where)]
    delta = check_delta(given["delta"], where)
    neighbours = check_neighbours(given["neighbours"], where)
    for dataset, entry in itertools.product(datasets, entries):
        yield from _of_entry(
            entry,
            dataset,
            epsilons=epsilons,
            seeds=seeds,
            evaluators=evaluators,
            delta=delta,
            neighbours=neighbours,
        )


def _of_entry(
    entry: Entry,
    dataset: str,
    *,
    epsilons: Sequence[float],
    seeds: Sequence[int],
    evaluators: Sequence[str],
    delta: float | str,
    neighbours: str,
) -> Iterator[Cell]:
    """The cells of one method on one data set. Real rows are scored once: no epsilon, the first seed."""
    if entry.is_real:
        for evaluator in evaluators:
            yield Cell(method=entry.name, dataset=dataset, evaluator=evaluator, seed=seeds[0])
        return
    for epsilon, seed, evaluator in itertools.product(epsilons, seeds, evaluators):
        yield Cell(
            method=entry.name,
            variant=entry.variant,
            params=entry.params,
            dataset=dataset,
            evaluator=evaluator,
            epsilon=epsilon,
            delta=delta,
            neighbours=neighbours,
            seed=seed,
        )


def _plain_of(source: str | Path) -> tuple[str, Any]:
    name, text = _text_of(str(source))
    try:
        return name, yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UserError(f"grid {name}: not valid YAML: {error}") from None


def _text_of(source: str) -> tuple[str, str]:
    path = Path(source)
    if path.suffix in (".yaml", ".yml"):
        if not path.is_file():
            raise UserError(f"{path}: there is no such grid file. Packaged grids: {', '.join(grid_names())}.")
        try:
            return path.stem, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise UserError(f"{path}: the grid file is not UTF-8 text. Save it as UTF-8.") from None
    if source not in grid_names():
        raise UserError(
            f"there is no grid {source!r}. Packaged grids: {', '.join(grid_names())}. "
            "Name one of them, or a file that ends in .yaml."
        )
    inside = resources.files("triplea.bench").joinpath("grids", f"{source}.yaml")
    return source, inside.read_text(encoding="utf-8")


def _check_keys(plain: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    for key in plain:
        known(key, allowed, kind="key", where=where)


def _list(plain: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = plain.get(key)
    items = value if isinstance(value, list) else [] if value is None else [value]
    if not items:
        raise UserError(f"{where}: {key} is missing or empty. Give a list with at least one entry.")
    return items
