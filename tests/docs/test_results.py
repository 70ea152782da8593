"""The results pages: what an overview says of a data set, the lines below it say as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from triplea.bench.showing import render

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "results"
NAMES = ("flagship.md", "rivals.md", "3a-table-1.md", "smoke.md")


def tables(text: str) -> Iterator[tuple[str, str, list[dict[str, str]]]]:
    """Title, text and lines of every section that has a table."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
        if lines:
            yield (
                section.splitlines()[0],
                section,
                [dict(zip(lines[0], line, strict=True)) for line in lines[1:]],
            )


def overview_cells(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for title, section, lines in tables(text):
        metric = re.search(
            r"^Mean and standard deviation over seeds of (\S+)\.$", section, flags=re.MULTILINE
        )
        if metric is None:
            continue
        evaluator = title.removeprefix("Overview: ")
        for line in lines:
            which = (line.pop("guarantee"), evaluator, line.pop("epsilon"), line.pop("method"), metric[1])
            yield from (((*which, data), cell) for data, cell in line.items() if cell != "-")


def printed_lines(text: str) -> dict[tuple[str, ...], tuple[str, str]]:
    found = {}
    for title, _, lines in tables(text):
        guarantee, _, evaluator = title.partition(": ")
        for line in lines if "spread" in lines[0] else ():
            which = (guarantee, evaluator, line["epsilon"], line["method"], line["metric"], line["data set"])
            found[which] = (line["ours"], line["spread"])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_an_overview_agrees_with_the_lines_of_its_page(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    lines, cells = printed_lines(text), dict(overview_cells(text))
    assert cells
    said = {which: cell.partition(" ± ")[::2] for which, cell in cells.items()}
    assert said == {which: (lines[which][0], lines[which][1].replace("-", "")) for which in cells}


def test_the_flagship_page_says_what_its_records_say(tmp_path: Path) -> None:
    """All but the words about it is what `triplea bench show` makes of them."""
    start = "Ours: mean over seeds"
    out = tmp_path / "flagship.md"
    _, made = render(FOLDER / "records" / "flagship.jsonl", form="markdown", out=out)
    page = (FOLDER / "flagship.md").read_text(encoding="utf-8")
    assert page.partition(start)[2] == made.partition(start)[2]
    pictures = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert pictures == sorted(path.name for path in FOLDER.glob("flagship-*.svg"))
