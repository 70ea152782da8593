import pytest

from tests.report.records import HOSTILE, utility
from triplea.report.utility import kept_share, utility_section, verdict


def test_the_verdict_names_both_scores_and_the_floor():
    words = verdict(utility())
    for part in ("0.800", "0.900", "0.500", "75\u00a0%", "70\u00a0%"):
        assert part in words
    assert HOSTILE not in words


def test_the_share_that_is_kept_lies_between_nothing_and_all():
    assert kept_share(utility(0.8)) == pytest.approx(0.75)
    assert kept_share(utility(0.4)) == 0.0
    assert kept_share(utility(0.99)) == 1.0
    assert kept_share(utility(float("nan"))) is None


def test_the_section_has_dots_curves_and_a_table():
    written = utility_section(utility())
    assert written.count("<polyline") == 4
    assert "Scores on real test rows" in written
    assert "(paper metric)" in written
    assert "MC-GEN" in written
    assert "same order" in written


def test_a_task_without_curves_or_ranking_is_shown_too():
    written = utility_section(utility(curves=(), ranking=None, majority_share=None))
    assert "ROC curves" not in written
    assert "same order" not in written
