"""The list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from triplea.cli import (
    audit,
    bench,
    budget,
    demo,
    evaluate,
    methods,
    plan,
    release,
    report,
    sample,
    schema,
    verify,
)

app = typer.Typer(
    name="triplea",
    help="Turn a private table into a synthetic one to train on, with a differential-privacy guarantee.",
    epilog="Start here: `triplea demo`, or `triplea schema draft my.csv --out my.schema.yaml`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(schema.app, name="schema")
app.add_typer(bench.app, name="bench")
for group in (plan, release, budget, sample, evaluate, report, verify, audit, methods, demo):
    group.add_to(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from triplea import __version__

        print(f"triplea {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Turn a private table into a synthetic one to train on, with a differential-privacy guarantee."""
