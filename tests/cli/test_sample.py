"""`triplea sample`: more rows from the model, repeatable and conditional."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq

from tests.cli.support import triplea


def test_as_many_rows_as_asked_for_are_written(released: Path, tmp_path: Path) -> None:
    out = tmp_path / "more.parquet"
    done = triplea("sample", released, "--rows", 37, "--out", out, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"] == 37
    assert pq.read_table(out).num_rows == 37


def test_the_same_seed_gives_the_same_rows(released: Path, tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        assert triplea("sample", released, "-n", 20, "--seed", 3, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_condition_holds_in_every_row(released: Path, tmp_path: Path) -> None:
    out = tmp_path / "some.csv"
    done = triplea("sample", released, "-n", 25, "-w", "ward=surgery", "-w", "readmitted=true", "-o", out)
    assert done.exit_code == 0, done.output
    rows = pyarrow.csv.read_csv(out)
    assert set(rows.column("ward").to_pylist()) == {"surgery"}
    assert set(rows.column("readmitted").to_pylist()) == {True}


def test_a_folder_that_is_no_release_is_refused(tmp_path: Path) -> None:
    done = triplea("sample", tmp_path, "-n", 5, "-o", tmp_path / "x.csv")
    assert done.exit_code == 2
    assert "not a release folder" in done.stderr


def test_another_ending_is_refused(released: Path, tmp_path: Path) -> None:
    done = triplea("sample", released, "-n", 5, "-o", tmp_path / "x.xlsx")
    assert done.exit_code == 2
    assert ".parquet" in done.stderr


def test_a_file_that_exists_is_not_written_over(released: Path, tmp_path: Path) -> None:
    precious = tmp_path / "patients.csv"
    precious.write_text("real rows")
    done = triplea("sample", released, "-n", 5, "-o", precious)
    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert precious.read_text() == "real rows"


def test_weights_come_as_a_further_column(released: Path, tmp_path: Path) -> None:
    out = tmp_path / "weighted.csv"
    done = triplea("sample", released, "-n", 200, "--weights", "counts_for", "--seed", 1, "-o", out, "--json")
    assert done.exit_code == 0, done.output
    rows = pyarrow.csv.read_csv(out)
    assert json.loads(done.stdout)["columns"] == rows.column_names
    assert rows.column_names[-1] == "counts_for"
    assert abs(sum(rows.column("counts_for").to_pylist()) - 200) < 1e-6


def test_weights_that_would_hide_a_column_are_refused(released: Path, tmp_path: Path) -> None:
    done = triplea("sample", released, "-n", 5, "--weights", "ward", "-o", tmp_path / "x.csv")
    assert done.exit_code == 2
    assert "'ward'" in done.stderr
    assert not (tmp_path / "x.csv").exists()
