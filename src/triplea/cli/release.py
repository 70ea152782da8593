"""`triplea release`: table and schema in, release folder out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_certificate, print_json, print_note, print_text, progress_bar

if TYPE_CHECKING:
    from triplea.releases.run import Release

EXAMPLES = """Examples:

- `triplea release patients.csv --schema patients.yaml --epsilon 1 --delta 1e-6 --out release/`
- `triplea release 'duckdb:///ward.db' --query 'select * from stays' -s stays.yaml --out release/`
- `triplea release patients.parquet -s patients.yaml -m clustmix -p clusters=50 --csv --out release/`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("release", epilog=EXAMPLES)(guarded(release))


def release(
    table: options.TableArgument,
    *,
    schema: options.SchemaOption,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="DIR", help="The release folder to make.", show_default=False),
    ],
    epsilon: options.EpsilonOption = 1.0,
    delta: options.DeltaOption = 1e-5,
    method: options.MethodOption = "auto",
    variant: options.VariantOption = "provable",
    rows: options.RowsOption = None,
    neighbours: options.NeighboursChoice = options.NeighboursOption.ADD_OR_REMOVE_ONE,
    seed: Annotated[
        int | None,
        typer.Option("--seed", **options.WHOLE, help="For tests: repeatable, and marked as not for release."),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="FILE", help="Budget file that counts all releases."),
    ] = None,
    accept_unproved: Annotated[
        bool, typer.Option("--accept-unproved", help="Needed where the guarantee is not proved.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Write data.csv beside data.parquet.")] = False,
    param: options.ParamOption = None,
    query: options.QueryOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Make a synthetic table, and a certificate that says what is guaranteed."""
    import triplea
    from triplea.releases.folder import check_destination

    check_destination(out)  # before any budget is spent
    with _told_when_stopped(), progress_bar(title="release", hidden=as_json) as stage:
        made = triplea.release(
            table,
            schema=schema,
            epsilon=epsilon,
            delta=delta,
            method=method,
            variant=variant,
            rows=rows,
            neighbours=neighbours.value,
            seed=seed,
            params=options.parse_pairs(param, option="--param"),
            ledger=ledger,
            query=query,
            accept_unproved=accept_unproved,
            progress=stage,
        )
        stage("writing")
        _save(made, out, csv=csv)
    for text in options.weak_promises(epsilon, delta):
        print_note(f"Warning: {text}")
    if as_json:
        print_json({"folder": str(out), "certificate": made.certificate.to_json()})
        return
    print_certificate(made.certificate)
    print_text(f"Written to {out}. Check it without the data: triplea verify {out}")


@contextmanager
def _told_when_stopped() -> Iterator[None]:
    """Say what Ctrl-C leaves behind: nothing but the reservation, as rows may have been read."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        print_note("Stopped; nothing was written. What was reserved in the budget file counts as spent.")
        raise


def _save(made: Release, out: Path, *, csv: bool) -> None:
    """Write the folder; if the disk is full, say, write it elsewhere: its budget is spent already."""
    from triplea.errors import ReleaseError

    try:
        made.save(out, csv=csv)
    except OSError as error:
        refuge = Path(tempfile.mkdtemp(prefix="triplea-release-")) / out.name
        made.save(refuge, csv=csv)
        reason = os.strerror(error.errno) if error.errno else "it cannot be written"
        raise ReleaseError(
            f"option out: {str(out)!r}: {reason}. The budget is spent, so the release was written to "
            f"{str(refuge)!r} instead. Move it from there."
        ) from None
