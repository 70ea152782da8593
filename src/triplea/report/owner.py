"""The owner's report: one self-contained HTML file, drawn from one evaluation record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triplea.report.columns import columns_section
from triplea.report.guarantee import not_covered
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.ledger import ledger
from triplea.report.overview import PRIVATE, header, summary, warnings_section
from triplea.report.page import Section, page
from triplea.report.pictures import images_section
from triplea.report.risk import risk_section
from triplea.report.structure import association_section, dimensions_section, projection_section
from triplea.report.utility import utility_section
from triplea.results import Evaluation


def owner_report(found: Evaluation) -> str:
    """Return the report as HTML."""
    name = found.release.name if found.release is not None and found.release.name else found.source
    return page(
        title=f"Owner's report: {name}",
        header=header(found),
        sections=tuple(_sections(found)),
        footer=tag("p", tag("strong", PRIVATE), " ", found.caution),
    )


def write_owner_report(found: Evaluation, path: str | Path) -> Path:
    """Write the report, and return where it lies."""
    target = Path(path)
    target.write_text(owner_report(found), encoding="utf-8")
    return target


def _sections(found: Evaluation) -> Iterator[Section]:
    fidelity = found.fidelity
    yield Section(anchor="summary", title="Summary", body=summary(found))
    yield Section(anchor="warnings", title="Warnings", body=warnings_section(found))
    if found.release is not None and found.release.guarantee.questions:
        body = join(
            tag("p", "What the privacy budget was paid for. Nothing else was learned from the real rows."),
            ledger(found.release.guarantee),
            tag("h3", "What the guarantee does not cover"),
            not_covered(found.release.guarantee),
        )
        yield Section(anchor="budget", title="Budget", body=body)
    if found.utility is not None:
        yield Section(anchor="utility", title="Utility", body=utility_section(found.utility))
    for place, utility in enumerate(found.further, start=2):
        title = f"Utility: {utility.target}"
        yield Section(anchor=f"utility-{place}", title=title, body=utility_section(utility))
    if found.images is not None:
        yield Section(anchor="images", title="Images", body=images_section(found.images))
    yield Section(anchor="columns", title="Columns", body=columns_section(fidelity))
    if fidelity.association is not None:
        body = association_section(fidelity.association)
        yield Section(anchor="associations", title="Associations", body=body)
    if fidelity.projection is not None:
        body = projection_section(fidelity.projection)
        yield Section(anchor="components", title="Principal components", body=body)
    dimensions = dimensions_section(fidelity)
    if dimensions is not None:
        yield Section(anchor="dimensions", title="Dimension-wise", body=dimensions)
    if found.risk is not None:
        yield Section(anchor="risk", title="Risk", body=risk_section(found.risk))
    yield Section(anchor="about", title="About", body=_about(found))


def _about(found: Evaluation) -> Html:
    rows = [
        ("synthetic table", name_of(found.source)),
        ("suite", found.suite),
        ("seed", str(found.seed)),
        ("seconds", ", ".join(f"{stage} {spent:.0f}" for stage, spent in found.seconds.items())),
        ("versions", ", ".join(f"{name} {version}" for name, version in found.versions.items())),
    ]
    if found.release is not None:
        made = found.release
        settings = ", ".join(f"{key} = {value}" for key, value in made.parameters.items())
        rows += [
            ("released", made.created),
            ("settings of the method", settings or "defaults"),
            ("SHA-256 of data.parquet", tag("code", made.data_sha256 or "unknown")),
        ]
    return table("How these numbers came about", ("", ""), rows)
