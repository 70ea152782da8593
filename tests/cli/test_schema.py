"""`triplea schema`: a draft says what it observed, a check says what does not fit, both say for whom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import SCHEMA, triplea
from triplea.cli.schema import OWNER_ONLY


def test_a_draft_is_written_and_marked_as_observed(stays: Path, tmp_path: Path) -> None:
    out = tmp_path / "draft.yaml"
    done = triplea("schema", "draft", stays / "stays.csv", "--target", "readmitted", "--out", out, "--json")
    assert done.exit_code == 0, done.output
    drafted = json.loads(done.stdout)
    assert drafted["target"] == "readmitted"
    assert any("observed" in (column.get("source") or "") for column in drafted["columns"])
    assert out.exists()
    assert OWNER_ONLY in done.stderr


def test_a_draft_that_the_disk_refuses_leaves_no_file(
    stays: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    done = triplea("schema", "draft", stays / "stays.csv", "--out", tmp_path / "draft.yaml")
    assert done.exit_code == 2 and "No space left on device" in done.stderr
    assert not list(tmp_path.glob("*draft*")) and not list(tmp_path.glob(".partial-*"))


def test_a_draft_with_an_unknown_ending_is_refused_before_a_row_is_read(tmp_path: Path) -> None:
    done = triplea("schema", "draft", tmp_path / "absent.csv", "--out", tmp_path / "draft.txt")
    assert done.exit_code == 2 and "must end in .json, .yaml, .yml" in done.stderr


def test_a_draft_can_be_planned_with(stays: Path, tmp_path: Path) -> None:
    out = tmp_path / "draft.yaml"
    assert triplea("schema", "draft", stays / "stays.csv", "-t", "readmitted", "-o", out).exit_code == 0
    done = triplea("plan", "-s", out, "-m", "independent")
    assert done.exit_code == 0, done.output
    assert "Not confirmed as public knowledge" in done.stderr


def test_a_draft_asks_whose_rows_they_are_where_an_id_repeats(tmp_path: Path) -> None:
    visits = tmp_path / "visits.csv"
    visits.write_text("patient_id,age\n" + "".join(f"{1000 + i // 2},{20 + i % 60}\n" for i in range(200)))
    done = triplea("schema", "draft", visits)
    assert done.exit_code == 0, done.output
    assert "patient_id: values repeat" in done.stdout and "--unit" in done.stdout
    assert "values repeat" not in triplea("schema", "draft", visits, "--unit", "patient_id").stdout


def test_a_draft_shows_what_the_owner_should_look_at(tmp_path: Path) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text("price;age\n1,5;30\n20,25;41\n3;57\n")
    done = triplea("schema", "draft", prices)
    assert done.exit_code == 0, done.output
    assert "price: looks like numbers with a decimal comma" in done.stdout
    assert "age:" not in done.stdout, "bounds are rounded in every draft"


def test_a_fitting_table_has_no_findings(stays: Path) -> None:
    done = triplea("schema", "check", stays / "stays.csv", "--schema", stays / "stays.json")
    assert done.exit_code == 0, done.output
    assert "Every value fits" in done.stdout
    assert OWNER_ONLY in done.stderr


def test_values_beyond_a_bound_are_counted(stays: Path, tmp_path: Path) -> None:
    narrow = json.loads(json.dumps(SCHEMA))
    narrow["columns"][0]["upper"] = 30
    path = tmp_path / "narrow.json"
    path.write_text(json.dumps(narrow), encoding="utf-8")
    done = triplea("schema", "check", stays / "stays.csv", "--schema", path, "--json")
    assert done.exit_code == 0, done.output
    (finding,) = json.loads(done.stdout)
    assert finding["column"] == "age"
    assert finding["rows"] > 0


def test_a_query_without_a_database_is_refused(stays: Path) -> None:
    done = triplea("schema", "draft", stays / "stays.csv", "--query", "select 1")
    assert done.exit_code == 2
    assert "database" in done.stderr


def test_a_schema_that_was_mended_by_hand_is_not_written_over(stays: Path, tmp_path: Path) -> None:
    mended = tmp_path / "stays.yaml"
    mended.write_text("mine")
    done = triplea("schema", "draft", stays / "stays.csv", "-o", mended)
    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert mended.read_text() == "mine"
