"""Markdown and HTML of a page."""

from __future__ import annotations

from dataclasses import replace

from tests.bench.support import record
from tests.bench.test_pages import RECORDS
from triplea.bench.page_formats import as_html, as_markdown
from triplea.bench.pages import build_page
from triplea.bench.records import FAILED

NASTY = replace(
    record(method="mosaic"), status=FAILED, reason="a | b <script>alert(1)</script>\nc", scores={}
)


def test_markdown_has_the_command_tables_and_pictures() -> None:
    page = build_page(RECORDS, title="T", command="$ triplea bench run x", pictures=[("p.svg", "words")])
    text = as_markdown(page)
    assert text.startswith("# T\n")
    assert "```console\n$ triplea bench run x\n```" in text
    assert "![words](p.svg)" in text
    assert "| adult | 1 | clustmix (published) | roc_auc |" in text
    assert "## NON-PRIVATE: lightgbm" in text


def test_a_bar_or_a_break_in_a_reason_does_not_break_the_table() -> None:
    text = as_markdown(build_page([NASTY], title="T", command="$ c"))
    assert "a \\| b <script>alert(1)</script> c |" in text


def test_html_is_one_safe_file() -> None:
    text = as_html(
        build_page([*RECORDS, NASTY], title="T & <x>", command="$ c", pictures=[("<svg></svg>", "words")])
    )
    assert "<script>" not in text
    assert "T &amp; &lt;x&gt;" in text
    assert "<code>real</code> are the real training rows" in text
    assert "<figure><svg></svg><figcaption>words" in text
    assert "http" not in text.replace("https://", "").split("</style>")[0]
