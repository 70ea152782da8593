"""From a results file to a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.support import record
from tests.bench.test_curves import records
from triplea.bench import showing
from triplea.bench.records import append_records
from triplea.errors import MissingExtra, UserError


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "smoke.jsonl"
    append_records(path, records())
    return path


def test_a_markdown_page_has_its_picture_beside_it(results: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "pages" / "smoke.md"
    showing.render(results, form="markdown", out=out)
    text = out.read_text()
    assert text.startswith("# Smoke\n")
    assert "$ triplea bench run smoke --out smoke.jsonl" in text
    assert "](smoke-diabetes-lightgbm.svg)" in text
    assert (out.parent / "smoke-diabetes-lightgbm.svg").read_text().startswith("<?xml")


def test_the_command_names_the_file_of_a_grid_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    append_records(path, [replace(one, grid="mine") for one in records()])
    page, _ = showing.render(path, form="markdown", out=None)
    assert "$ triplea bench run mine.yaml --out mine.jsonl" in page.command


def test_an_html_page_holds_its_picture(results: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page, text = showing.render(results, form="html", out=tmp_path / "p.html", title="Mine")
    assert page.title == "Mine"
    assert "<figure><svg" in text


def test_without_matplotlib_there_is_a_page_and_a_remark(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> str:
        raise MissingExtra(package="matplotlib", extra="report", purpose="drawing a picture")

    monkeypatch.setattr(showing, "draw", missing)
    remarks: list[str] = []
    page, _ = showing.render(results, form="markdown", out=tmp_path / "p.md", note=remarks.append)
    assert page.pictures == ()
    assert "No pictures" in remarks[0]


def test_a_terminal_cannot_be_written_to_a_file(results: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--out needs --format"):
        showing.render(results, form="terminal", out=tmp_path / "p.txt")


def test_many_curves_become_two_pictures_and_a_brief_page_has_one_table(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "many.jsonl"
    names = [f"m{place}" for place in range(12)]
    append_records(path, [record(method=name, epsilon=e) for name in names for e in (0.1, 1.0)])
    page, text = showing.render(path, form="markdown", out=tmp_path / "many.md", brief=True)
    assert [name for name, _ in page.pictures] == [
        "many-diabetes-lightgbm.svg",
        "many-diabetes-lightgbm-each.svg",
    ]
    assert [section.title for section in page.sections] == ["Overview: lightgbm"]
    assert "many.jsonl --brief --format markdown" in text
