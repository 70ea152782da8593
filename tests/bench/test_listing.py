"""What can be chosen."""

from __future__ import annotations

from pathlib import Path

from triplea.bench.choices import EVALUATOR_NAMES
from triplea.bench.listing import list_datasets, list_evaluators, list_grids


def test_grids_are_listed_with_their_cells() -> None:
    assert {"name": "smoke", "cells": 32, "title": "Smoke"} in list_grids()


def test_data_sets_say_whether_they_are_there(small_data: Path) -> None:
    assert {entry["name"]: entry["found"] for entry in list_datasets()}["diabetes"] is True


def test_every_evaluator_is_explained() -> None:
    assert [entry["name"] for entry in list_evaluators()] == list(EVALUATOR_NAMES)
