"""`triplea budget`: what all releases of one table have cost together, and the most that they may."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_table, print_text

if TYPE_CHECKING:
    from triplea.anonymize.budget_file import BudgetFile

EXAMPLES = """Examples:

- `triplea budget patients.csv`
- `triplea budget patients.csv --limit 3 --delta 1e-6`
- `triplea budget shared.budget.json --json`
"""
USUAL_DELTA = 1e-6


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("budget", epilog=EXAMPLES)(guarded(budget))


def budget(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="A table, whose budget file lies beside it, or a budget file (.json).",
            show_default=False,
        ),
    ],
    *,
    limit: Annotated[
        float | None,
        typer.Option(
            "--limit",
            parser=options.number,
            metavar="EPSILON",
            help="Refuse releases that would cost more together.",
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            "--delta",
            "-d",
            **options.NUMBER,
            help="For which delta [default: the limit's, or the releases' largest].",
        ),
    ] = None,
    neighbours: options.NeighboursChoice = options.NeighboursOption.ADD_OR_REMOVE_ONE,
    as_json: options.JsonOption = False,
) -> None:
    """Show what all releases of a table have cost together. With --limit, set the most that they may cost.

    Reads no row. A release that was stopped counts: rows may have been read.
    """
    file = _file(place)
    at = _delta(file, delta)
    if limit is not None:
        _set_limit(file, epsilon=limit, delta=at, neighbours=neighbours.value)
    total = file.total(at) if file.releases else 0.0
    if as_json:
        print_json(_plain(file, total=total, delta=at))
    else:
        _show(file, total=total, delta=at)


def _file(place: Path) -> BudgetFile:
    from triplea.anonymize.budget_file import BudgetFile
    from triplea.errors import UserError

    file = BudgetFile(place) if place.suffix == ".json" else BudgetFile.beside(place)
    if not file.path.exists() and not place.exists():
        raise UserError(f"{place}: there is no such table or budget file. Check the path.")
    return file


def _delta(file: BudgetFile, asked: float | None) -> float:
    from triplea.anonymize.budget import Budget

    if asked is not None:
        return Budget(epsilon=1.0, delta=asked).delta  # refuses what is no delta
    if file.limit is not None:
        return file.limit.delta
    return max((release.budget.delta for release in file.releases), default=USUAL_DELTA)


def _set_limit(file: BudgetFile, *, epsilon: float, delta: float, neighbours: str) -> None:
    from triplea.anonymize.budget import Budget
    from triplea.anonymize.neighbours import Neighbours

    file.set_limit(Budget(epsilon=epsilon, delta=delta, neighbours=Neighbours(neighbours)))


def _plain(file: BudgetFile, *, total: float, delta: float) -> dict[str, object]:
    return {
        "file": str(file.path),
        "epsilon": total,
        "delta": delta,
        "limit": None if file.limit is None else file.limit.to_json(),
        "releases": [release.to_json() for release in file.releases],
    }


def _show(file: BudgetFile, *, total: float, delta: float) -> None:
    if file.releases:
        print_table(
            title=f"Releases in {file.path.name}",
            headers=("at", "method", "epsilon", "delta", "state"),
            rows=[
                (release.at, release.name, release.budget.epsilon, release.budget.delta, release.state)
                for release in file.releases
            ],
        )
        spent = (
            "no finite epsilon: one of them is not proved"
            if total == float("inf")
            else f"epsilon = {total:.4g}"
        )
        print_text(f"Together: {spent} at delta = {delta:g}.")
    else:
        print_text("No release of this table was counted yet.")
    if file.limit is None:
        print_text("There is no limit. Set one with --limit.")
    else:
        left = f"epsilon = {file.limit.epsilon:g} at delta = {file.limit.delta:g}"
        print_text(f"Limit: {left}; a release that would pass it is refused before a row is read.")
