"""`triplea schema`: help the owner write down what is public about a table."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_table, print_text, progress_bar
from triplea.cli.places import check_new_file, whole_file

OWNER_ONLY = "This output was made from real rows and is not protected: for the owner's eyes only."
DRAFT_EXAMPLES = """Examples:

- `triplea schema draft patients.csv --target readmitted --out patients.yaml`
- `triplea schema draft 'sqlite:///ward.db' --query 'select * from stays' --out stays.json`
"""
CHECK_EXAMPLES = """Examples:

- `triplea schema check patients.csv --schema patients.yaml`
- `triplea schema check patients.csv --schema patients.yaml --json`
"""

app = typer.Typer(help="Write and check the public knowledge about a table.", no_args_is_help=True)


@app.command("draft", epilog=DRAFT_EXAMPLES)
@guarded
def draft(
    table: options.TableArgument,
    *,
    query: options.QueryOption = None,
    target: Annotated[str | None, typer.Option("--target", "-t", help="The column to predict.")] = None,
    unit: Annotated[
        str | None, typer.Option("--unit", "-u", help="The column that says whose row it is.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it (.yaml or .json).")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Draft a schema from a table. Bounds and categories are marked as observed: confirm or replace them.

    What is taken from the rows is not protected until you have replaced it by public knowledge.
    """
    from triplea.schema.files import check_suffix, write_mapping
    from triplea.tables import parse_source
    from triplea.tables.draft import draft_schema
    from triplea.tables.draft_column import ROUTINE

    if out is not None:
        check_suffix(out)
        check_new_file(out)
    with progress_bar(title="draft", hidden=as_json):
        drafted = draft_schema(parse_source(table, query), target=target, unit=unit)
    print_note(OWNER_ONLY)
    if out is not None:
        with whole_file(out) as place:
            write_mapping(drafted, place)
    if as_json:
        print_json(drafted)
        return
    print_table(
        title="Drafted columns",
        headers=("column", "kind", "values", "nullable", "source"),
        rows=[
            (entry["name"], entry["kind"], _values(entry), entry.get("nullable", False), entry.get("source"))
            for entry in drafted["columns"]
        ],
    )
    for entry in drafted["columns"]:
        if entry.get("note", ROUTINE[0]) not in ROUTINE:
            print_text(f"{entry['name']}: {entry['note']}.")
    if out is None:
        print_text("Nothing was written: name a file with --out.")
    else:
        print_text(f"Written to {out}. Replace each observed entry by what is publicly known, then release.")


@app.command("check", epilog=CHECK_EXAMPLES)
@guarded
def check(
    table: options.TableArgument,
    *,
    schema: options.SchemaOption,
    query: options.QueryOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Compare a table with its schema, loudly: which columns miss, which values would be clamped.

    A release never says this; here the owner may see it.
    """
    from triplea.schema import load_schema
    from triplea.tables import parse_source
    from triplea.tables.check import check_table

    with progress_bar(title="check", hidden=as_json):
        findings = check_table(parse_source(table, query), load_schema(schema))
    print_note(OWNER_ONLY)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    elif not findings:
        print_text("Every value fits the schema.")
    else:
        print_table(
            title="What a release would change silently",
            headers=("column", "rows", "finding", "cure"),
            rows=[(found.column, found.rows, found.problem, found.cure) for found in findings],
        )


def _values(entry: dict[str, Any]) -> str | None:
    if "categories" in entry:
        count = len(entry["categories"])
        return f"{count:,} categories" if count != 1 else "1 category"
    return f"{entry['lower']} to {entry['upper']}" if "lower" in entry else None
