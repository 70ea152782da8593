"""Put every point into a cluster at the least total cost, such that no cluster has fewer than `least` points.

Without the sizes each point takes its cheapest cluster. What is left is a minimum-cost flow that moves points
towards clusters that lack some. `exact_assignment` first lets these clusters bid: each offers the premium
that brings it enough points, and may lose some to a later bid. Whatever the premiums, every point is where it
is best off with them, and a cluster that pays has no more points than it needs: so the assignment is the
cheapest one with its sizes. From there single points go along shortest paths between clusters until nothing
lacks, which keeps that so: the last assignment is the optimum. `quick_assignment` fills one cluster after the
other with the points that mind least.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
EXACT_ENTRIES = 400_000  # up to this many (point, cluster) pairs the flow is solved exactly
WORK = 2e9  # entries looked at: about half a minute
ROOM = 4  # times as many points are looked at as are wanted, at first
BIDS = 4  # for each cluster, before points are moved one by one
NEVER = float("inf")


class Exhausted(Exception):
    """The exact solution takes more than was allowed."""


@dataclass(kw_only=True)
class Effort:
    """What may be spent: `work` in entries looked at, the same on every machine, and time only if asked for.

    `deadline` is a time of `time.monotonic`.
    """

    work: float = WORK
    deadline: float = NEVER

    def spend(self, entries: float) -> bool:
        """Take note of work; return whether there was enough left for it."""
        self.work -= entries
        return self.work >= 0.0 and (self.deadline == NEVER or time.monotonic() <= self.deadline)


def sized_assignment(costs: Floats, least: int, *, effort: Effort | None = None) -> Whole:
    """The exact assignment where it is affordable, else the quick one."""
    if costs.size > EXACT_ENTRIES:
        return quick_assignment(costs, least)
    try:
        return exact_assignment(costs, least, effort=effort)
    except Exhausted:
        return quick_assignment(costs, least)


def exact_assignment(costs: Floats, least: int, *, effort: Effort | None = None) -> Whole:
    """The cheapest assignment of n points to k clusters of at least `least` points each; needs n >= k least.

    A step moves one point along each edge of the shortest path from a cluster with points to spare to one
    that lacks some; the edge a -> b costs what the cheapest point of a pays to go to b.
    """
    _check(costs, least)
    effort = effort or Effort()
    flow = _Flow(costs, _after_bids(costs, least, effort=effort))
    while True:
        lacking = flow.sizes < least
        if not lacking.any():
            return flow.cluster
        path = flow.shortest_path(spare=flow.sizes > least, lacking=lacking)
        if not effort.spend(flow.count**2 + 2 * len(costs) * len(path)):
            raise Exhausted
        for donor, taker in path:
            flow.move(donor, taker)


def quick_assignment(costs: Floats, least: int) -> Whole:
    """A cheap assignment with the same sizes: the emptiest cluster first takes the points that mind least.

    A point minds by the difference of its two costs. Donors never fall below `least`, so one pass over the
    clusters that lack suffices; cost n for each.
    """
    _check(costs, least)
    cluster = np.asarray(costs.argmin(axis=1), dtype=np.int64)
    sizes = np.bincount(cluster, minlength=costs.shape[1])
    paid = costs[np.arange(len(costs)), cluster]
    for taker in np.argsort(sizes, kind="stable"):
        if sizes[taker] < least:
            mind = costs[:, taker] - paid
            chosen = _willing(mind, cluster, sizes - least, int(least - sizes[taker]))
            sizes -= np.bincount(cluster[chosen], minlength=len(sizes))
            sizes[taker] += len(chosen)
            cluster[chosen] = taker
            paid[chosen] = costs[chosen, taker]
    return cluster


def total_cost(costs: Floats, cluster: Whole) -> float:
    """What an assignment costs."""
    return float(costs[np.arange(len(costs)), cluster].sum())


def _check(costs: Floats, least: int) -> None:
    points, clusters = costs.shape
    if points < clusters * least:
        raise ValueError(f"{points} points cannot fill {clusters} clusters of {least}")


def _willing(mind: Floats, cluster: Whole, spare: Whole, wanted: int) -> Whole:
    """The `wanted` points that mind least, at most as many of each donor as it can spare."""
    able = np.flatnonzero(spare[cluster] > 0)
    minds, donors = mind[able], cluster[able]
    looked_at = ROOM * wanted
    while looked_at < len(able):
        near = np.flatnonzero(minds <= np.partition(minds, looked_at - 1)[looked_at - 1])
        chosen = near[_spared(minds[near], donors[near], spare)]
        if len(chosen) >= wanted:
            return able[chosen[:wanted]]
        looked_at *= ROOM
    return able[_spared(minds, donors, spare)[:wanted]]


def _spared(mind: Floats, cluster: Whole, spare: Whole) -> Whole:
    """The points in the order in which they mind, without those that their donor cannot spare any more."""
    order = np.argsort(mind, kind="stable")
    donors = cluster[order]
    by_donor = np.argsort(donors, kind="stable")
    starts = np.searchsorted(donors[by_donor], np.arange(len(spare)))
    turn = np.empty(len(order), dtype=np.int64)
    turn[by_donor] = np.arange(len(order)) - starts[donors[by_donor]]
    return order[turn < spare[donors]]


def _after_bids(costs: Floats, least: int, *, effort: Effort) -> Whole:
    """The assignment after some bids, each by the emptiest cluster, for as many points as it lacks.

    Bids bring many points at a time but end slowly, with few points that go to and fro.
    """
    points, clusters = costs.shape
    by_cluster = np.ascontiguousarray(costs.T)
    cluster = np.asarray(costs.argmin(axis=1), dtype=np.int64)
    sizes = np.bincount(cluster, minlength=clusters)
    paid = costs[np.arange(points), cluster]  # what a point costs where it is, less the premium there
    for _ in range(BIDS * clusters):
        taker = int(sizes.argmin())
        if sizes[taker] >= least:
            break
        if not effort.spend(points):
            raise Exhausted
        mind = np.where(cluster == taker, NEVER, by_cluster[taker] - paid)
        chosen = _least(mind, least - int(sizes[taker]))
        sizes -= np.bincount(cluster[chosen], minlength=clusters)
        sizes[taker] = least
        cluster[chosen] = taker
        mind[chosen] = NEVER
        mine = cluster == taker
        paid[mine] = by_cluster[taker, mine] - mind.min()  # the most it may offer before another comes
    return cluster


def _least(values: Floats, wanted: int) -> Whole:
    """The places of the smallest values; of equal ones the first, on every machine."""
    level = np.partition(values, wanted - 1)[wanted - 1]
    below = np.flatnonzero(values < level)
    return np.concatenate([below, np.flatnonzero(values == level)[: wanted - len(below)]])


class _Flow:
    """The state of the exact solution: who is where, and the cheapest point on every edge."""

    def __init__(self, costs: Floats, cluster: Whole) -> None:
        self.costs = costs
        self.cluster = cluster
        self.count = costs.shape[1]
        self.sizes = np.bincount(self.cluster, minlength=self.count)
        self.price = np.full((self.count, self.count), NEVER)
        self.mover = np.zeros((self.count, self.count), dtype=np.int64)
        for donor in range(self.count):
            self._seek(donor, np.arange(self.count))

    def shortest_path(self, *, spare: np.ndarray, lacking: np.ndarray) -> list[tuple[int, int]]:
        """The cheapest way from any cluster that can spare a point to one that lacks one, last edge first.

        Bellman and Ford: edges may be negative, cycles are not, because the assignment is optimal.
        """
        cost = np.where(spare, 0.0, NEVER)
        before = np.full(self.count, -1)
        for _ in range(self.count):
            through = cost[:, None] + self.price
            best = through.argmin(axis=0)
            reached = through[best, np.arange(self.count)]
            better = reached < cost - 1e-12 * (1.0 + np.abs(np.where(np.isfinite(cost), cost, 0.0)))
            if not better.any():
                break
            cost = np.where(better, reached, cost)
            before = np.where(better, best, before)
        at = int(np.where(lacking, cost, NEVER).argmin())
        path: list[tuple[int, int]] = []
        while before[at] >= 0 and len(path) < self.count:
            path.append((int(before[at]), at))
            at = int(before[at])
        return path

    def move(self, donor: int, taker: int) -> None:
        """Let the cheapest point go from one cluster to another."""
        point = int(self.mover[donor, taker])
        self.cluster[point] = taker
        self.sizes[donor] -= 1
        self.sizes[taker] += 1
        self._seek(donor, np.flatnonzero(self.mover[donor] == point))
        price = self.costs[point] - self.costs[point, taker]
        better = price < self.price[taker]
        better[taker] = False
        self.price[taker, better] = price[better]
        self.mover[taker, better] = point

    def _seek(self, donor: int, takers: Whole) -> None:
        """Find the cheapest point for some edges of a donor."""
        members = np.flatnonzero(self.cluster == donor)
        if len(members) == 0:
            self.price[donor] = NEVER
            return
        prices = self.costs[np.ix_(members, takers)] - self.costs[members, donor][:, None]
        cheapest = prices.argmin(axis=0)
        self.price[donor, takers] = prices[cheapest, np.arange(len(takers))]
        self.mover[donor, takers] = members[cheapest]
        self.price[donor, donor] = NEVER
