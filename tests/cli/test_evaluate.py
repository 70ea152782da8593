"""The evaluate command: writes the record, prints a summary, and keeps bad input readable."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv as pc
import pytest
from typer.testing import CliRunner

from tests.evaluate.toys import arrow_of, make_rows
from triplea.cli.app import app

SCHEMA = {
    "target": "ill",
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 80},
        {"name": "dose", "kind": "numeric", "lower": -4, "upper": 4, "nullable": True},
        {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c"], "nullable": True},
        {"name": "ill", "kind": "categorical", "categories": ["no", "yes"]},
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("evaluate")
    for seed, name in enumerate(("train", "test", "synthetic")):
        pc.write_csv(arrow_of(make_rows(150, seed)), made / f"{name}.csv")
    (made / "schema.json").write_text(json.dumps(SCHEMA))
    return made


def arguments(folder: Path, *more: str) -> list[str]:
    real = ["--train", str(folder / "train.csv"), "--test", str(folder / "test.csv")]
    return ["evaluate", str(folder / "synthetic.csv"), *real, "--schema", str(folder / "schema.json"), *more]


def test_evaluate_writes_the_record_and_prints_a_summary(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, arguments(folder, "--out", str(tmp_path / "scores")))
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "scores" / "evaluation.json").read_text())["target"] == "ill"
    assert "do not publish it" in (tmp_path / "scores" / "report.html").read_text(encoding="utf-8")
    for words in ("Utility: predicting ill", "LightGBM", "Fidelity", "Risk", "do not publish"):
        assert words in result.output


def test_evaluate_prints_json_alone(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, arguments(folder, "--out", str(tmp_path), "--json"))
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["format"] == "triplea-evaluation/1"


def test_a_target_that_is_not_there_ends_with_exit_code_two(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, arguments(folder, "--out", str(tmp_path), "--target", "income"))
    assert result.exit_code == 2
    assert "target 'income' is not a column of the schema" in result.output
