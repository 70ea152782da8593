"""How the rows fit the schema, loudly and in the clear: for the owner's eyes, never part of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.schema import Column, Kind, Schema
from triplea.tables.csv_source import CsvSource
from triplea.tables.opening import open_source
from triplea.tables.plain import NOT_UTF8, is_text
from triplea.tables.source import BATCH_ROWS, Source, listed, require_columns

_WIDEST = 2**62


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One way in which rows do not fit; `rows` is an exact count, so it must not be published."""

    column: str | None
    problem: str
    rows: int
    cure: str

    def __str__(self) -> str:
        where = f'column "{self.column}": ' if self.column else ""
        return f"{where}{self.rows} {'row' if self.rows == 1 else 'rows'} {self.problem}. {self.cure}"


def check_table(source: Any, schema: Schema) -> list[Finding]:
    """Read the table in the clear and say how many values a release would clamp, replace or drop."""
    opened = open_source(source)
    require_columns(opened, schema.names)
    schema.check_types(opened.layout)
    known = [column for column in schema.columns if column.is_known]
    tally: Counter[tuple[str, str]] = Counter()
    lost: Counter[str] = Counter()
    rows = 0
    for batch in _batches(opened, [column.name for column in known], lost):
        rows += batch.num_rows
        for column in known:
            tally.update(_tally(column, batch.column(column.name)))
    return [
        *_about_rows(lost),
        *_left_out(opened, schema, rows),
        *(_finding(schema.column(name), what, n) for (name, what), n in tally.items() if n),
    ]


def _batches(source: Source, columns: list[str], lost: Counter[str]) -> Iterator[pa.RecordBatch]:
    if isinstance(source, CsvSource):
        return source.batches_counting(columns, BATCH_ROWS, ragged=lost)
    return source.batches(columns, BATCH_ROWS)


def _tally(column: Column, values: pa.Array) -> dict[tuple[str, str], int]:
    """Count by encoding with a schema that lets everything through: nullable, and one step wider."""
    wide = _widened(column)
    codes = Schema(columns=(wide,)).encode(pa.RecordBatch.from_arrays([values], names=[column.name]))[
        column.name
    ]
    missing = np.isnan(codes) if not wide.is_countable else codes == wide.missing_code
    blank = _blank(values)
    counts = {"unreadable": int(np.sum(missing & ~blank)), "not UTF-8": _not_utf8(values)}
    if not column.nullable:
        counts["null"] = int(np.sum(blank))
    if not column.is_discrete:
        low, high = (0, wide.missing_code - 1) if wide.is_countable else wide.bounds
        counts["below"] = int(np.sum(codes == low)) if wide.lower != column.lower else 0
        counts["above"] = int(np.sum(codes == high)) if wide.upper != column.upper else 0
    return {(column.name, what): rows for what, rows in counts.items()}


def _widened(column: Column) -> Column:
    if column.is_discrete:
        return replace(column, nullable=True, unknown="missing")
    lower, upper = column.bounds
    if column.kind is Kind.NUMERIC:
        wider: tuple[float, float] = (float(np.nextafter(lower, -np.inf)), float(np.nextafter(upper, np.inf)))
    else:
        room = int(upper - lower < _WIDEST and max(-lower, upper) < _WIDEST)
        wider = (lower - room, upper + room)
    return replace(column, nullable=True, lower=wider[0], upper=wider[1], dtype=None, decimals=None)


def _blank(values: pa.Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Say which cells hold nothing: null, or NaN."""
    return np.asarray(values.is_null(nan_is_null=True).to_numpy(zero_copy_only=False), dtype=bool)


def _not_utf8(values: pa.Array) -> int:
    """Count cells with a letter that the reader had to replace."""
    texts = values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
    return pc.sum(pc.match_substring(texts, NOT_UTF8)).as_py() or 0 if is_text(texts.type) else 0


def _left_out(source: Source, schema: Schema, rows: int) -> list[Finding]:
    named = {*schema.names, *schema.all_dropped}
    others = [name for name in source.layout.names if name not in named]
    if not others:
        return []
    problem = f"with {listed(others)}, which the schema does not name"
    cure = "A release leaves this out: add it to the schema to keep it."
    return [Finding(column=None, problem=problem, rows=rows, cure=cure)]


def _about_rows(lost: Counter[str]) -> list[Finding]:
    found = []
    if lost["ragged"]:
        cure = "A release drops them: mend the file if they matter."
        found.append(
            Finding(
                column=None,
                problem="with another number of fields than the header",
                rows=lost["ragged"],
                cure=cure,
            )
        )
    if lost["cut off"]:
        cure = "A release reads only what comes before: look for a quote that is never closed."
        found.append(Finding(column=None, problem="too long to read, which ends the file", rows=1, cure=cure))
    return found


def _finding(column: Column, what: str, rows: int) -> Finding:
    default = "missing" if column.nullable else f"{column.value_of(_default_code(column))!r}"
    other = "other" if column.other is None else column.other
    texts = {
        "null": ("without a value", f"A release takes {default}; say nullable: true to keep them missing."),
        "below": ("below the lower bound", "A release moves them to the bound; lower it if they are valid."),
        "above": ("above the upper bound", "A release moves them to the bound; raise it if they are valid."),
        "not UTF-8": (
            "with bytes that are not UTF-8",
            "A release reads them as \ufffd: save the file as UTF-8.",
        ),
        "unreadable": (
            "that cannot be read as the declared kind",
            f"A release takes {default}; mend or redeclare.",
        ),
    }
    problem, cure = texts[what]
    if what == "unreadable" and column.is_discrete:
        problem = "with a value that is not listed"
        taken = repr(other) if column.unknown == "other" else default
        cure = f"A release takes {taken}; list the values if they are public."
    return Finding(column=column.name, problem=problem, rows=rows, cure=cure)


def _default_code(column: Column) -> int | float:
    return 0 if column.is_countable else column.bounds[0]
