"""`triplea sample`: more rows from a release, at no cost to privacy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_text, progress_bar
from triplea.cli.places import check_new_file

EXAMPLES = """Examples:

- `triplea sample release/ --rows 100000 --out more.parquet`
- `triplea sample release/ --rows 500 --where readmitted=true --seed 7 --out readmitted.csv`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sample", epilog=EXAMPLES)(guarded(sample))


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder.", show_default=False)],
    *,
    rows: Annotated[
        int,
        typer.Option("--rows", "-n", callback=options.at_least(1), help="Rows to draw.", show_default=False),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="A .csv or .parquet file.", show_default=False)
    ],
    where: Annotated[
        list[str] | None,
        typer.Option("--where", "-w", metavar="COLUMN=VALUE", help="Only such rows; may be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same rows.")] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Draw more rows from the model of a release. The model is already public, so this costs nothing."""
    import triplea
    from triplea.tables import write_table

    check_new_file(out)
    with progress_bar(title="sample", hidden=as_json):
        drawn = triplea.load(folder).model.sample(
            rows, where=options.parse_pairs(where, option="--where"), seed=seed
        )
        write_table(drawn, out)
    if as_json:
        print_json({"file": str(out), "rows": drawn.num_rows, "columns": drawn.column_names})
    else:
        print_text(f"{drawn.num_rows:,} rows written to {out}")
