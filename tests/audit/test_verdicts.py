"""The verdict follows from the bounds, and a record survives its way through JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from triplea.audit.verdicts import AuditReport, Bound, Claim, OneRun, Picture, WhiteBox, rounded_down

PROVED = Claim(
    epsilon=1.0, delta=1e-5, kind="proved", neighbours="add-or-remove-one", mu=0.268, curve=((0.5, 1e-3),)
)
CLAIMED = Claim(epsilon=1.0, delta=1e-5, kind="claimed", neighbours="replace-one")
PICTURE = Picture(
    edges=(0.0, 1.0, 2.0), first=(5, 1), second=(1, 5), threshold=1.0, alphas=(1.0, 0.2, 0.0),
    betas=(0.0, 0.2, 1.0),
)  # fmt: skip


def bound(epsilon: float, mu: float | None = None) -> Bound:
    return Bound(test="t", epsilon=epsilon, risk=0.05, alarms=1, misses=2, runs=100, mu=mu, mu_estimate=mu)


def report(claim: Claim, *bounds: Bound, **more: Any) -> AuditReport:
    settings = {"pair": "outlier", "why": "because", "confidence": 0.95, "runs": 100, "seconds": 1.0}
    return AuditReport(
        method="m", claim=claim, bounds=bounds, picture=PICTURE, **{"variant": "provable", **settings, **more}
    )


def test_a_bound_below_the_claim_is_consistent() -> None:
    found = report(PROVED, bound(0.839, mu=0.23), bound(0.1))
    assert (found.status, found.verdict) == ("consistent", "consistent with epsilon = 1 (measured >= 0.83)")
    assert found.tightness == pytest.approx(0.23 / 0.268)


def test_a_bound_above_the_claim_violates_it() -> None:
    found = report(CLAIMED, bound(7.96))
    assert (found.status, found.verdict) == ("violated", "violated: measured epsilon >= 7.9 at 95 %")
    assert found.best is not None and found.best.alpha == 0.01 and found.best.beta == 0.02


def test_a_mu_above_the_theoretical_one_violates_too() -> None:
    assert report(PROVED, bound(1.1, mu=0.3)).status == "violated"


def test_the_white_box_alone_can_break_a_claim() -> None:
    broken = WhiteBox(pairs=3, questions=9, used=2.0, findings=("outlier: too far",))
    assert report(PROVED, bound(0.5), white_box=broken).verdict == "violated: outlier: too far"


def test_one_run_alone_can_break_a_claim() -> None:
    once = OneRun(canaries=100, guesses=20, correct=20, epsilon=2.55)
    assert report(CLAIMED, bound(0.5), one_run=once).verdict == "violated: measured epsilon >= 2.5 at 95 %"


def test_rows_read_in_the_clear_leave_no_claim() -> None:
    none = Claim(epsilon=1.0, delta=1e-5, kind="none", neighbours="replace-one")
    assert report(none, bound(0.2)).status == "no claim"
    assert report(none, bound(3.0)).status == "violated"


def test_a_report_survives_json() -> None:
    once = OneRun(canaries=100, guesses=20, correct=11, epsilon=0.0)
    replayed = WhiteBox(pairs=3, questions=9, used=1.0)
    found = report(PROVED, bound(0.8, mu=0.2), one_run=once, white_box=replayed)
    again = AuditReport.from_json(json.loads(json.dumps(found.to_json())))
    assert again == found


def test_a_claim_allows_less_with_every_further_pair() -> None:
    alone = Claim(epsilon=1.0, delta=1e-5, kind="proved", neighbours="add-or-remove-one")
    more = Claim(epsilon=1.0, delta=1e-5, kind="proved", neighbours="add-or-remove-one", curve=((0.1, 1e-3),))
    assert more.misses(0.3) > alone.misses(0.3)
    assert PROVED.misses(0.3) < 0.7


def test_lower_bounds_are_rounded_down() -> None:
    assert (rounded_down(0.999, 2), rounded_down(float("inf"), 1)) == ("0.99", "infinity")
