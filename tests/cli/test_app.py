"""The command as a whole: quick to start, documented, and with a version."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from triplea import __version__
from triplea.cli.app import app

HEAVY = ("jax", "lightgbm", "sklearn", "pandas", "polars", "dp_accounting", "pyarrow", "scipy", "numpy")
COMMAND = typer.main.get_command(app)


def all_commands(group: object = COMMAND, prefix: str = "triplea") -> Iterator[tuple[str, object]]:
    """Every command that does something, with its full name."""
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        full = f"{prefix} {name}"
        if hasattr(command, "commands"):
            yield from all_commands(command, full)
        else:
            yield full, command


COMMANDS = dict(all_commands())


def test_the_list_of_commands_is_complete() -> None:
    assert sorted(COMMANDS) == [
        "triplea audit",
        "triplea bench fetch",
        "triplea bench list",
        "triplea bench run",
        "triplea bench show",
        "triplea budget",
        "triplea demo",
        "triplea evaluate",
        "triplea methods",
        "triplea plan",
        "triplea release",
        "triplea report",
        "triplea sample",
        "triplea schema check",
        "triplea schema draft",
        "triplea verify",
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_cli_command_is_documented(name: str, root: Path) -> None:
    guide = (root / "docs" / "guide" / "cli.md").read_text(encoding="utf-8")
    _, heading, rest = guide.partition(f"\n## {name}\n")
    assert heading, f"docs/guide/cli.md has no section '## {name}'"
    section = rest.partition("\n## ")[0]
    assert f"$ {name}" in section
    for parameter in COMMANDS[name].params:  # type: ignore[attr-defined]
        if parameter.param_type_name == "option" and parameter.name != "help":
            assert f"`{parameter.opts[0]}" in section, f"{name}: {parameter.opts[0]} is not documented"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_and_json(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split()[1:], "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    assert "Examples" in shown.output
    assert name in shown.output
    assert "--json" in shown.output


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from triplea.cli import main\n"
        "sys.argv = ['triplea', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Usage" in done.stdout
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_a_name_that_the_terminal_has_no_letters_for_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("地域,näher\n1,2\n3,4\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from triplea.cli import main\nmain()", "schema", "draft", "towns.csv"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert b"n?her" in done.stdout


def test_version_is_printed() -> None:
    shown = CliRunner().invoke(app, ["--version"])
    assert shown.exit_code == 0
    assert shown.output.strip() == f"triplea {__version__}"


def test_an_unknown_option_ends_with_two() -> None:
    assert CliRunner().invoke(app, ["methods", "--nonsense"]).exit_code == 2
