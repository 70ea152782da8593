from dataclasses import replace

from tests.report.records import HOSTILE, claimed, evaluation, facts
from triplea.report.overview import FINE, PRIVATE, header, summary, warnings_section


def test_the_header_says_first_that_it_must_not_be_published():
    written = header(evaluation())
    assert written.index(PRIVATE) < written.index("<h1>")
    assert "made by naive-bayes (provable)" in written


def test_the_summary_shows_the_guarantee_and_four_numbers():
    written = summary(evaluation())
    assert "✓ Proved" in written
    for figure in ("ε = 1", "0.800", "0.100", "0.520"):
        assert f">{figure}<" in written


def test_a_claim_and_a_missing_certificate_are_said():
    assert "none proved" in summary(evaluation(release=facts(guarantee=claimed())))
    assert "none known" in summary(evaluation(release=None))


def test_warnings_are_loud_and_remarks_are_folded():
    written = warnings_section(evaluation())
    assert "⚠" in written
    assert "The synthetic column is constant" in written
    assert "1 smaller remark(s)" in written
    assert HOSTILE not in written


def test_no_warning_is_good_news_in_words():
    assert FINE in warnings_section(evaluation(notes=()))


def test_a_table_without_a_target_has_no_utility_card():
    assert "Utility" not in summary(replace(evaluation(), utility=None))
