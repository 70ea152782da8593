"""From a results file to a page with pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from triplea.bench.curves import curves_of, pictures_of
from triplea.bench.grid import Grid, load_grid
from triplea.bench.many_curves import draw_each, draw_sides
from triplea.bench.page_formats import as_html, as_markdown
from triplea.bench.pages import Page, build_page
from triplea.bench.plots import draw
from triplea.bench.records import Record, read_records
from triplea.bench.summary import Line, summarise
from triplea.errors import MissingExtra, UserError

HTML, MARKDOWN = "html", "markdown"
MOST_IN_ONE = 10  # curves; more of them get names at their ends, and panels


def render(
    results: Path,
    *,
    form: str,
    out: Path | None,
    title: str | None = None,
    every_metric: bool = False,
    brief: bool = False,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[Page, str]:
    """Return the page and its text; with `out`, write it there, with its pictures beside it."""
    if out is not None and form not in (HTML, MARKDOWN):
        raise UserError("--out needs --format markdown or --format html.")
    records = read_records(results)
    grid = _grid_of(records)
    page = build_page(
        records,
        title=title or (grid.title if grid else results.stem),
        command=_command(results, records, form=form, out=out, brief=brief),
        text=_introduction(grid),
        every_metric=every_metric,
        brief=brief,
    )
    page = replace(page, pictures=_pictures(records, form=form, out=out, note=note))
    text = as_html(page) if form == HTML else as_markdown(page)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    return page, text


def _pictures(
    records: Sequence[Record], *, form: str, out: Path | None, note: Callable[[str], None]
) -> tuple[tuple[str, str], ...]:
    """Draw a score against epsilon wherever there is one. Markdown names a file, HTML holds the drawing."""
    wanted = pictures_of(summarise(records)) if form == HTML or out is not None else {}
    found = []
    for (dataset, evaluator), lines in wanted.items():
        try:
            drawn = _drawn(lines, title=f"{dataset} ({evaluator})")
        except MissingExtra as error:
            note(f"No pictures: {error}")
            return ()
        for suffix, svg, words in drawn:
            text = f"{dataset}: {lines[0].metric} ({evaluator}) against epsilon; {words}"
            if form == HTML:
                found.append((svg[svg.index("<svg") :], text))
            elif out is not None:
                name = f"{out.stem}-{dataset.replace('/', '-')}-{evaluator}{suffix}.svg"
                out.parent.mkdir(parents=True, exist_ok=True)
                (out.parent / name).write_text(svg, encoding="utf-8")
                found.append((name, text))
    return tuple(found)


def _drawn(lines: Sequence[Line], *, title: str) -> list[tuple[str, str, str]]:
    """Return a suffix for the file's name, the drawing and a few words, for each picture of one score."""
    if sum(not curve.is_level for curve in curves_of(lines)) <= MOST_IN_ONE:
        return [("", draw(lines, title=title), "filled: proved, hollow: not proved")]
    return [
        ("", draw_sides(lines, title=title), "left: proved, right: only claimed"),
        ("-each", draw_each(lines, title=title), "method by method"),
    ]


def _grid_of(records: Sequence[Record]) -> Grid | None:
    """The packaged grid that the records come from, if there is just one."""
    names = {record.grid for record in records}
    try:
        return load_grid(str(names.pop())) if len(names) == 1 else None
    except UserError:
        return None


def _introduction(grid: Grid | None) -> str:
    if grid is None:
        return ""
    left_out = [f"Left out: {text}" for text in grid.skipped]
    return "\n\n".join([grid.description, *left_out]).strip()


def _command(results: Path, records: Sequence[Record], *, form: str, out: Path | None, brief: bool) -> str:
    grids = dict.fromkeys(record.grid for record in records if record.grid)
    runs = [f"$ triplea bench run {grid} --out {results.name}" for grid in grids]
    options = f"{' --brief' if brief else ''} --format {form}{f' --out {out}' if out is not None else ''}"
    return "\n".join([*runs, f"$ triplea bench show {results.name}{options}"])
