"""`triplea demo`: the whole way once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import triplea

pytest.importorskip("statsmodels")
pytest.importorskip("lightgbm")


@pytest.mark.slow
def test_the_demo_releases_verifies_and_beats_its_floor(tmp_path: Path) -> None:
    out = tmp_path / "demo-release"
    done = triplea("demo", "--out", out, "--json")
    assert done.exit_code == 0, done.output
    auc = {score["trained_on"]: score["auc"] for score in json.loads(done.stdout)["scores"]}
    assert auc["nothing: the floor"] == 0.5
    assert auc["synthetic rows"] > 0.6
    assert auc["real rows (not private)"] > 0.7
    assert triplea("verify", out).exit_code == 0
