"""Drawings have a name, a description, and every part of what they show."""

from __future__ import annotations

from tests.audit.test_verdicts import CLAIMED, PICTURE, PROVED, bound, report
from triplea.audit.pictures import histogram, histogram_legend, trade_off, trade_off_legend
from triplea.audit.verdicts import Claim


def test_the_histogram_names_what_lies_above_the_threshold() -> None:
    drawn = histogram(PICTURE)
    assert "<title>Histogram" in drawn and "real-area" in drawn and "synthetic-line" in drawn
    assert "16.7\u00a0% of the runs on D and 83.3\u00a0% of those on D" in drawn


def test_the_trade_off_has_the_claim_only_where_there_is_one() -> None:
    assert 'class="real-curve"' in trade_off(report(PROVED, bound(0.8, mu=0.2)))
    none = Claim(epsilon=1.0, delta=1e-5, kind="none", neighbours="replace-one")
    assert 'class="real-curve"' not in trade_off(report(none, bound(0.8)))
    assert "1\u00a0% false alarms, 2\u00a0% misses" in trade_off(report(CLAIMED, bound(0.8)))


def test_legends_explain_every_line() -> None:
    assert "runs on D" in histogram_legend()
    assert all(word in trade_off_legend() for word in ("claimed", "measured", "guessing"))
