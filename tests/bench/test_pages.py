"""Pages say what is proved, what is claimed, what is neither, and what failed."""

from __future__ import annotations

from dataclasses import replace

from tests.bench.support import record
from triplea.bench.pages import build_page
from triplea.bench.records import CLAIMED, FAILED, NON_PRIVATE

RECORDS = [
    record(dataset="adult", method="clustmix"),
    record(dataset="adult", method="clustmix", variant="published", guarantee=CLAIMED),
    record(dataset="adult", method="real", epsilon=None, guarantee=NON_PRIVATE),
    replace(record(dataset="adult", method="mosaic"), status=FAILED, reason="not there", scores={}),
]


def test_every_guarantee_has_its_own_table() -> None:
    page = build_page(RECORDS, title="T", command="$ c")
    assert [section.title for section in page.sections] == [
        "Proved: lightgbm",
        "Claimed by a paper, not proved: lightgbm",
        "NON-PRIVATE: lightgbm",
        "Without a result",
    ]


def test_a_line_has_our_number_the_papers_and_the_difference() -> None:
    page = build_page(RECORDS, title="T", command="$ c")
    assert page.sections[0].rows[0][5:9] == ("0.8000", "-", "0.863 (3a, Table 1)", "-0.0630")
    assert page.sections[3].rows[0][-2:] == ("failed", "not there")


def test_papers_code_and_machine_are_named() -> None:
    page = build_page(RECORDS, title="T", command="$ c")
    assert any("arXiv:2307.01875" in source for source in page.sources)
    assert any("another metric" in source for source in page.sources)
    assert page.made_with == "triplea 1.2.3; commit abc; a machine; 2030-01-02"
