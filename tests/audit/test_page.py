"""The page of an audit: one file, nothing fetched, and the verdict in words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from tests.audit.test_verdicts import CLAIMED, PROVED, bound, report
from triplea.audit.page import audit_page, write_audit_page
from triplea.audit.verdicts import OneRun, WhiteBox


class Balanced(HTMLParser):
    """Checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br", "input", "img", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_consistent_page_says_so_and_shows_both_pictures() -> None:
    text = audit_page(report(PROVED, bound(0.839, mu=0.23)))
    parser = Balanced()
    parser.feed(text)
    assert not parser.open
    assert "Consistent with epsilon = 1 (measured &gt;= 0.83)." in text
    assert "Claimed and measured trade-off curves" in text and "Histogram of the statistic" in text
    assert not re.search(r'(src|href)="https?:', text), "nothing is fetched"


def test_a_violated_page_shows_the_smallest_pair_and_the_single_run() -> None:
    smallest = {"pair": "outlier", "first": [], "second": [{"age": "<120>"}]}
    broken = WhiteBox(pairs=3, questions=9, used=2.0, findings=("outlier: <b>far</b>",), smallest=smallest)
    once = OneRun(canaries=100, guesses=20, correct=20, epsilon=2.55)
    text = audit_page(report(CLAIMED, bound(7.9), white_box=broken, one_run=once, repeated=True))
    assert "Violated: measured epsilon &gt;= 7.9 at 95 %" in text
    assert "&lt;120&gt;" in text and "<b>far" not in text
    assert "20 of 20 guesses" in text and "fresh runs" in text


def test_the_page_is_written(tmp_path: Path) -> None:
    path = write_audit_page(report(CLAIMED, bound(0.1)), tmp_path / "page.html")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
