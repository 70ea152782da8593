"""Readable pages of a release: the certificate, and the datasheet for the receiver.

Both hold only what the guarantee covers: public knowledge, the ledger and released values.
"""

from __future__ import annotations

from collections.abc import Iterator

from triplea.anonymize.certificate import Certificate, rounded_up
from triplea.anonymize.ledger import LedgerEntry
from triplea.report.datasheet import DRAWN, LIMITS, LOAD, SAMPLE
from triplea.schema import Column, Schema


def certificate_page(certificate: Certificate) -> str:
    """Write the certificate as Markdown."""
    return "\n".join(_certificate_lines(certificate)) + "\n"


def _certificate_lines(certificate: Certificate) -> Iterator[str]:
    yield "# Privacy certificate"
    yield f"\n**{certificate.sentence}**\n"
    if certificate.reasons:
        yield "Why it is not proved:\n"
        yield from (f"- {_line(reason)}" for reason in certificate.reasons)
        yield ""
    for warning in certificate.warnings:
        yield f"> **Warning.** {_line(warning)}\n"
    for note in certificate.notes:
        yield f"> {_line(note)}\n"
    yield "| | |\n|---|---|"
    yield f"| method | {certificate.method} ({certificate.variant}) |"
    yield f"| asked for | epsilon = {certificate.budget.epsilon:g}, delta = {certificate.budget.delta:g} |"
    yield f"| neighbours | {certificate.budget.neighbours.value} |"
    yield f"| privacy unit | {_cell(certificate.unit)} |"
    yield f"| synthetic rows | {certificate.rows:,} |"
    yield f"| created | {certificate.created} |"
    yield f"| SHA-256 of data.parquet | `{certificate.data_sha256}` |"
    yield "\n## Ledger: every question that was asked about the rows\n"
    yield "| question | mechanism | sensitivity | noise (standard deviation) | numbers | proof |"
    yield "|---|---|---|---|---|---|"
    yield from (_ledger_line(entry) for entry in certificate.entries)
    if certificate.delta_curve:
        yield "\n## The same guarantee at other values of epsilon\n"
        yield "| epsilon | delta |\n|---|---|"
        yield from (f"| {epsilon:g} | {rounded_up(delta, 3)} |" for epsilon, delta in certificate.delta_curve)
    yield "\n## What is not covered\n"
    yield from (f"- {line}" for line in certificate.not_covered)
    yield "\nCheck this certificate without the data: `triplea verify FOLDER`."


def _ledger_line(entry: LedgerEntry) -> str:
    charge = entry.charge
    price = (
        f"noise multiplier {charge.noise_multiplier:.4g}"
        if charge.noise_multiplier is not None
        else f"epsilon {charge.epsilon:.4g}"
        if charge.epsilon is not None
        else "not proved"
    )
    moved = "-" if entry.sensitivity is None else f"{entry.sensitivity:.4g} ({entry.norm})"
    noise = "-" if entry.noise_from is None else _span(entry.noise_from, entry.noise_to)
    numbers = "-" if entry.numbers is None else f"{entry.numbers:,}"
    cells = (charge.label, f"{charge.mechanism.value}, {price}", moved, noise, numbers, entry.proof)
    return f"| {' | '.join(map(_cell, cells))} |"


def _span(low: float, high: float | None) -> str:
    return f"{low:.4g}" if high is None or high == low else f"{low:.4g} to {high:.4g}"


def datasheet_page(certificate: Certificate, schema: Schema) -> str:
    """Write the datasheet for the receiver as Markdown."""
    return "\n".join(_datasheet_lines(certificate, schema)) + "\n"


def _datasheet_lines(certificate: Certificate, schema: Schema) -> Iterator[str]:
    yield f"# Datasheet: {_line(schema.name or 'synthetic table')}"
    yield f"\n{certificate.rows:,} synthetic rows, {len(schema.columns)} columns. {DRAWN}"
    yield f"\n**Guarantee.** {certificate.sentence}"
    yield f"\n**Method.** {certificate.method} ({certificate.variant})."
    yield f"\n**Target.** {_line(', '.join(schema.all_targets)) or 'none'}.\n"
    for warning in certificate.warnings:
        yield f"> **Warning.** {_line(warning)}\n"
    yield "## Columns\n\n| name | kind | values | missing |\n|---|---|---|---|"
    yield from (_column_line(column) for column in schema.columns)
    yield "\n## How to load it\n"
    yield f"```python\n{LOAD}\n```"
    yield "\nMore rows, or rows with given values, from the stored model:\n"
    yield f"```python\n{SAMPLE}\n```"
    yield "\n## Limits\n"
    yield from (f"- {line}" for line in LIMITS)


def _column_line(column: Column) -> str:
    name, domain = (_cell(text) for text in (column.name, column.domain))
    return f"| {name} | {column.kind.value} | {domain} | {'yes' if column.nullable else 'no'} |"


def _cell(text: str) -> str:
    """A stranger's text inside a Markdown table: no new cell besides."""
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    """A stranger's text inside Markdown: no new line, no HTML."""
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
