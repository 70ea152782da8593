"""A data set as a grid uses it: training rows, test rows and a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.bench.files import find_file, read_file
from triplea.bench.recipes import FILES, OFFICIAL, RECIPES, STRATIFIED, Recipe, file_name
from triplea.bench.schemas import categorical, schema_of, without
from triplea.bench.simulated import SIMULATED
from triplea.errors import UserError
from triplea.evaluate.extras import need
from triplea.sample.randomness import public_generator

SPLIT_SEED = 20230704
PARTS = "split"


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Real rows of a public data set. `scoring` holds options of the evaluators."""

    name: str
    train: pa.Table
    test: pa.Table
    schema: Mapping[str, Any]
    target: str | None
    note: str
    scoring: Mapping[str, Any]


def load_dataset(name: str, *, split: int = 0) -> Dataset:
    """Read a data set by the name of its recipe. `split` numbers the splits of a stratified one."""
    recipe = find_recipe(name)
    if split != 0 and recipe.split != STRATIFIED:
        stratified = ", ".join(known for known, other in RECIPES.items() if other.split == STRATIFIED)
        raise UserError(
            f"data set {name!r} has one split, number 0; got split {split}. Take one of: {stratified}."
        )
    if recipe.file in SIMULATED:
        return prepare_dataset(name, recipe, SIMULATED[recipe.file]())
    table = read_file(find_file(file_name(recipe.file)))
    if table.num_rows != FILES[recipe.file]:
        raise UserError(
            f"{file_name(recipe.file)}: expected {FILES[recipe.file]:,} rows, got {table.num_rows:,}. "
            f"Replace the file, for example with: triplea bench fetch {recipe.file}"
        )
    return prepare_dataset(name, recipe, table, split=split)


def find_recipe(name: str) -> Recipe:
    """Return the recipe of that name, or say which there are."""
    if name not in RECIPES:
        raise UserError(f"there is no data set {name!r}. Known data sets: {', '.join(RECIPES)}.")
    return RECIPES[name]


def prepare_dataset(name: str, recipe: Recipe, table: pa.Table, *, split: int = 0) -> Dataset:
    """Apply a recipe to the rows of its file."""
    schema = dict(schema_of(recipe.file, table.column_names))
    if recipe.target is not None:
        schema["target"] = recipe.target
    table, schema = _derive(table, schema, recipe)
    schema = without(schema, recipe.drop)
    rng = public_generator(SPLIT_SEED)
    table = _chosen_rows(table, recipe, schema.get("target"), rng)
    train, test = (
        _stratified(table, schema["target"], split)
        if recipe.split == STRATIFIED
        else _split(table, recipe, rng)
    )
    if recipe.swapped:
        train, test = test, train
    columns = [entry["name"] for entry in schema["columns"]]
    return Dataset(
        name=name,
        train=train.select(columns),
        test=test.select(columns),
        schema=schema,
        target=schema.get("target"),
        note=recipe.note,
        scoring=dict(recipe.scoring),
    )


def _derive(table: pa.Table, schema: dict[str, Any], recipe: Recipe) -> tuple[pa.Table, dict[str, Any]]:
    if recipe.derived is None:
        return table, schema
    made = recipe.derived
    values = pc.is_in(table.column(made.column), pa.array(made.positive, table.column(made.column).type))
    table = table.append_column(made.name, values.cast(pa.int8()))
    schema = dict(without(schema, [made.column]))
    schema["columns"] = [*schema["columns"], categorical(made.name, [0, 1])]
    return table, {**schema, "target": made.name}


def _chosen_rows(table: pa.Table, recipe: Recipe, target: str | None, rng: np.random.Generator) -> pa.Table:
    if recipe.part is not None:
        table = table.filter(pc.equal(table.column(PARTS), recipe.part))
    if recipe.most_missing is not None:
        missing = sum(pc.is_null(column).to_numpy().astype(int) for column in table.columns)
        table = table.filter(pa.array(missing <= recipe.most_missing))
    if target is not None and recipe.without_class is not None:
        table = table.filter(pa.array(_classes(table, target) != recipe.without_class))
    if recipe.rows is not None:
        table = table.take(np.sort(rng.permutation(table.num_rows)[: recipe.rows]))
    if target is not None and recipe.kept:
        table = table.take(_thinned(_classes(table, target), recipe.kept, rng))
    return table


def _thinned(classes: np.ndarray, kept: Mapping[str, float], rng: np.random.Generator) -> np.ndarray:
    """Return the rows that stay when only a share of some classes is kept."""
    stays = np.ones(len(classes), dtype=bool)
    for name, share in kept.items():
        rows = np.flatnonzero(classes == name)
        stays[rng.permutation(rows)[int(len(rows) * share) :]] = False
    return np.flatnonzero(stays)


def _classes(table: pa.Table, target: str) -> np.ndarray:
    """Return the target as texts."""
    texts: np.ndarray = pc.cast(table.column(target), pa.string()).to_numpy().astype(str)
    return texts


def _split(table: pa.Table, recipe: Recipe, rng: np.random.Generator) -> tuple[pa.Table, pa.Table]:
    if recipe.split == OFFICIAL:
        parts = table.column(PARTS)
        return table.filter(pc.equal(parts, "train")), table.filter(pc.equal(parts, "test"))
    order = rng.permutation(table.num_rows)
    cut = int(table.num_rows * float(recipe.split))
    return table.take(np.sort(order[:cut])), table.take(np.sort(order[cut:]))


def _stratified(table: pa.Table, target: str, number: int) -> tuple[pa.Table, pa.Table]:
    train, test = need("sklearn.model_selection").train_test_split(
        np.arange(table.num_rows), test_size=0.25, stratify=_classes(table, target), random_state=number
    )
    return table.take(train), table.take(test)
