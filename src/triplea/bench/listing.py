"""What can be chosen: for `triplea bench list`."""

from __future__ import annotations

from typing import Any

from triplea.bench.choices import EVALUATOR_NAMES
from triplea.bench.files import find_file
from triplea.bench.grid import grid_names, load_grid
from triplea.bench.recipes import FILES, RECIPES, file_name
from triplea.bench.simulated import ROWS, SIMULATED
from triplea.errors import UserError

MEASURES = {
    "lightgbm": "LightGBM trained on synthetic rows, tested on real ones: AUC, accuracy and more",
    "lightgbm-10k": "the same with 10,000 of the synthetic rows: for images",
    "twelve": "DP-MERF's twelve classifiers (LightGBM for XGBoost): means and single scores",
    "random-forest": "DP-auto-GAN's random forest of 100 trees",
    "mc-gen-1": "MC-GEN's scenario 1: trained on real rows, tested on synthetic ones; accuracy",
    "mc-gen-2": "MC-GEN's scenario 2: trained on synthetic rows, tested on real ones; accuracy",
    "fidelity": "mean total-variation distance of 1-way and 2-way marginals",
    "diversity": "DP-auto-GAN's divergences of categorical columns",
    "dimension-wise": "DP-auto-GAN's shares and predictions of 0/1 columns, by logistic regression",
    "quick": "the suite of `triplea evaluate --suite quick`",
}


def list_grids() -> list[dict[str, Any]]:
    """Return name, number of cells and title of every packaged grid."""
    grids = [load_grid(name) for name in grid_names()]
    return [{"name": grid.name, "cells": len(grid.cells), "title": grid.title} for grid in grids]


def list_datasets() -> list[dict[str, Any]]:
    """Return every data set: whether its file was found, its rows, and what is done to it."""
    found = {file: _is_there(file) for file in FILES} | dict.fromkeys(SIMULATED, True)
    rows = FILES | dict.fromkeys(SIMULATED, ROWS)
    return [
        {"name": name, "found": found[recipe.file], "rows": rows[recipe.file], "note": recipe.note}
        for name, recipe in RECIPES.items()
    ]


def list_evaluators() -> list[dict[str, Any]]:
    """Return name and purpose of every evaluator."""
    return [{"name": name, "measures": MEASURES[name]} for name in EVALUATOR_NAMES]


def _is_there(file: str) -> bool:
    try:
        find_file(file_name(file))
    except UserError:
        return False
    return True
