"""A small table with its schema, and one release of it that several tests look at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.support import SCHEMA, triplea


@pytest.fixture(scope="session")
def stays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with stays.csv and stays.json."""
    folder = tmp_path_factory.mktemp("stays")
    rng = np.random.default_rng(5)
    ages = rng.integers(20, 90, 400)
    lines = [f"{age},{'surgery' if age % 3 else 'medicine'},{str(age > 60).lower()}" for age in ages]
    (folder / "stays.csv").write_text("\n".join(["age,ward,readmitted", *lines]) + "\n", encoding="utf-8")
    (folder / "stays.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def released(stays: Path) -> Path:
    """A release folder of the stays."""
    done = triplea(
        *("release", stays / "stays.csv", "--schema", stays / "stays.json", "--out", stays / "release"),
        *("--epsilon", 1, "--delta", 1e-6, "--method", "independent", "--csv", "--json"),
        *("--ledger", stays / "budget.json"),
    )
    assert done.exit_code == 0, done.output
    shown = json.loads(done.stdout)
    assert shown["certificate"]["epsilon_proved"] <= 1.0
    return stays / "release"
