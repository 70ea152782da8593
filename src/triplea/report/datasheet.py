"""The datasheet for the receiver as HTML: public knowledge and the certificate, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from triplea.report import guarantee as promise
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.ledger import ledger
from triplea.report.numbers import count
from triplea.report.page import Section, page
from triplea.results import ReleaseFacts

DRAWN = "Every row was drawn from a model."
LOAD = 'import pandas as pd\n\nrows = pd.read_parquet("data.parquet")'
SAMPLE = 'import triplea\n\nmodel = triplea.load(".").model\nmodel.sample(1000)'
LIMITS = (
    "Train on it, explore it, share it as its owner allows. Single rows describe nobody.",
    "Associations that the method did not measure are not in the table; rare combinations are noisy.",
    "Ranges and categories come from the schema, whether or not they occur in the real table.",
    "Intervals and p-values that take these rows for real ones are too confident: the noise is not in them.",
)


def datasheet_html(facts: ReleaseFacts) -> str:
    """Return the datasheet as one self-contained page."""
    title = facts.name or "Synthetic table"
    lead = f"{count(facts.rows)} synthetic rows, {len(facts.columns)} columns. {DRAWN}"
    head = join(
        tag("p", "Datasheet", class_="kicker"), tag("h1", name_of(title)), tag("p", lead, class_="lead")
    )
    foot = tag("p", "This page holds only public knowledge and what the guarantee covers.")
    return page(title=f"Datasheet: {title}", header=head, sections=tuple(_sections(facts)), footer=foot)


def _sections(facts: ReleaseFacts) -> Iterator[Section]:
    guarantee = facts.guarantee
    body = join(promise.panel(guarantee), promise.warnings(guarantee))
    yield Section(anchor="guarantee", title="Guarantee", body=body)
    yield Section(anchor="columns", title="Columns", body=_columns(facts))
    yield Section(anchor="method", title="Method", body=_method(facts))
    yield Section(anchor="load", title="How to load it", body=_load())
    limits = join(
        tag("ul", [tag("li", line) for line in LIMITS]),
        tag("h3", "What the guarantee does not cover"),
        promise.not_covered(guarantee),
    )
    yield Section(anchor="limits", title="Limits", body=limits)


def _columns(facts: ReleaseFacts) -> Html:
    rows = [
        (
            join(name_of(column.name), " (target)" if column.name == facts.target else None),
            column.kind,
            tag("bdi", column.domain),
            "yes" if column.nullable else "no",
        )
        for column in facts.columns
    ]
    headers = ("name", "kind", "values", "may be missing")
    return table("Columns, as the schema declares them", headers, rows, class_="declared")


def _method(facts: ReleaseFacts) -> Html:
    settings = [(name_of(name), tag("code", value)) for name, value in facts.parameters.items()]
    return join(
        tag("p", "Made by ", tag("strong", facts.method), f" ({facts.variant}), {facts.created}."),
        table("Settings", ("name", "value"), settings) if settings else None,
        tag("h3", "What was asked about the real rows"),
        ledger(facts.guarantee) if facts.guarantee.questions else tag("p", "Nothing."),
        tag("p", "SHA-256 of data.parquet: ", tag("code", facts.data_sha256 or "unknown")),
    )


def _load() -> Html:
    return join(
        tag("pre", tag("code", LOAD)),
        tag("p", "More rows, or rows with given values, from the stored model:"),
        tag("pre", tag("code", SAMPLE)),
        tag("p", "Check the certificate without the real rows: ", tag("code", "triplea verify FOLDER"), "."),
    )
