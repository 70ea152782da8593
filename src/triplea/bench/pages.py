"""What a results page says, built from records alone; `page_formats.py` writes it down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triplea.bench.overview import overviews
from triplea.bench.paper import citations, table_notes
from triplea.bench.records import Record
from triplea.bench.summary import GUARANTEES, HEADLINES, TITLES, Line, failures, summarise

HEADERS = (
    "data set",
    "epsilon",
    "method",
    "metric",
    "seeds",
    "ours",
    "spread",
    "paper",
    "difference",
    "s",
    "MiB",
)
FAILED_HEADERS = ("data set", "epsilon", "method", "evaluator", "seeds", "outcome", "reason")
EXPLANATIONS = {
    "proved": "The certificate proves the epsilon of the line, for a release with fresh noise. Where a "
    "schema says that bounds were observed in the data, this holds if they count as public.",
    "claimed": "The paper's algorithm as printed. Its epsilon is claimed; no finite epsilon is proved.",
    "non-private": "Made from rows read in the clear: no epsilon is proved or claimed. `real` are the real "
    "training rows themselves, the ceiling.",
}
LEGEND = (
    "Ours: mean over seeds (or the best of them where the paper prints its best run), with the standard "
    "deviation beside it. Difference: ours minus the paper's. s: seconds of the release on one core; MiB: "
    "the most memory of the process. All noise was seeded, so none of these tables may be released."
)
BRIEF_LEGEND = "All noise was seeded, so none of the tables behind these numbers may be released."


@dataclass(frozen=True, kw_only=True)
class Section:
    """A titled table."""

    title: str
    text: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything about one results file. `pictures` are names of files beside the page, with a text each."""

    title: str
    command: str
    text: str
    legend: str
    sections: tuple[Section, ...]
    sources: tuple[str, ...]
    made_with: str
    pictures: tuple[tuple[str, str], ...] = ()


def build_page(
    records: Sequence[Record],
    *,
    title: str,
    command: str,
    text: str = "",
    every_metric: bool = False,
    brief: bool = False,
    pictures: Sequence[tuple[str, str]] = (),
) -> Page:
    """Sort lines into proved, claimed and non-private, and cells without a score into a list of their own.

    A brief page has the tables at a glance only, where there are any.
    """
    lines = summarise(records, every_metric=every_metric)
    glance = list(_overview_sections(lines))
    details = [] if brief and glance else list(_score_sections(lines))
    sections = [*glance, *details, *_failed_section(records)]
    return Page(
        title=title,
        command=command,
        text=text,
        legend=LEGEND if details else BRIEF_LEGEND,
        sections=tuple(sections),
        sources=tuple(_sources(lines)),
        made_with=_made_with(records),
        pictures=tuple(pictures),
    )


def _sources(lines: Sequence[Line]) -> Iterator[str]:
    """Cite the papers whose numbers are shown, with what must be known about their tables."""
    used = dict.fromkeys((line.paper.paper, line.paper.table) for line in lines if line.paper is not None)
    for paper in dict.fromkeys(name for name, _ in used):
        yield f"{paper}: {citations()[paper]}"
        notes = table_notes(paper)
        yield from (f"{paper}, Table {t}: {notes[t]}" for name, t in used if name == paper and t in notes)


def _overview_sections(lines: Sequence[Line]) -> Iterator[Section]:
    for table in overviews(lines):
        text = f"Mean and standard deviation over seeds of {table.metric}."
        title = f"Overview: {table.evaluator}"
        yield Section(title=title, text=text, headers=table.headers, rows=table.rows)


def _score_sections(lines: Sequence[Line]) -> Iterator[Section]:
    for guarantee in GUARANTEES:
        chosen = [line for line in lines if line.setting.guarantee == guarantee]
        for evaluator in dict.fromkeys(line.setting.evaluator for line in chosen):
            rows = [_row(line) for line in sorted(chosen, key=_place) if line.setting.evaluator == evaluator]
            yield Section(
                title=f"{TITLES[guarantee]}: {evaluator}",
                text=EXPLANATIONS[guarantee],
                headers=HEADERS,
                rows=tuple(rows),
            )


def _failed_section(records: Sequence[Record]) -> Iterator[Section]:
    rows = [
        (
            setting.dataset,
            _epsilon(setting.epsilon),
            setting.name,
            setting.evaluator,
            str(count),
            status,
            reason,
        )
        for setting, status, reason, count in failures(records)
    ]
    if rows:
        text = "These cells have no number; they stay here until they have one."
        yield Section(title="Without a result", text=text, headers=FAILED_HEADERS, rows=tuple(rows))


def _place(line: Line) -> tuple[str, int, str, float, str]:
    """Sort by data set and metric, then by epsilon, so that methods stand one below the other."""
    setting, headlines = line.setting, HEADLINES.get(line.setting.evaluator, ())
    rank = headlines.index(line.metric) if line.metric in headlines else len(headlines)
    return setting.dataset, rank, line.metric, setting.epsilon or 0.0, setting.name


def _row(line: Line) -> tuple[str, ...]:
    setting, paper = line.setting, line.paper
    return (
        setting.dataset,
        _epsilon(setting.epsilon),
        setting.name,
        f"{line.metric} (best)" if line.statistic == "best" else line.metric,
        str(line.seeds),
        f"{line.value:.4f}",
        "-" if line.spread is None else f"{line.spread:.4f}",
        "-" if paper is None else f"{paper.value:.4g} ({paper.paper}, Table {paper.table})",
        "-" if line.difference is None else f"{line.difference:+.4f}",
        f"{line.seconds:.1f}",
        "-" if line.mebibytes is None else f"{line.mebibytes:.0f}",
    )


def _epsilon(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _made_with(records: Sequence[Record]) -> str:
    """Name the code and the machines that made the numbers."""
    commits = sorted({record.commit for record in records if record.commit})
    versions = sorted({record.versions["triplea"] for record in records if "triplea" in record.versions})
    machines = sorted({record.machine for record in records if record.machine})
    days = sorted({record.finished[:10] for record in records if record.finished})
    parts = [
        f"triplea {', '.join(versions)}" if versions else "",
        f"commit {', '.join(commits)}" if commits else "",
        "; ".join(machines),
        f"{days[0]} to {days[-1]}" if len(days) > 1 else "".join(days),
    ]
    return "; ".join(part for part in parts if part)
