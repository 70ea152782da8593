"""Finding a test on some runs, to be judged on others.

Candidates are single numbers that a run showed, and a linear discriminant of all of them (ridge-regularised,
Fisher 1936). A first part of the training runs fits the discriminant, a second part chooses statistic,
threshold and kind of bound by the bound they would give. Nothing here may see the runs that are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from triplea.audit.bounds import Errors, epsilon_by_accuracy, epsilon_by_tail, upper_rates

SINGLES = 16  # single statistics that reach the choice of a threshold
WIDEST = 400  # features that the discriminant takes
THRESHOLDS = 120
RIDGE = 0.3


@dataclass(frozen=True, kw_only=True)
class Runs:
    """Numbers seen in equally many runs on both tables, one column per statistic."""

    names: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray

    def part(self, start: float, end: float) -> Runs:
        """The runs from one share of the way to another."""
        low, high = (round(share * len(self.first)) for share in (start, end))
        return Runs(names=self.names, first=self.first[low:high], second=self.second[low:high])


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Say "D'" when the weighted sum of standardised statistics exceeds a threshold."""

    name: str
    weights: np.ndarray
    centre: np.ndarray
    spread: np.ndarray
    threshold: float
    by_accuracy: bool = True
    exchanged: bool = False

    def values(self, statistics: np.ndarray) -> np.ndarray:
        """The statistic of every run; large values speak for D'."""
        used = np.flatnonzero(self.weights)
        scaled = (statistics[:, used] - self.centre[used]) / self.spread[used]
        return np.asarray(scaled @ self.weights[used])

    def errors(self, runs: Runs) -> Errors:
        """Count what the rule gets wrong."""
        return count_errors(self.values(runs.first), self.values(runs.second), self.threshold)

    def epsilon(self, errors: Errors, *, delta: float, risk: float) -> float:
        """The lower bound of the kind that was chosen."""
        if self.by_accuracy:
            return epsilon_by_accuracy(errors, delta=delta, risk=risk)
        return epsilon_by_tail(errors.exchanged if self.exchanged else errors, delta=delta, risk=risk)


def count_errors(first: np.ndarray, second: np.ndarray, threshold: float) -> Errors:
    """The errors of saying "D'" above a threshold."""
    alarms, caught = int((first > threshold).sum()), int((second > threshold).sum())
    return Errors(alarms=alarms, calm=len(first) - alarms, misses=len(second) - caught, caught=caught)


def find_rule(training: Runs, *, delta: float, risk: float) -> Rule:
    """The rule that would give the largest bound on the second part of the training runs."""
    fit, choose = training.part(0.0, 0.5), training.part(0.5, 1.0)
    both = np.concatenate([fit.first, fit.second])
    centre = both.mean(axis=0) if len(both) else np.zeros(len(training.names))
    deviation = both.std(axis=0) if len(both) else np.ones(len(training.names))
    spread = np.where(deviation > 0, deviation, 1.0)
    candidates = []
    for name, weights in _candidates(fit, centre, spread):
        for sign in (1.0, -1.0):
            rule = Rule(name=name, weights=sign * weights, centre=centre, spread=spread, threshold=0.0)
            candidates.append(_best_threshold(rule, choose, delta=delta, risk=risk))
    return max(candidates, key=lambda scored: scored[0])[1]


def _candidates(fit: Runs, centre: np.ndarray, spread: np.ndarray) -> list[tuple[str, np.ndarray]]:
    scaled = [(part - centre) / spread for part in (fit.first, fit.second)]
    count = len(fit.names)
    gap = np.abs(_separation(*scaled))
    ranked = np.argsort(-gap, kind="stable")
    singles = [(fit.names[place], np.eye(1, count, int(place))[0]) for place in ranked[:SINGLES]]
    kept = ranked[:WIDEST]
    within = np.concatenate([part[:, kept] - part[:, kept].mean(axis=0) for part in scaled])
    covariance = within.T @ within / max(len(within), 1)
    direction = scaled[1][:, kept].mean(axis=0) - scaled[0][:, kept].mean(axis=0)
    weights = np.zeros(count)
    weights[kept] = np.linalg.solve(covariance + RIDGE * np.eye(len(kept)), direction)
    return [*singles, ("linear discriminant of all features", weights)]


def _separation(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How far apart two samples lie, column by column: largest gap of a few shares above a threshold."""
    both = np.concatenate([first, second])
    gaps = np.zeros(both.shape[1])
    for quantile in (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98):
        threshold = np.quantile(both, quantile, axis=0, method="lower")
        gap = np.abs((second > threshold).mean(axis=0) - (first > threshold).mean(axis=0))
        gaps = np.maximum(gaps, gap)
    return gaps


def _best_threshold(rule: Rule, runs: Runs, *, delta: float, risk: float) -> tuple[float, Rule]:
    """Try all thresholds with every kind of bound at once."""
    first, second = np.sort(rule.values(runs.first)), np.sort(rule.values(runs.second))
    thresholds = _thresholds(first, second)
    alarms = len(first) - np.searchsorted(first, thresholds, side="right")
    misses = np.searchsorted(second, thresholds, side="right")
    error = upper_rates(alarms + misses, len(first) + len(second), risk=risk)
    alpha = upper_rates(alarms, len(first), risk=risk / 2)
    beta = upper_rates(misses, len(second), risk=risk / 2)
    kinds = ((True, False, error, error), (False, False, beta, alpha), (False, True, alpha, beta))
    # The gap of the two rates breaks ties, which are common where no bound is above zero.
    gap = 1e-3 * (1.0 - misses / len(second) - alarms / len(first))
    best = (-1.0, rule)
    for by_accuracy, exchanged, upper, lower in kinds:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(np.maximum(1.0 - delta - upper, 1e-300) / lower)
        scores = np.maximum(ratio, 0.0) + gap
        place = int(np.argmax(scores))
        if scores[place] > best[0]:
            found = replace(
                rule, threshold=float(thresholds[place]), by_accuracy=by_accuracy, exchanged=exchanged
            )
            best = (float(scores[place]), found)
    return best


def _thresholds(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Points between neighbouring values, at most `THRESHOLDS` of them."""
    values: np.ndarray = np.unique(np.concatenate([first, second]))
    if len(values) < 2:
        return values
    between: np.ndarray = (values[1:] + values[:-1]) / 2.0
    if len(between) <= THRESHOLDS:
        return between
    # The widest gap first: what separates completely must not be missed.
    picked = np.linspace(0, len(between) - 1, THRESHOLDS - 1).astype(int)
    return np.unique(np.append(between[picked], between[np.argmax(np.diff(values))]))
