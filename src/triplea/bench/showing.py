"""From a results file to a page with pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from triplea.bench.curves import curves_of, pictures_of
from triplea.bench.dots import dotted, draw_dots
from triplea.bench.grid import Heading, grid_names, load_heading
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
    grid = _heading_of(records)
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
    """Draw what can be drawn. Markdown names a file, HTML holds the drawing."""
    if form != HTML and out is None:
        return ()
    try:
        drawn = list(_drawn(summarise(records)))
    except MissingExtra as error:
        note(f"No pictures: {error}")
        return ()
    if out is None or form == HTML:
        return tuple((svg[svg.index("<svg") :], text) for _, svg, text in drawn)
    out.parent.mkdir(parents=True, exist_ok=True)
    for name, svg, _ in drawn:
        (out.parent / f"{out.stem}-{name}.svg").write_text(svg, encoding="utf-8")
    return tuple((f"{out.stem}-{name}.svg", text) for name, _, text in drawn)


def _drawn(lines: Sequence[Line]) -> Iterator[tuple[str, str, str]]:
    """Yield a name, a drawing and a few words: scores against epsilon, and many methods at one epsilon."""
    for (dataset, evaluator), chosen in pictures_of(lines).items():
        name, title = f"{dataset.replace('/', '-')}-{evaluator}", f"{dataset}: {_spoken(evaluator)}"
        text = f"{dataset}: {chosen[0].metric} ({evaluator}) against epsilon"
        if sum(not curve.is_level for curve in curves_of(chosen)) <= MOST_IN_ONE:
            yield name, draw(chosen, title=title), f"{text}; filled: proved, hollow: not proved"
        else:
            yield name, draw_sides(chosen, title=title), f"{text}; left: proved, right: only claimed"
            yield f"{name}-each", draw_each(chosen, title=title), f"{text}, method by method"
    for evaluator, chosen in dotted(lines).items():
        text = f"{chosen[0].metric} ({evaluator}) of every method; filled: proved, hollow: not proved"
        yield evaluator, draw_dots(chosen, title=_spoken(evaluator)), text


def _spoken(evaluator: str) -> str:
    """An evaluator in words, as a title."""
    return {
        "lightgbm": "LightGBM trained on synthetic rows, tested on real ones",
        "fidelity": "mean distance (total variation) of all pairs of columns from the real rows",
    }.get(evaluator, evaluator)


def _heading_of(records: Sequence[Record]) -> Heading | None:
    """The packaged grid that the records come from, if there is just one."""
    names = {record.grid for record in records}
    try:
        return load_heading(str(names.pop())) if len(names) == 1 else None
    except UserError:
        return None


def _introduction(grid: Heading | None) -> str:
    if grid is None:
        return ""
    left_out = [f"Left out: {text}" for text in grid.skipped]
    return "\n\n".join([grid.description, *left_out]).strip()


def _command(results: Path, records: Sequence[Record], *, form: str, out: Path | None, brief: bool) -> str:
    grids = dict.fromkeys(record.grid for record in records if record.grid)
    places = [grid if grid in grid_names() else f"{grid}.yaml" for grid in grids]
    runs = [f"$ triplea bench run {place} --out {results.name}" for place in places]
    options = f"{' --brief' if brief else ''} --format {form}{f' --out {out}' if out is not None else ''}"
    return "\n".join([*runs, f"$ triplea bench show {results.name}{options}"])
