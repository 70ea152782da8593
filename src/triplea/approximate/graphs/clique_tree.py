"""A Markov field over columns, laid out so that columns can be summed out one after the other.

Summing out a column multiplies all tables that hold it and leaves one table over its neighbours. The order
is chosen by public sizes. Each column has a clique: itself, written last, after the neighbours it still has
at its turn. Cliques form a forest, along which the field turns into P(column | neighbours), exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.graphs.factors import Factor

Floats = NDArray[np.float64]
Group = tuple[str, ...]


class CliqueTree:
    """The cliques of some groups of columns, one for each column, in the order of summing out."""

    def __init__(self, *, groups: Iterable[Group], sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        order, neighbours = _eliminate(groups, self.sizes)
        self.place = {name: place for place, name in enumerate(order)}
        self.cliques = tuple((*self._late_first(neighbours[name]), name) for name in order)
        self.parents = tuple(self.place[clique[-2]] if len(clique) > 1 else None for clique in self.cliques)

    @property
    def cells(self) -> int:
        """Number of cells of all cliques."""
        return sum(prod(self.shape(clique)) for clique in self.cliques)

    def shape(self, names: Group) -> tuple[int, ...]:
        """Number of cells along each column."""
        return tuple(self.sizes[name] for name in names)

    def home(self, group: Group) -> int:
        """The clique that holds a group: that of its column which is summed out first."""
        return min(self.place[name] for name in group)

    def conditionals(self, potentials: Mapping[Group, Floats]) -> list[Floats]:
        """P(column | neighbours) for every clique, from log tables of groups that multiply to the field."""
        tables = [np.zeros(self.shape(clique)) for clique in self.cliques]
        for group, table in potentials.items():
            home = self.home(group)
            tables[home] += self._inside(table, group, self.cliques[home])
        shares = []
        for clique, table, parent in zip(self.cliques, tables, self.parents, strict=True):
            peak = table.max(axis=-1, keepdims=True)
            weights = np.exp(table - peak)
            total = weights.sum(axis=-1, keepdims=True)
            shares.append(weights / total)
            if parent is not None:
                message = (peak + np.log(total))[..., 0]
                tables[parent] += self._inside(message, clique[:-1], self.cliques[parent])
        return shares

    def joint(self, conditionals: list[Floats]) -> list[Floats]:
        """P(clique) for every clique."""
        tables = list(conditionals)
        for place in reversed(range(len(tables))):
            parent = self.parents[place]
            if parent is not None:
                before = self._summed(tables[parent], self.cliques[parent], self.cliques[place][:-1])
                tables[place] = conditionals[place] * before[..., None]
        return tables

    def margin(self, joint: list[Floats], group: Group) -> Floats:
        """P(group), its axes in the group's order."""
        home = self.home(group)
        return self._summed(joint[home], self.cliques[home], group)

    def pairs_with(self, name: str, conditionals: list[Floats], joint: list[Floats]) -> dict[str, Floats]:
        """P(name, other) for every other column, by walking the forest from the clique of `name`."""
        start, size = self.place[name], self.sizes[name]
        chosen = np.eye(size).reshape((size, *[1] * (len(self.cliques[start]) - 1), size))
        reached = {start: chosen * joint[start]}
        waiting = [start]
        while waiting:
            here = waiting.pop()
            for place in self._beside(here):
                if place not in reached:
                    reached[place] = self._step(reached[here], here, place, conditionals, joint)
                    waiting.append(place)
        alone = self.margin(joint, (name,))
        pairs = {}
        for other, place in self.place.items():
            if place in reached:
                axes = tuple(range(1, reached[place].ndim - 1))
                pairs[other] = np.asarray(reached[place].sum(axis=axes))
            else:
                pairs[other] = np.outer(alone, self.margin(joint, (other,)))
        return {other: table for other, table in pairs.items() if other != name}

    def factors(self, conditionals: list[Floats]) -> list[Factor]:
        """The field as a Bayesian network: each column given columns that come before it."""
        return [
            Factor(names=clique, values=table)
            for clique, table in zip(reversed(self.cliques), reversed(conditionals), strict=True)
        ]

    def _step(
        self, table: Floats, here: int, there: int, conditionals: list[Floats], joint: list[Floats]
    ) -> Floats:
        """P(name, clique there) from P(name, clique here), through the columns that both hold."""
        down = self.parents[there] == here
        shared = self.cliques[there if down else here][:-1]
        between = self._summed(table, ("", *self.cliques[here]), ("", *shared))
        if down:
            return between[..., None] * conditionals[there]
        clique = self.cliques[there]
        known = self._summed(joint[there], clique, shared)
        ratio = np.divide(between, known, out=np.zeros_like(between), where=known > 0)
        return self._inside(ratio, ("", *shared), ("", *clique)) * joint[there]

    def _beside(self, place: int) -> list[int]:
        up = self.parents[place]
        below = [child for child, parent in enumerate(self.parents) if parent == place]
        return below if up is None else [up, *below]

    def _late_first(self, names: Iterable[str]) -> Group:
        return tuple(sorted(names, key=lambda name: -self.place[name]))

    def _inside(self, table: Floats, names: Group, clique: Group) -> Floats:
        """Put a table's axes in the order of a clique, with length one where the clique has more columns."""
        kept = [name for name in clique if name in names]
        turned = table.transpose([names.index(name) for name in kept])
        lengths = dict(zip(kept, turned.shape, strict=True))
        return turned.reshape([lengths.get(name, 1) for name in clique])

    def _summed(self, table: Floats, names: Group, wanted: Group) -> Floats:
        gone = tuple(axis for axis, name in enumerate(names) if name not in wanted)
        left = [name for name in names if name in wanted]
        return np.asarray(table.sum(axis=gone).transpose([left.index(name) for name in wanted]))


def _eliminate(groups: Iterable[Group], sizes: Mapping[str, int]) -> tuple[list[str], dict[str, set[str]]]:
    """Sum out, at each turn, the column whose clique has the fewest cells."""
    near: dict[str, set[str]] = {name: set() for name in sizes}
    for group in groups:
        for name in group:
            near[name] |= set(group) - {name}
    cost = {name: _cells(name, near, sizes) for name in sizes}
    order: list[str] = []
    cliques: dict[str, set[str]] = {}
    while cost:
        name = min(cost, key=lambda name: cost[name])
        del cost[name]
        order.append(name)
        cliques[name] = near[name]
        for other in near[name]:
            near[other] = (near[other] | near[name]) - {name, other}
        for other in near[name]:
            cost[other] = _cells(other, near, sizes)
    return order, cliques


def _cells(name: str, near: Mapping[str, set[str]], sizes: Mapping[str, int]) -> int:
    return sizes[name] * prod(sizes[other] for other in near[name])
