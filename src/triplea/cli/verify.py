"""`triplea verify`: recompute what a certificate claims, without the data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_text, progress_bar

EXAMPLES = """Examples:

- `triplea verify release/`
- `triplea verify release/ --json`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=EXAMPLES)(guarded(verify))


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.", show_default=False)],
    *,
    as_json: options.JsonOption = False,
) -> None:
    """Recompute the guarantee from the ledger, and the hash of the rows. Exit code 1 if something differs."""
    import triplea

    with progress_bar(title="verify", hidden=as_json):
        found = triplea.verify(folder)
    if as_json:
        print_json(found.to_json())
    else:
        print_text(found.sentence)
        for warning in found.warnings:
            print_note(f"Warning: {warning}")
        for problem in found.problems:
            print_text(f"Problem: {problem}")
        epsilon = "infinite" if found.epsilon is None else f"{found.epsilon:.6g}"
        print_text(f"Recomputed from the ledger: epsilon = {epsilon} at delta = {found.delta:g}.")
        print_text("The certificate holds." if found.ok else "The certificate does NOT hold.")
    if not found.ok:
        raise typer.Exit(1)
