"""`triplea audit`: attack a method, and show what was measured beside what it claims."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_table, print_text
from triplea.errors import UserError

if TYPE_CHECKING:
    from triplea.audit.verdicts import AuditReport

EXAMPLES = """Examples:

- `triplea audit independent --out audit/`
- `triplea audit mc-gen --variant published --epsilon 1 --delta 1e-5 --out audit/`
- `triplea audit all --workers 16 --out audit/` attacks every method and variant; stopped, it goes on
"""
VIOLATED_CODE = 1


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit", epilog=EXAMPLES)(guarded(audit))


def audit(
    method: Annotated[
        str,
        typer.Argument(metavar="METHOD", help="A name from `triplea methods`, or all.", show_default=False),
    ],
    *,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="DIR", help="Where pages and records go.", show_default=False),
    ],
    variant: options.VariantOption = "provable",
    epsilon: options.EpsilonOption = 1.0,
    delta: options.DeltaOption = 1e-5,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            **options.WHOLE,
            callback=options.at_least(24),
            help="Runs on each of two tables [default: what --seconds allow].",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            **options.NUMBER,
            callback=options.at_least(1.0),
            help="Time for the runs, when --runs is not given.",
        ),
    ] = 60.0,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-j",
            **options.WHOLE,
            callback=options.at_least(1),
            help="Processes [default: all cores].",
        ),
    ] = None,
    pair: Annotated[
        str | None, typer.Option("--pair", help="A pair of tables by name [default: the method's own].")
    ] = None,
    param: options.ParamOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", **options.WHOLE, callback=options.at_least(0), help="Repeat an audit exactly."
        ),
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Try to break a guarantee: a lower bound on epsilon, at 95 % confidence, beside the claimed epsilon.

    No rows of yours are needed: the audit makes its own pairs of tables. Exit code 0: all that was attacked
    is consistent with its claim. 1: a claim is violated, or there is none. 2: a mistake in the command.
    """
    from triplea.audit.attack import Settings, cores

    settings = Settings(
        epsilon=epsilon, delta=delta, runs=runs, seconds=seconds, workers=workers or cores(), seed=seed,
        pair=pair, params=options.parse_pairs(param, option="--param"),
    )  # fmt: skip
    with _progress(hidden=as_json) as told:
        found = (
            _everything(settings, out, told)
            if method == "all"
            else [_one(method, variant, settings, out, told)]
        )
    if as_json:
        print_json([report.to_json() for report in found] if method == "all" else found[0].to_json())
    else:
        _show(found, out)
    if any(report.status != "consistent" for report in found):
        raise typer.Exit(VIOLATED_CODE)


def _one(
    method: str, variant: str, settings: object, out: Path, told: Callable[[str, int, int], None]
) -> AuditReport:
    from triplea.audit.attack import Settings, audit
    from triplea.audit.records import save

    assert isinstance(settings, Settings)
    report = audit(method, variant, settings, told=told)
    save(report, out)
    return report


def _everything(settings: object, out: Path, told: Callable[[str, int, int], None]) -> list[AuditReport]:
    from triplea.audit.attack import Settings
    from triplea.audit.records import audit_all

    assert isinstance(settings, Settings)
    if settings.pair is not None or settings.params:
        raise UserError("--pair and --param name one method's own; leave them out with METHOD all.")
    return audit_all(settings, out, told=told)


def _show(found: list[AuditReport], out: Path) -> None:
    from triplea.audit.verdicts import rounded_down

    if len(found) == 1:
        report = found[0]
        print_text(f"{report.method} ({report.variant}): {report.verdict}")
        for bound in report.bounds:
            print_text(f"  {bound.test}: epsilon >= {rounded_down(bound.epsilon, 2)}")
        if report.tightness is not None:
            print_text(f"  measured mu is {report.tightness:.0%} of the theoretical {report.claim.mu:.3f}")
    else:
        print_table(
            title="Audits",
            headers=("method", "variant", "claimed", "verdict"),
            rows=[(r.method, r.variant, r.claim.epsilon, r.verdict) for r in found],
        )
    print_text(f"Written to {out}.")


@contextmanager
def _progress(*, hidden: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on stderr; silent when hidden or when nobody watches."""
    if hidden or not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("audit", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
