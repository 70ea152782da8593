"""`triplea sample`: more rows from a release, at no cost to privacy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import Stage, print_json, print_text, progress_bar
from triplea.cli.places import check_new_file

if TYPE_CHECKING:
    import pyarrow as pa

EXAMPLES = """Examples:

- `triplea sample release/ --rows 100000 --out more.parquet`
- `triplea sample release/ --rows 500 --where readmitted=true --seed 7 --out readmitted.csv`
- `triplea sample release/ --rows 100000 --weights weight --out weighted.parquet`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sample", epilog=EXAMPLES)(guarded(sample))


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.", show_default=False)],
    *,
    rows: Annotated[
        int,
        typer.Option(
            "--rows",
            "-n",
            **options.WHOLE,
            callback=options.at_least(1),
            help="Rows to draw.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="A .csv or .parquet file.", show_default=False)
    ],
    where: Annotated[
        list[str] | None,
        typer.Option("--where", "-w", metavar="COLUMN=VALUE", help="Only such rows; may be repeated."),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="COLUMN",
            help="More rows of small classes, and what each row counts for in this column.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", **options.WHOLE, help="The same seed gives the same rows.")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Draw more rows from the model of a release. The model is already public, so this costs nothing."""
    import triplea
    from triplea.tables import write_tables

    check_new_file(out)
    with progress_bar(title="sample", hidden=as_json) as say:
        model = triplea.load(folder).model
        conditions = options.parse_pairs(where, option="--where", names=model.schema.names)
        parts = model.tables(rows, where=conditions, weights=weights, seed=seed)
        written = write_tables(_told(parts, rows, say), out)
    if as_json:
        columns = [*model.schema.names, *([weights] if weights else [])]
        print_json({"file": str(out), "rows": written, "columns": columns})
    else:
        print_text(f"{written:,} rows written to {out}")


def _told(parts: Iterator[pa.Table], rows: int, say: Stage) -> Iterator[pa.Table]:
    """Pass tables on, and say how many rows have been drawn: nothing here is private."""
    drawn = 0
    for part in parts:
        yield part
        drawn += part.num_rows
        say(f"{drawn:,} of {rows:,} rows")
