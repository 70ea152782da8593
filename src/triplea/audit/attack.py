"""One audit: pick the pair, replay it, run it many times on both tables, and bound epsilon from below."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from triplea.anonymize.accountant import curve
from triplea.anonymize.plan import Mechanism
from triplea.audit.bounds import (
    epsilon_of_mu,
    mu_by_accuracy,
    mu_by_means,
    mu_by_paired_means,
    mu_by_tail,
)
from triplea.audit.catalogue import attacked, longer_settings, main_pair, named_pair
from triplea.audit.features import aligned
from triplea.audit.likelihood import VISIBLE
from triplea.audit.one_run import audit_one_run
from triplea.audit.pairs import Pair
from triplea.audit.rules import Rule, Runs, count_errors, find_rule
from triplea.audit.runs import Pool, Seen, gather
from triplea.audit.verdicts import AuditReport, Bound, Claim, OneRun, Picture, violates
from triplea.audit.white_box import examine
from triplea.methods._networks import NetworkMethod
from triplea.registry import create_method, find_method
from triplea.releases.request import Request, prepare
from triplea.releases.versions import versions
from triplea.sample.randomness import public_generator

CONFIDENCE = 0.95
SMALL_MU = 1.0  # up to here the means of the ratio tell more than counted guesses
RATIO_PART = 0.9  # of the risk, for the likelihood ratio; the rest is for features of the release
MOST, LEAST, MOST_WITH_FEATURES = 4000, 24, 400
CURVE = tuple(np.round(np.linspace(0.0, 3.0, 13), 3))
RATIO = "likelihood ratio of the door's answers"
Told = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How an audit is done. `runs` is per table; without it, as many as `seconds` allow."""

    epsilon: float = 1.0
    delta: float = 1e-5
    runs: int | None = None
    seconds: float = 60.0
    workers: int = 1
    seed: int | None = None
    pair: str | None = None
    params: Mapping[str, Any] | None = None


def audit(
    method: str, variant: str, settings: Settings, *, pool: Pool | None = None, told: Told | None = None
) -> AuditReport:
    """Attack a method and report the largest lower bound on its epsilon beside the claim."""
    if pool is None:
        with Pool(settings.workers).open() as own:
            return audit(method, variant, settings, pool=own, told=told)
    started = time.monotonic()
    say = told or (lambda *_: None)
    pair = (
        main_pair(method, variant, epsilon=settings.epsilon, delta=settings.delta)
        if settings.pair is None
        else named_pair(settings.pair, method, variant)
    )
    request = prepare(
        schema=pair.schema, epsilon=settings.epsilon, delta=settings.delta, neighbours=pair.relation,
        method=attacked(method, variant, pair, dict(settings.params or {})),
    )  # fmt: skip
    once = None
    if _is_trained(method, variant, request):
        say("one run with canaries", 0, 1)
        once = audit_one_run(
            create_method(method, variant=variant, params=longer_settings(method)),
            epsilon=settings.epsilon, delta=settings.delta, risk=(1.0 - CONFIDENCE) * (1.0 - RATIO_PART),
            rng=public_generator(settings.seed, stream=4),
        )  # fmt: skip
    return attack(request, pair, settings, pool=pool, told=told, started=started, once=once)


def _is_trained(method: str, variant: str, request: Request) -> bool:
    """Whether the method trains networks on rows, by its provable plan."""
    if request.proved:
        return any(charge.mechanism is Mechanism.SAMPLED_GAUSSIAN for charge in request.charges.values())
    return issubclass(find_method(method), NetworkMethod) and variant != "provable"


def attack(
    request: Request,
    pair: Pair,
    settings: Settings,
    *,
    pool: Pool,
    told: Told | None = None,
    started: float | None = None,
    once: OneRun | None = None,
) -> AuditReport:
    """Attack a request on one pair of tables."""
    began, say = started or time.monotonic(), told or (lambda *_: None)
    rng = public_generator(settings.seed, stream=3)
    claim = claim_of(request)
    say("replaying", 0, 1)
    replayed = examine(request, pair, rng=rng) if request.proved else None
    runs, with_features = numbers_of_runs(request, pair, pool, settings, rng=rng)
    repeated = False
    while True:
        counted = _Counter(say, 2 * runs, "checking again" if repeated else "running")
        first, second = gather(
            pool, request, pair, runs=runs, features=with_features, visible=is_visible(request), rng=rng,
            told=counted,
        )  # fmt: skip
        risk = (1.0 - CONFIDENCE) * (RATIO_PART if once is not None else 1.0)
        bounds, picture = judge(first, second, claim=claim, risk=risk)
        if repeated or not violates(bounds, claim):
            break
        repeated = True  # an alarm counts only if fresh runs raise it again
    return AuditReport(
        method=request.method.name,
        variant=request.method.variant,
        claim=claim,
        pair=pair.name,
        why=pair.why,
        confidence=CONFIDENCE,
        bounds=bounds,
        runs=runs,
        seconds=round(time.monotonic() - began, 1),
        white_box=replayed,
        one_run=once,
        picture=picture,
        parameters={name: value for name, value in request.method.get_params().items()},
        repeated=repeated,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
    )


def claim_of(request: Request) -> Claim:
    """What the request promises, with the exact curve where it is proved."""
    charges, budget = list(request.charges.values()), request.budget
    kind = "proved"
    if not request.proved:
        clear = any(charge.mechanism is Mechanism.CLEAR for charge in charges)
        kind = "none" if clear else "claimed"
    gaussian = all(charge.mechanism is Mechanism.GAUSSIAN for charge in charges)
    mu = math.sqrt(math.fsum(charge.mu**2 for charge in charges)) if gaussian and charges else None
    proved = curve(charges, epsilons=CURVE, neighbours=budget.neighbours) if request.proved else ()
    return Claim(
        epsilon=budget.epsilon, delta=budget.delta, kind=kind, neighbours=budget.neighbours.value, mu=mu,
        curve=tuple((float(epsilon), float(delta)) for epsilon, delta in proved),
    )  # fmt: skip


def is_visible(request: Request) -> bool:
    """Whether the likelihood ratio of all answers can be computed: not for training by sampled batches."""
    charges = request.charges.values()
    return request.proved and all(charge.mechanism in VISIBLE for charge in charges)


def judge(
    first: Sequence[Seen], second: Sequence[Seen], *, claim: Claim, risk: float
) -> tuple[tuple[Bound, ...], Picture]:
    """All bounds; together they err with probability at most `risk`."""
    bounds = []
    ratios = _ratios(first, second) if claim.mu is not None else None
    if ratios is not None:
        bounds.append(_by_ratio(*ratios, claim=claim, risk=RATIO_PART * risk))
        risk *= 1.0 - RATIO_PART
    runs = _statistics(first, second, with_ratio=ratios is None)
    rule = find_rule(runs.part(0.0, 0.5), delta=claim.delta, risk=risk)
    counted = runs.part(0.5, 1.0)
    errors = rule.errors(counted)
    bounds.append(
        Bound(
            test=rule.name, epsilon=rule.epsilon(errors, delta=claim.delta, risk=risk), risk=risk,
            alarms=errors.alarms, misses=errors.misses, runs=errors.on_first,
        )
    )  # fmt: skip
    if ratios is not None and bounds[0].epsilon >= bounds[-1].epsilon:
        return tuple(bounds), draw(ratios[0], ratios[1], 0.0)
    return tuple(bounds), draw(rule.values(counted.first), rule.values(counted.second), rule.threshold)


def _ratios(first: Sequence[Seen], second: Sequence[Seen]) -> tuple[np.ndarray, np.ndarray, bool] | None:
    """The likelihood ratios on both tables, if every run has one, and whether runs share their noise."""
    if any(seen.ratio is None for seen in (*first, *second)):
        return None
    paired = [[seen for seen in side if seen.features is None] for side in (first, second)]
    shared = min(map(len, paired)) >= LEAST
    sides = paired if shared else [list(first), list(second)]
    one, two = (np.array([seen.ratio for seen in side], dtype=float) for side in sides)
    return one, two, shared


def _by_ratio(first: np.ndarray, second: np.ndarray, shared: bool, *, claim: Claim, risk: float) -> Bound:
    """The best test of two Gaussians, fixed beforehand: say "D'" when the ratio is above one.

    A small mu is bounded by means, which can use that runs share their noise. A large one is bounded by
    counted errors; where noise is shared, the two rates are bounded one by one.
    """
    errors = count_errors(first, second, 0.0)
    if claim.mu is not None and claim.mu > SMALL_MU:
        mu = mu_by_tail(errors, risk=risk) if shared else mu_by_accuracy(errors, risk=risk)
    else:
        mu = (mu_by_paired_means if shared else mu_by_means)(first, second, risk=risk)
    spread = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2.0) if len(first) > 1 else 0.0
    estimate = float(second.mean() - first.mean()) / spread if spread > 0 else None
    return Bound(
        test=RATIO, epsilon=epsilon_of_mu(mu, claim.delta), risk=risk, alarms=errors.alarms,
        misses=errors.misses, runs=errors.on_first, mu=mu, mu_estimate=estimate,
    )  # fmt: skip


def _statistics(first: Sequence[Seen], second: Sequence[Seen], *, with_ratio: bool) -> Runs:
    """The runs that were looked at in full, as one matrix of numbers."""
    sides = [[seen for seen in side if seen.features is not None] for side in (first, second)]
    count = min(map(len, sides))
    kept = [seen for side in sides for seen in side[:count]]
    numbers = [
        {**(seen.features or {}), **({RATIO: seen.ratio} if with_ratio and seen.ratio is not None else {})}
        for seen in kept
    ]
    names, matrix = aligned(numbers)
    return Runs(names=tuple(names), first=matrix[:count], second=matrix[count:])


def draw(first: np.ndarray, second: np.ndarray, threshold: float, *, bins: int = 30) -> Picture:
    """Histograms over the middle of the values, and both error rates at many thresholds."""
    both = np.concatenate([first, second])
    low, high = np.quantile(both, [0.002, 0.998])
    low, high = min(low, threshold), max(high, threshold)
    edges = np.linspace(low, high if high > low else low + 1.0, bins + 1)
    counts = [np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0] for values in (first, second)]
    thresholds = np.unique(np.quantile(both, np.linspace(0, 1, 101)))
    return Picture(
        edges=tuple(float(edge) for edge in edges),
        first=tuple(int(count) for count in counts[0]),
        second=tuple(int(count) for count in counts[1]),
        threshold=float(threshold),
        alphas=(1.0, *(float((first > at).mean()) for at in thresholds), 0.0),
        betas=(0.0, *(float((second <= at).mean()) for at in thresholds), 1.0),
    )


def numbers_of_runs(
    request: Request, pair: Pair, pool: Pool, settings: Settings, *, rng: np.random.Generator
) -> tuple[int, int]:
    """Runs per table, and how many of them are looked at in full: what was asked for, or what time allows.

    Where all noise is Gaussian the likelihood ratio tells the most, and most runs end at the last question.
    """
    ratio_only = is_visible(request) and claim_of(request).mu is not None
    if settings.runs is not None:
        some = int(np.clip(settings.runs // 4, LEAST, MOST_WITH_FEATURES))
        return settings.runs, min(some, settings.runs) if ratio_only else settings.runs

    def seconds_of_a_run(features: int) -> float:
        few, begin = 2 * pool.workers, time.monotonic()
        gather(pool, request, pair, runs=few, features=features, visible=is_visible(request), rng=rng)
        return max((time.monotonic() - begin) / (2 * few), 1e-6)

    gather(pool, request, pair, runs=pool.workers, visible=is_visible(request), rng=rng)  # loads and compiles
    whole = seconds_of_a_run(MOST)
    if not ratio_only:
        runs = int(np.clip(settings.seconds / (2 * whole), LEAST, MOST))
        return runs, runs
    full = int(np.clip(settings.seconds / 3.0 / (2 * whole), LEAST, MOST_WITH_FEATURES))
    left = settings.seconds - 2 * whole * full
    return full + int(np.clip(left / (2 * seconds_of_a_run(0)), 0, MOST - full)), full


class _Counter:
    """Tells how many runs are done."""

    def __init__(self, told: Told, total: int, what: str) -> None:
        self.told, self.total, self.what, self.done = told, total, what, 0

    def __call__(self, more: int) -> None:
        self.done += more
        self.told(self.what, self.done, self.total)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


__all__ = ["AuditReport", "Rule", "Settings", "attack", "audit", "claim_of", "cores"]
