"""A killed release leaves a whole folder or none, and its budget is counted from before the first row."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import triplea
from tests.contracts.killing import arguments, epsilon_of
from triplea.anonymize.budget_file import BudgetFile

SERVERS, RUNS_EACH, PLAIN_RUNS = 2, 24, 4
SCHEMA = {
    "target": "sick",
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
        {"name": "town", "kind": "categorical", "categories": ["oslo", "rome"]},
        {"name": "sick", "kind": "boolean"},
    ],
}

pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork and SIGKILL")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """A folder in which 52 releases of one table ran, of which all but two were killed at a random point."""
    folder = tmp_path_factory.mktemp("killed")
    rng = np.random.default_rng(0)
    lines = [
        f"{rng.integers(20, 90)},{rng.choice(['oslo', 'rome'])},{rng.random() < 0.3}" for _ in range(200)
    ]
    (folder / "rows.csv").write_text("\n".join(["age,town,sick", *lines]) + "\n")
    (folder / "rows.json").write_text(json.dumps(SCHEMA))
    servers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.contracts.killing",
                str(folder),
                str(i * 100),
                str(i * 100 + RUNS_EACH + 1),
            ],
            cwd=root,
        )
        for i in range(SERVERS)
    ]
    assert [server.wait(timeout=300) for server in servers] == [0] * SERVERS
    _kill_plain_processes(folder, root)
    return folder


def _kill_plain_processes(folder: Path, root: Path) -> None:
    """The same without a fork server or pauses: the installed command, killed from outside."""
    script = "import sys; from triplea.cli import main; main()"
    started = time.monotonic()
    subprocess.run(
        [sys.executable, "-c", script, *arguments(folder, 900)], cwd=root, check=True, capture_output=True
    )
    whole = time.monotonic() - started
    for run, share in enumerate(np.linspace(0.6, 1.0, PLAIN_RUNS), start=901):
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments(folder, run)], cwd=root, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(float(share) * whole)
        process.kill()
        process.wait()


def counted(folder: Path) -> set[float]:
    return {release.budget.epsilon for release in BudgetFile.beside(folder / "rows.csv").releases}


def runs(folder: Path, pattern: str) -> set[int]:
    return {int(path.name.rpartition("-")[2]) for path in folder.glob(pattern)}


def test_the_kills_hit_every_stage(killed: Path) -> None:
    """Else the tests below would hold for want of trying."""
    everyone = {*range(RUNS_EACH + 1), *range(100, 100 + RUNS_EACH + 1)}
    released, reading = runs(killed, "run-*") & everyone, runs(killed, "read-*")
    assert len(everyone) - SERVERS + PLAIN_RUNS >= 50
    assert len(everyone - reading) >= 3, "killed before any row was read"
    assert len(reading - released) >= 3, "killed between reading and the end"
    assert len(released) >= SERVERS + 1, "killed after the end, or not at all"


def test_every_folder_with_a_final_name_is_a_whole_release(killed: Path) -> None:
    for run in sorted(runs(killed, "run-*")):
        folder = killed / f"run-{run}"
        checked = triplea.verify(folder)
        assert checked.ok, (run, checked.problems)
        assert (folder / "data.csv").is_file() and (folder / "datasheet.md").is_file()
        assert triplea.load(folder).model.sample(3).num_rows == 3


def test_every_release_and_every_run_that_read_rows_is_counted(killed: Path) -> None:
    spent = counted(killed)
    assert {epsilon_of(run) for run in runs(killed, "run-*")} <= spent
    assert {epsilon_of(run) for run in runs(killed, "read-*")} <= spent


def test_the_budget_file_totals_all_that_was_counted(killed: Path) -> None:
    budget_file = BudgetFile.beside(killed / "rows.csv")
    total = budget_file.total(delta=1e-4)
    assert 1.0 < total < float("inf")
    assert all(release.charges for release in budget_file.releases)


def test_the_next_release_finds_no_lock_and_no_debris_in_its_way(killed: Path) -> None:
    before = len(counted(killed))
    made = triplea.release(killed / "rows.csv", schema=SCHEMA, epsilon=3.5, delta=1e-5)
    made.save(killed / "afterwards")
    assert triplea.verify(killed / "afterwards").ok
    assert len(counted(killed)) == before + 1
