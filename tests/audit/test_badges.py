"""A badge says in words what is claimed and what was measured."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.audit.test_verdicts import CLAIMED, PROVED, bound, report
from triplea.audit.badges import BAD, GOOD, badge, badge_line, badge_text


def test_a_badge_is_a_picture_with_a_name() -> None:
    good, bad = badge(report(PROVED, bound(0.839, mu=0.23))), badge(report(CLAIMED, bound(7.9)))
    for drawn in (good, bad):
        assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert "m: ε = 1 proved, measured ≥ 0.83" in good and GOOD in good
    assert BAD in bad


def test_a_line_of_badges_has_words_for_those_who_do_not_see_it() -> None:
    found = report(CLAIMED, bound(7.9), variant="published")
    assert badge_text(found) == ("m (published): ε = 1 claimed", "measured ≥ 7.90")
    line = badge_line([found], folder="docs/images", link="docs/results/audit.md")
    assert line == (
        "[![m (published): ε = 1 claimed, measured ≥ 7.90](docs/images/audit-m-published.svg)]"
        "(docs/results/audit.md)"
    )
