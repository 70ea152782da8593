"""`triplea methods`: what can be chosen with `--method`."""

from __future__ import annotations

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
    """List the methods, their variants, and the extra packages they need."""
    import triplea

    known = triplea.methods()
    if as_json:
        print_json(
            [
                {
                    "name": method.name,
                    "title": method.title,
                    "variants": list(method.variants),
                    "summary": method.summary,
                    "needs": list(method.needs),
                }
                for method in known
            ]
        )
        return
    print_table(
        title="Methods",
        headers=("name", "variants", "needs", "summary"),
        rows=[
            (method.name, ", ".join(method.variants), ", ".join(method.needs) or None, method.summary)
            for method in known
        ],
    )
