"""Every column, real over synthetic, the worst first."""

from __future__ import annotations

from collections.abc import Sequence

from triplea.report import svg
from triplea.report.histograms import column_picture, column_table
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.numbers import count, fixed
from triplea.results import ColumnFidelity, Fidelity

OPEN, FOLD = 12, 60
# What keeps the file small where there are thousands of columns: first without tables, then without pictures.
WITH_TABLE, WITH_PICTURE = 200, 1_200


def columns_section(fidelity: Fidelity) -> Html:
    """Return a card per column; after the first ones, in folded groups."""
    ordered = sorted(fidelity.columns, key=lambda column: -column.total_variation)
    drawn, listed = ordered[:WITH_PICTURE], ordered[WITH_PICTURE:]
    folds = [
        tag(
            "details",
            tag("summary", f"Columns {start + 1} to {min(start + FOLD, len(drawn))}"),
            _cards(drawn[start : start + FOLD], start),
            class_="more-columns",
        )
        for start in range(OPEN, len(drawn), FOLD)
    ]
    return join(
        tag(
            "p",
            "Shares of rows in every value or range, the columns that differ most first. Total variation is "
            "the share of rows that would have to change: 0 is equal, 1 is nothing in common.",
        ),
        _legend(),
        _search() if folds else None,
        _cards(drawn[:OPEN], 0),
        folds,
        _listed(listed) if listed else None,
        marginals_table(fidelity),
    )


def marginals_table(fidelity: Fidelity) -> Html:
    """Return the mean distances of marginals between their two bounds."""
    rows = [
        (
            f"{record.ways}-way",
            fixed(record.mean),
            fixed(record.floor),
            fixed(record.uniform),
            fixed(record.maximum),
            ", ".join(record.worst[0].columns) if record.worst else "",
            f"{count(record.computed)} of {count(record.total)}",
        )
        for record in fidelity.marginals
    ]
    headers = ("marginals", "synthetic", "real sample", "uniform rows", "worst", "where", "measured")
    return table("Mean total variation: a real sample is as good as it gets", headers, rows)


def _cards(columns: Sequence[ColumnFidelity], start: int) -> Html:
    return tag("div", [_card(column, start + i) for i, column in enumerate(columns)], class_="columns")


def _card(column: ColumnFidelity, position: int) -> Html:
    values = None
    if position < WITH_TABLE:
        values = tag("details", tag("summary", "Numbers"), column_table(column))
    measure = f"total variation {fixed(column.total_variation)}"
    return tag(
        "article",
        tag("h3", name_of(column.name)),
        tag("p", measure, class_="measure"),
        column_picture(column),
        values,
        data_column=column.name,
    )


def _legend() -> Html:
    real = svg.picture(22, 14, svg.rect(0, 1, 22, 12, "real-area"), title="filled", desc="key")
    ours = svg.picture(22, 14, svg.rect(1, 2, 20, 10, "synthetic-bar"), title="outlined", desc="key")
    return tag("ul", tag("li", real, "real"), tag("li", ours, "synthetic"), class_="legend")


def _search() -> Html:
    return tag(
        "p",
        tag("label", "Find a column", for_="find-column"),
        tag("input", id="find-column", type="search", autocomplete="off"),
        tag("span", id="find-status", role="status"),
        class_="find",
        hidden=True,
    )


def _listed(columns: Sequence[ColumnFidelity]) -> Html:
    rows = [(name_of(column.name), fixed(column.total_variation)) for column in columns]
    return tag(
        "details",
        tag("summary", f"{count(len(columns))} further columns, without pictures"),
        table("Closest columns", ("column", "total variation"), rows),
    )
