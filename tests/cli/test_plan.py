"""`triplea plan`: the ledger beforehand, from the schema alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import triplea


def test_the_plan_costs_the_budget(stays: Path) -> None:
    done = triplea("plan", "-s", stays / "stays.json", "-e", 0.5, "-d", 1e-6, "-m", "independent", "--json")
    assert done.exit_code == 0, done.output
    shown = json.loads(done.stdout)
    assert shown["epsilon_planned"] == pytest.approx(0.5, rel=1e-3)
    assert shown["ledger"]


def test_the_plan_is_shown_as_a_table(stays: Path) -> None:
    done = triplea("plan", "-s", stays / "stays.json", "-m", "independent")
    assert done.exit_code == 0, done.output
    assert "noise multiplier" in done.stdout
    assert "No row was read" in done.stdout
