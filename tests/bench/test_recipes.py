"""Recipes name files and columns that exist."""

from __future__ import annotations

import pytest

from triplea.bench.downloads import ORIGINS
from triplea.bench.recipes import FILES, RECIPES, Recipe, file_name
from triplea.bench.schemas import schema_of
from triplea.bench.simulated import SIMULATED


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
def test_every_recipe_names_a_known_file_and_says_what_it_does(recipe: Recipe) -> None:
    assert recipe.file in {**FILES, **SIMULATED}
    assert recipe.note
    names = {entry["name"] for entry in schema_of(recipe.file, ())["columns"]}
    assert set(recipe.drop) <= {*names, "label", "subject_id"}


def test_every_file_has_a_recipe_of_its_own_and_an_origin() -> None:
    assert set(FILES) <= set(RECIPES)
    assert set(FILES) == set(ORIGINS)


def test_images_are_archives() -> None:
    assert file_name("mnist") == "mnist.npz"
    assert file_name("adult") == "adult.parquet"
