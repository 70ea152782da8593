"""Success rates with Wilson intervals, and the risk that is left after subtracting a control."""

from __future__ import annotations

import math

from triplea.results import AttackResult, Score

_Z = 1.959963984540054


def wilson(successes: int, trials: int) -> Score:
    """Return successes / trials with the 95 % Wilson interval; 0 in [0, 1] if nothing was tried."""
    if trials == 0:
        return Score(value=0.0, low=0.0, high=1.0, note="nothing to try")
    share = successes / trials
    bottom = 1.0 + _Z**2 / trials
    centre = (share + _Z**2 / (2 * trials)) / bottom
    half = _Z * math.sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / bottom
    return Score(value=share, low=max(centre - half, 0.0), high=min(centre + half, 1.0))


def residual_risk(attack: Score, control: Score) -> Score:
    """Return (attack - control) / (1 - control) with errors propagated to first order, clipped to [0, 1].

    What holds for people who are not in the table is knowledge about everybody, not a leak about members.
    """
    left = 1.0 - control.value
    if left <= 0:
        return Score(value=0.0, low=0.0, high=1.0, note="the control attack always succeeds")
    value = (attack.value - control.value) / left
    by_attack = _half(attack) / left
    by_control = _half(control) * (1.0 - attack.value) / left**2
    half = math.hypot(by_attack, by_control)
    return Score(value=_clip(value), low=_clip(value - half), high=_clip(value + half))


def attack_result(
    attack: str,
    title: str,
    *,
    hits: int,
    tries: int,
    baseline: tuple[int, int],
    control: tuple[int, int],
    column: str | None = None,
) -> AttackResult:
    """Make the record of one attack from counts of (successes, tries)."""
    rate, on_control = wilson(hits, tries), wilson(*control)
    useless = tries > 0 and baseline[1] > 0 and rate.value <= hits_share(baseline)
    return AttackResult(
        attack=attack,
        title=title,
        attacks=tries,
        rate=rate,
        baseline=wilson(*baseline),
        control=on_control,
        risk=residual_risk(rate, on_control),
        column=column,
        note="no better than a random guess: the attack says nothing about the risk" if useless else None,
    )


def hits_share(counts: tuple[int, int]) -> float:
    """Return successes / tries."""
    return counts[0] / counts[1] if counts[1] else 0.0


def _half(score: Score) -> float:
    return ((score.high or 0.0) - (score.low or 0.0)) / 2


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)
