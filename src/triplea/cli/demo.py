"""`triplea demo`: the whole way once, on a public table that ships with a package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_table, print_text, progress_bar

EXAMPLES = """Examples:

- `triplea demo`
- `triplea demo --out demo-release --json`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog=EXAMPLES)(guarded(demo))


def demo(
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The release folder to make.")
    ] = Path("demo-release"),
    as_json: options.JsonOption = False,
) -> None:
    """Release the RAND Health Insurance Experiment at epsilon = 1, and train on the result.

    Needs the packages of `triplea[demo]`. The table is public, so its scores may be shown here; the scores of
    your own table are for you alone.
    """
    from triplea.demo import run_demo

    with progress_bar(title="demo", hidden=as_json) as tick:
        result = run_demo(out=out, progress=tick)
    if as_json:
        print_json(result.to_json())
        return
    print_text(result.summary)
    print_table(title=result.question, headers=("trained on", "rows", "AUC on real rows"), rows=result.table)
    print_note(
        "Scores are computed on real rows: outside the guarantee. With your own table, keep them to yourself."
    )
    print_text(f"Written to {out}. Look at {out / 'certificate.json'}, or run: triplea verify {out}")
