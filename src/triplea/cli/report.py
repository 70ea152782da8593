"""`triplea report`: draw the owner's report again from a stored evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_text
from triplea.cli.places import check_file, whole_file

if TYPE_CHECKING:
    from triplea.results import Evaluation

EXAMPLES = """Examples:

- `triplea report scores/evaluation.json`
- `triplea report scores/evaluation.json --out report.html`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", epilog=EXAMPLES)(guarded(report))


def report(
    evaluation: Annotated[
        Path,
        typer.Argument(
            metavar="EVALUATION", help="evaluation.json, as `triplea evaluate` wrote it.", show_default=False
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The HTML file [default: report.html beside it]."),
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Draw report.html from an evaluation; reads no rows. For the owner's eyes only: do not publish."""
    from triplea.report.owner import write_owner_report

    found = _read(evaluation)
    written = out or evaluation.with_name("report.html")
    check_file(written)
    written.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(written) as place:
        write_owner_report(found, place)
    if as_json:
        print_json({"report": str(written), "bytes": written.stat().st_size})
        return
    print_text(f"Written to {written}.")
    print_note(found.caution)


def _read(path: Path) -> Evaluation:
    from triplea.errors import UserError
    from triplea.results import Evaluation

    try:
        return Evaluation.load(path)
    except OSError:
        raise UserError(f"{path}: cannot be read. Name the evaluation.json of `triplea evaluate`.") from None
    except (ValueError, TypeError, AttributeError):
        raise UserError(
            f"{path}: is no evaluation of this version. Run `triplea evaluate` again to get one."
        ) from None
