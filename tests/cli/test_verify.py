"""`triplea verify`: an honest folder passes, a changed one does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.support import triplea


def test_an_honest_release_passes(released: Path) -> None:
    done = triplea("verify", released, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["ok"] is True


def test_rows_from_elsewhere_are_found_out(released: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(released, tmp_path / "changed")
    data = changed / "data.parquet"
    triplea("sample", released, "-n", 30, "--seed", 1, "-o", tmp_path / "other.parquet")
    shutil.copy(tmp_path / "other.parquet", data)
    done = triplea("verify", changed)
    assert done.exit_code == 1
    assert "does NOT hold" in done.stdout


def test_a_smaller_epsilon_in_the_certificate_is_found_out(released: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(released, tmp_path / "changed")
    path = changed / "certificate.json"
    certificate = json.loads(path.read_text(encoding="utf-8"))
    certificate["epsilon_proved"] = 0.1
    path.write_text(json.dumps(certificate), encoding="utf-8")
    done = triplea("verify", changed)
    assert done.exit_code == 1
    assert "Problem" in done.stdout
