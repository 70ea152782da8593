"""What a command shows: results on stdout (a table, or JSON), progress and errors on stderr."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triplea.anonymize.certificate import Certificate

SHORT = 8  # characters of a cell that is kept on one line

Stage = Callable[[str], None]
"""Told what is being done now, in a word or two."""


def print_json(value: object) -> None:
    """Print one JSON document; infinite numbers become the string "infinity": JSON has no word for them."""
    print(json.dumps(_plain(value), indent=2, allow_nan=False))


def print_error(text: str) -> None:
    """Print one paragraph on stderr."""
    from rich.console import Console
    from rich.markup import escape

    Console(stderr=True, highlight=False).print(f"[bold red]Error:[/] {escape(text)}", soft_wrap=True)


def print_note(text: str) -> None:
    """Print a remark on stderr, where it does not disturb a result that is piped on."""
    from rich.console import Console

    Console(stderr=True, highlight=False).print(text, markup=False, style="yellow", soft_wrap=True)


def print_text(text: str) -> None:
    """Print plain lines on stdout."""
    print(text)


def print_certificate(certificate: Certificate) -> None:
    """Print the guarantee, and everything that limits it."""
    print_text(certificate.sentence)
    for reason in certificate.reasons:
        print_text(f"Not proved: {reason}")
    for warning in certificate.warnings:
        print_note(f"Warning: {warning}")
    asked = sum(entry.was_asked for entry in certificate.entries)
    questions = f"{asked} question(s) asked about the rows"
    print_text(
        f"{certificate.method} ({certificate.variant}), {questions}, {certificate.rows:,} synthetic rows."
    )
    for note in certificate.notes:
        print_text(f"Note: {note}")


def print_table(*, title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; columns of numbers are aligned to the right. In a narrow terminal the frame goes first.

    Short cells are never broken, long ones are.
    """
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console, listed = Console(highlight=False), [list(row) for row in rows]
    texts = [[format_cell(value) for value in row] for row in listed]
    widths = [max(map(len, column)) for column in zip(headers, *texts, strict=True)]
    roomy = sum(widths) + 3 * len(widths) + 1 <= console.width
    frame: dict[str, Any] = {} if roomy else {"box": box.SIMPLE_HEAD, "pad_edge": False}
    table = Table(title=title, title_justify="left", title_style="bold", collapse_padding=not roomy, **frame)
    for place, (header, width) in enumerate(zip(headers, widths, strict=True)):
        numeric = any(_is_number(row[place]) for row in listed)
        table.add_column(
            header, justify="right" if numeric else "left", overflow="fold", no_wrap=width <= SHORT
        )
    for row in texts:
        table.add_row(*map(escape, row))
    console.print(table)


def format_cell(value: object) -> str:
    """Write a value for people: four significant digits, a dash for nothing.

    >>> format_cell(0.123456), format_cell(20190), format_cell(None), format_cell(float("inf"))
    ('0.1235', '20,190', '-', 'infinity')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return "infinity" if value == float("inf") else f"{value:.4g}"
    return str(value)


@contextmanager
def progress_bar(*, title: str, hidden: bool) -> Iterator[Stage]:
    """Show a moving bar with the stage and the time on stderr; silent when hidden or when nobody watches.

    How far a stage has come is not shown: it would be a fact about the rows.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda _stage: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda stage: bar.update(task, description=f"{title}: {stage}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "infinity" if value > 0 else "-infinity"
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
