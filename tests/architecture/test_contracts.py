"""Every contract of the architecture bites: break it in a copy of the package, and it is named as broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {
    contract["id"]: contract["name"] for contract in CONFIGURATION["tool"]["importlinter"]["contracts"]
}

# contract id -> (file that goes wrong, the line that it gets)
VIOLATIONS = {
    "layers": ("schema/_planted.py", "import triplea.queries"),
    "noise": ("methods/planted.py", "from triplea.anonymize.noise import Noise"),
    "rows": ("methods/planted.py", "from triplea.tables import PrivateTable"),
    "private-table": ("releases/_planted.py", "from triplea.tables.private_table import PrivateTable"),
    "owner-view": ("releases/_planted.py", "from triplea.tables.owner_view import read_all"),
    "methods": ("methods/planted.py", "from triplea.methods.independent import Independent"),
    "public-room": ("approximate/_planted.py", "import triplea.anonymize.budget"),
    "no-own-chance": ("queries/_planted.py", "import random"),
    "release-is-blind": ("releases/_planted.py", "import triplea.evaluate"),
    "scores-from-rows": ("evaluate/_planted.py", "import triplea.queries"),
    "door-knows-no-model": ("anonymize/_planted.py", "import triplea.approximate"),
}


def lint(package_parent: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run lint-imports on the package in a folder, with the contracts of this repository."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as run; run()",
            *("--config", str(ROOT / "pyproject.toml"), "--no-cache", *arguments),
        ],
        cwd=package_parent,
        env=os.environ | {"PYTHONPATH": str(package_parent), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def planted_copy(folder: Path, *, file: str, line: str) -> Path:
    """Copy the package into a folder and add one file with one line to it."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "triplea", folder / "triplea", ignore=ignore)
    target = folder / "triplea" / file
    assert not target.exists(), f"{file} is a real module: plant elsewhere"
    target.write_text(f'"""Planted."""\n\n{line}\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, subprocess.CompletedProcess[str]]:
    """Break every contract once, two at a time."""

    def judge(contract: str) -> subprocess.CompletedProcess[str]:
        file, line = VIOLATIONS[contract]
        folder = planted_copy(tmp_path_factory.mktemp(contract), file=file, line=line)
        return lint(folder, "--contract", contract)

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(VIOLATIONS, pool.map(judge, VIOLATIONS), strict=True))


def test_all_contracts_are_kept_by_the_package() -> None:
    verdict = lint(ROOT / "src")
    assert verdict.returncode == 0, verdict.stdout


def test_every_contract_has_a_planted_violation() -> None:
    assert set(VIOLATIONS) == set(CONTRACTS)


@pytest.mark.parametrize("contract", sorted(VIOLATIONS))
def test_a_planted_violation_breaks_its_contract(
    contract: str, verdicts: dict[str, subprocess.CompletedProcess[str]]
) -> None:
    verdict = verdicts[contract]
    assert verdict.returncode == 1, verdict.stdout + verdict.stderr
    assert f"{CONTRACTS[contract]} BROKEN" in verdict.stdout


def test_adapt_belongs_to_the_public_room(tmp_path: Path) -> None:
    folder = planted_copy(tmp_path, file="adapt/_planted.py", line="import triplea.anonymize.budget")
    (folder / "triplea" / "anonymize" / "_planted.py").write_text('"""Planted."""\n\nimport triplea.adapt\n')
    verdict = lint(folder, "--contract", "public-room", "--contract", "door-knows-no-model")
    assert verdict.returncode == 1
    assert f"{CONTRACTS['public-room']} BROKEN" in verdict.stdout
    assert f"{CONTRACTS['door-knows-no-model']} BROKEN" in verdict.stdout


def test_a_new_folder_without_a_place_in_the_layers_fails(tmp_path: Path) -> None:
    folder = planted_copy(tmp_path, file="homeless.py", line="import math")
    verdict = lint(folder, "--contract", "layers")
    assert verdict.returncode == 1
    assert "homeless" in verdict.stdout
