"""A whole audit: honest methods are consistent, planted leaks and published flaws are violated."""

from __future__ import annotations

import numpy as np
import pytest

from tests.audit import planted
from tests.audit.test_runs import requested
from tests.contracts.unproved import InTheClear
from triplea.audit.attack import Settings, attack, audit, claim_of, draw, is_visible, judge
from triplea.audit.pairs import Pair, lone_missing, outlier
from triplea.audit.runs import Pool, Seen
from triplea.audit.verdicts import AuditReport, violates
from triplea.methods._base import Method
from triplea.releases.request import prepare


def attacked(method: Method, pair: Pair, runs: int = 24) -> AuditReport:
    settings = Settings(runs=runs, seed=1)
    return attack(requested(method, pair), pair, settings, pool=Pool(1))


def test_an_honest_method_is_consistent_and_its_ratio_is_close_to_theory() -> None:
    found = audit("independent", "provable", Settings(epsilon=20.0, runs=200, seed=2))
    assert found.status == "consistent" and found.white_box is not None and found.white_box.ok
    assert found.tightness is not None and found.tightness > 0.6
    assert found.bounds[0].mu_estimate == pytest.approx(found.claim.mu, rel=0.2)


def test_an_understated_bound_is_caught_exactly_and_shows_in_the_ratio() -> None:
    """Four histograms at the price of one, with half of the budget: mu is 1.4 times what is claimed."""
    pair = outlier()
    request = prepare(schema=pair.schema, epsilon=5.0, delta=1e-5, method=planted.UnderstatedBound())
    found = attack(request, pair, Settings(runs=60, seed=3), pool=Pool(1))
    assert found.status == "violated" and "the exact answers differ by 2 (L2)" in found.verdict
    assert found.claim.mu is not None and found.bounds[0].mu_estimate is not None
    assert found.bounds[0].mu_estimate > 1.1 * found.claim.mu


@pytest.mark.parametrize(("mu", "violated"), [(0.268, False), (0.536, True)])
def test_halved_noise_is_told_from_noise_as_claimed(mu: float, violated: bool) -> None:
    """Ratios as they are drawn when the noise has the claimed size, or half of it."""
    rng, claim = np.random.default_rng(6), claim_of(requested("independent"))
    sides = [
        [Seen(features={"x": float(rng.normal())}, ratio=float(r)) for r in rng.normal(mean, mu, 1500)]
        for mean in (-mu * mu / 2, mu * mu / 2)
    ]
    bounds, _ = judge(*sides, claim=claim, risk=0.05)
    assert violates(bounds, claim) == violated
    assert bounds[0].mu == pytest.approx(mu, rel=0.3)


@pytest.mark.parametrize("leak", [planted.ExactRowCount, planted.ErrorFromARow, planted.StatisticInANote])
def test_a_leak_in_the_release_is_caught_by_its_features(leak: type[Method]) -> None:
    found = attacked(leak(), outlier())
    assert found.status == "violated"
    assert found.white_box is not None and not found.white_box.ok


def test_a_leak_of_a_missing_value_is_caught() -> None:
    assert attacked(planted.ExtraQuestionOnMissing(), lone_missing(), runs=24).status == "violated"


def test_a_published_algorithm_whose_groups_jump_is_violated() -> None:
    found = audit("mc-gen", "published", Settings(runs=40, seed=4))
    assert found.status == "violated" and found.measured > 2.0
    assert found.verdict.startswith("violated: measured epsilon >= 2.")


def test_a_method_in_the_clear_has_no_claim() -> None:
    pair = outlier()
    request = requested(InTheClear(), pair)
    assert claim_of(request).kind == "none" and not is_visible(request)
    assert attacked(InTheClear(), pair).status in ("no claim", "violated")


def test_runs_follow_from_the_time_when_no_number_is_given() -> None:
    found = audit("ron-gauss", "published", Settings(seconds=0.5, seed=5))
    assert found.runs >= 24


def test_the_picture_counts_every_run() -> None:
    rng = np.random.default_rng(0)
    made = draw(rng.normal(size=100), rng.normal(1, 1, 100), 0.5)
    assert sum(made.first) == sum(made.second) == 100
    assert made.alphas[0] == 1.0 and made.betas[-1] == 1.0
