"""What the tests of the commands share."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner, Result

SCHEMA: dict[str, Any] = {
    "name": "stays",
    "target": "readmitted",
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120, "source": "reasoned"},
        {"name": "ward", "kind": "categorical", "categories": ["surgery", "medicine"], "source": "list"},
        {"name": "readmitted", "kind": "boolean", "source": "list"},
    ],
}


def triplea(*arguments: object) -> Result:
    """Run the command in this process, as wide as a test can read it."""
    from triplea.cli.app import app

    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
