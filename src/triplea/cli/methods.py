"""`triplea methods`: what can be chosen with `--method`."""

from __future__ import annotations

from dataclasses import asdict

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_table

EXAMPLES = """Examples:

- `triplea methods`
- `triplea methods --json`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("methods", epilog=EXAMPLES)(guarded(methods))


def methods(*, as_json: options.JsonOption = False) -> None:
    """List the methods and their variants."""
    import triplea

    known = triplea.list_methods()
    if as_json:
        print_json([asdict(method) for method in known])
        return
    print_table(
        title="Methods",
        headers=("name", "variants", "summary"),
        rows=[
            (
                f"{method.name} (auto)" if method.is_auto else method.name,
                ", ".join(method.variants),
                method.summary,
            )
            for method in known
        ],
    )
