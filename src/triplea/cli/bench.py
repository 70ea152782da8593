"""`triplea bench`: run grids of methods on public data sets, and show them beside the papers' numbers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.bench_progress import watched
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_table, print_text, progress_bar
from triplea.cli.places import check_file

if TYPE_CHECKING:
    from triplea.bench.pages import Page

RUN_EXAMPLES = """Examples:

- `triplea bench run smoke`
- `triplea bench run headline --out headline.jsonl --jobs 8 --only dataset=adult --only method=naive-bayes`
"""
SHOW_EXAMPLES = """Examples:

- `triplea bench show smoke.jsonl`
- `triplea bench show epsilon.jsonl --format markdown --out docs/results/epsilon.md`
"""
LIST_EXAMPLES = """Examples:

- `triplea bench list`
- `triplea bench list --json`
"""
FETCH_EXAMPLES = """Examples:

- `triplea bench fetch diabetes`
- `triplea bench fetch mnist --to data/`
"""
app = typer.Typer(
    help="Compare methods on public data sets, beside the papers' numbers.", no_args_is_help=True
)


class FormatOption(StrEnum):
    """How results are shown."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"


@app.command("run", epilog=RUN_EXAMPLES)
@guarded
def run(
    grid: Annotated[
        str,
        typer.Argument(
            metavar="GRID", help="A name from `triplea bench list`, or a YAML file.", show_default=False
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where results are appended [default: GRID.jsonl]."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            **options.WHOLE,
            callback=options.at_least(1),
            help="Processes at a time [default: all cores].",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="FIELD=VALUE", help="Keep cells with this value; may be repeated."),
    ] = None,
    limit_seconds: Annotated[
        float | None,
        typer.Option(
            "--limit-seconds",
            **options.NUMBER,
            callback=options.at_least(0.1),
            help="Stop a release and its scores after this.",
        ),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Run cells again that failed or were stopped.")
    ] = False,
    as_json: options.JsonOption = False,
) -> None:
    """Run the cells of a grid that FILE does not hold yet. It may be stopped and started again.

    A cell that fails, or takes too long, is recorded with its reason, and the grid goes on.
    """
    from triplea.bench.grid import load_grid
    from triplea.bench.records import FAILED, OK, TIMEOUT
    from triplea.bench.runner import run_grid

    chosen = load_grid(grid)
    target = out or Path(f"{chosen.name}.jsonl")
    check_file(target)
    pairs = {name: str(value) for name, value in options.parse_pairs(only, option="--only").items()}
    with watched(hidden=as_json) as watcher:
        done = run_grid(
            chosen,
            out=target,
            jobs=jobs,
            only=pairs,
            limit_seconds=limit_seconds,
            retry=retry,
            watcher=watcher,
        )
    counts = {status: done.count(status) for status in (OK, FAILED, TIMEOUT)}
    if as_json:
        print_json({"grid": chosen.name, "out": str(target), "present": done.present, **counts})
        return
    for text in chosen.skipped:
        print_note(f"Left out: {text}")
    print_text(
        f"{counts[OK]} cells done, {counts[FAILED]} failed, {counts[TIMEOUT]} stopped, "
        f"{done.present} were there before."
    )
    print_text(f"Appended to {target}. Show it with: triplea bench show {target}")


@app.command("show", epilog=SHOW_EXAMPLES)
@guarded
def show(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="A file of `bench run`.", show_default=False)
    ],
    *,
    form: Annotated[
        FormatOption, typer.Option("--format", "-f", help="terminal, markdown or html.")
    ] = FormatOption.TERMINAL,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the page here, pictures beside it."),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="The page's title [default: the grid's].")
    ] = None,
    every_metric: Annotated[
        bool, typer.Option("--every-metric", help="Show every number that was measured.")
    ] = False,
    brief: Annotated[
        bool, typer.Option("--brief", help="Show the tables at a glance and the pictures only.")
    ] = False,
    as_json: options.JsonOption = False,
) -> None:
    """Show mean and spread over seeds, the paper's number beside ours, and the difference.

    Proved, claimed and NON-PRIVATE methods stand apart; cells without a result are listed with the reason.
    """
    from triplea.bench.showing import render

    if out is not None:
        check_file(out)
    page, text = render(
        results,
        form=str(form),
        out=out,
        title=title,
        every_metric=every_metric,
        brief=brief,
        note=print_note,
    )
    if as_json:
        print_json(
            [{"title": part.title, "rows": _records(part.headers, part.rows)} for part in page.sections]
        )
    elif out is not None:
        print_text(f"Written to {out}.")
    elif form is FormatOption.TERMINAL:
        _print_page(page)
        if not page.sections:
            print_note(f"{results} holds no results yet.")
    else:
        print_text(text)


@app.command("list", epilog=LIST_EXAMPLES)
@guarded
def list_all(*, as_json: options.JsonOption = False) -> None:
    """List the grids, data sets and evaluators."""
    from triplea.bench.listing import list_datasets, list_evaluators, list_grids

    grids, datasets, evaluators = list_grids(), list_datasets(), list_evaluators()
    if as_json:
        print_json({"grids": grids, "datasets": datasets, "evaluators": evaluators})
        return
    for name, headers, rows in (
        ("Grids", ("name", "cells", "title"), grids),
        ("Data sets", ("name", "found", "rows", "split and preprocessing"), datasets),
        ("Evaluators", ("name", "what it measures"), evaluators),
    ):
        print_table(title=name, headers=headers, rows=[tuple(row.values()) for row in rows])


@app.command("fetch", epilog=FETCH_EXAMPLES)
@guarded
def fetch(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A data set, such as adult.", show_default=False)
    ],
    *,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="The folder to fill [default: the user's cache]."),
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Download a public data set, check it, and put it where the loaders look."""
    from triplea.bench.downloads import ORIGINS
    from triplea.bench.fetch import fetch as get

    with progress_bar(title="fetch", hidden=as_json) as stage:
        written = get(name, folder=to, progress=stage)
    licence = ORIGINS[name].licence
    if as_json:
        print_json({"name": name, "file": str(written), "licence": licence})
        return
    print_text(f"Written to {written} (licence: {licence}).")


def _print_page(page: Page) -> None:
    for section in page.sections:
        told = [  # a terminal is narrow: no column in which nothing stands
            place for place in range(len(section.headers)) if any(row[place] != "-" for row in section.rows)
        ]
        print_table(
            title=section.title,
            headers=[section.headers[place] for place in told],
            rows=[[row[place] for place in told] for row in section.rows],
        )
    for source in page.sources:
        print_note(source)


def _records(headers: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> list[dict[str, str]]:
    return [dict(zip(headers, row, strict=True)) for row in rows]
