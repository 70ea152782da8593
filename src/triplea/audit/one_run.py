"""Auditing with one training run (Steinke, Nasr and Jagielski 2023, arXiv:2305.08846).

Each of m canaries is in the table or not by a fair coin. From the single release the attacker scores every
canary and guesses "in" for the highest scores, "out" for the lowest: r guesses in all, none on the others.

Theorem (their 5.2, for add-or-remove-one). Under (epsilon, delta) the number W of right guesses obeys
P[W >= v] <= P[B >= v] + 2 m delta max_{1<=i<=v} P[v > B >= v - i] / i, with B binomial of r trials and
success rate e^epsilon / (1 + e^epsilon), that of randomised response. The smallest epsilon at which the
right-hand side exceeds the allowed risk is a lower bound on the true one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import binom

from triplea.audit.runs import SECRET, fresh
from triplea.audit.verdicts import OneRun
from triplea.engines import LocalEngine
from triplea.methods._base import Method
from triplea.releases.request import Request, prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table

CANARIES = 400
GUESSES = 0.2  # of the canaries: the highest tenth and the lowest tenth
OTHERS = 50
DRAWN = 40_000


def p_value(*, canaries: int, guesses: int, correct: int, epsilon: float, delta: float) -> float:
    """The chance of so many right guesses, or more, under (epsilon, delta), bounded from above."""
    rate = 1.0 / (1.0 + math.exp(-epsilon))
    tail = float(binom.sf(correct - 1, guesses, rate))
    if correct == 0:
        return 1.0
    below = np.cumsum(binom.pmf(correct - np.arange(1, correct + 1), guesses, rate))
    worst = float(np.max(below / np.arange(1, correct + 1)))
    return min(1.0, tail + 2.0 * canaries * delta * worst)


def epsilon_bound(*, canaries: int, guesses: int, correct: int, delta: float, risk: float) -> float:
    """The largest epsilon whose p-value is still below the risk: the true one lies above, or chance was rare.

    >>> round(epsilon_bound(canaries=1000, guesses=1000, correct=1000, delta=0.0, risk=0.05), 2)
    5.81
    """
    low, high = 0.0, 50.0
    state = {"canaries": canaries, "guesses": guesses, "correct": correct}
    if p_value(**state, epsilon=low, delta=delta) > risk:
        return 0.0
    for _ in range(36):
        middle = (low + high) / 2.0
        if p_value(**state, epsilon=middle, delta=delta) <= risk:
            low = middle
        else:
            high = middle
    return low


def count_guesses(scores: np.ndarray, included: np.ndarray, *, share: float = GUESSES) -> tuple[int, int]:
    """Guess "in" for the top and "out" for the bottom; the number of guesses, and of right ones."""
    each = max(1, int(len(scores) * share / 2.0))
    order = np.argsort(scores, kind="stable")
    right = int(included[order[-each:]].sum() + (~included[order[:each]]).sum())
    return 2 * each, right


def canary_schema(canaries: int) -> dict[str, Any]:
    """One column with a value of its own for every canary, and a target."""
    names = ["others", *(f"c{number}" for number in range(canaries))]
    return {
        "target": "sick",
        "columns": [
            {"name": "who", "kind": "categorical", "categories": names},
            {"name": "sick", "kind": "boolean"},
        ],
    }


def canary_table(included: np.ndarray) -> pa.Table:
    """Ordinary rows, and a row for each canary that is in."""
    who = ["others"] * OTHERS + [f"c{number}" for number in np.flatnonzero(included)]
    return pa.table(
        {"who": pa.array(who, pa.string()), "sick": pa.array([i % 2 == 0 for i in range(len(who))])}
    )


def audit_one_run(
    method: Method, *, epsilon: float, delta: float, risk: float, rng: np.random.Generator,
    canaries: int = CANARIES,
) -> OneRun:  # fmt: skip
    """One release with canaries, scored by how many of many synthetic rows carry a canary's own value."""
    request = prepare(
        schema=load_schema(canary_schema(canaries)), epsilon=epsilon, delta=delta, method=method
    )
    included = rng.random(canaries) < 0.5
    scores = _scores(request, included, rng)
    guesses, correct = count_guesses(scores, included)
    bound = epsilon_bound(canaries=canaries, guesses=guesses, correct=correct, delta=delta, risk=risk)
    return OneRun(canaries=canaries, guesses=guesses, correct=correct, epsilon=bound)


def _scores(request: Request, included: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    table = open_table(canary_table(included), schema=request.schema, secret=SECRET)
    made = run(
        replace(fresh(request), rows=1), table, seed=int(rng.integers(2**62)), engine=LocalEngine(threads=1)
    )
    drawn = made.model.model.sample(DRAWN, rng=rng)["who"]
    counts = np.bincount(np.asarray(drawn, dtype=np.int64), minlength=len(included) + 1)[1:]
    return counts + 1e-6 * rng.random(len(included))  # ties by chance
