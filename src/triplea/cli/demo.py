"""`triplea demo`: the whole way once, on a public table that ships with a package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import (
    print_certificate,
    print_json,
    print_note,
    print_table,
    print_text,
    progress_bar,
)

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

    with progress_bar(title="demo", hidden=as_json) as stage:
        result = run_demo(out=out, progress=stage)
    if as_json:
        print_json(result.to_json())
        return
    print_certificate(result.certificate)
    print_table(
        title="Any doctor's visit? LightGBM on held-out real rows",
        headers=("trained on", "rows", "AUC", "95 % interval"),
        rows=result.scores,
    )
    print_note(
        "Scores come from real rows and are not covered. This table is public; with your own, keep them."
    )
    print_text(f"Written to {out}. Read {out / 'certificate.md'}, or run: triplea verify {out}")
