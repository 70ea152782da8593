"""Which parent sets may a column have? Public: sizes of columns in, candidates out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np


def parent_candidates(
    *,
    children: Sequence[str],
    known: Sequence[str],
    cells: Mapping[str, int],
    most_cells: float,
    most_parents: int,
    most_candidates: int,
    most_total: int,
    rng: np.random.Generator,
) -> list[tuple[str, ...]]:
    """List tuples (parents..., child): for every child, the parent sets that cannot be enlarged.

    A candidate's table has at most `most_cells` cells; a child that is larger by itself has no parents.
    Where there are more than `most_candidates`, or their tables together exceed `most_total` cells, a
    random choice of them is returned, at least one for a child.
    """
    share = max(1, most_candidates // max(len(children), 1))
    found: list[tuple[str, ...]] = []
    for child in children:
        limit = most_cells / cells[child]
        sets = _bounded_list(_maximal_sets(known, cells, limit, most_parents), most=8 * share)
        if sets is None:
            sets = _random_sets(known, cells, limit, most_parents, share, rng)
        found += [(*parents, child) for parents in _some(sets, share, rng)]
    return _within(found, cells, most_total, rng)


def _maximal_sets(
    known: Sequence[str], cells: Mapping[str, int], limit: float, most: int
) -> Iterator[tuple[str, ...]]:
    def grow(start: int, chosen: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
        fitting = [name for name in known if name not in chosen and size * cells[name] <= limit]
        if len(chosen) == most or not fitting:
            yield chosen
            return
        for place in range(start, len(known)):
            if size * cells[known[place]] <= limit:
                yield from grow(place + 1, (*chosen, known[place]), size * cells[known[place]])

    return grow(0, (), 1)


def _bounded_list(sets: Iterator[tuple[str, ...]], *, most: int) -> list[tuple[str, ...]] | None:
    listed = []
    for parents in sets:
        listed.append(parents)
        if len(listed) > most:
            return None
    return listed


def _random_sets(
    known: Sequence[str],
    cells: Mapping[str, int],
    limit: float,
    most: int,
    count: int,
    rng: np.random.Generator,
) -> list[tuple[str, ...]]:
    """Fill sets in random order until nothing fits; every one is maximal."""
    sets: dict[tuple[str, ...], None] = {}
    for _ in range(2 * count):
        chosen: list[int] = []
        size = 1
        for place in rng.permutation(len(known)):
            if len(chosen) < most and size * cells[known[place]] <= limit:
                chosen.append(int(place))
                size *= cells[known[place]]
        sets[tuple(known[place] for place in sorted(chosen))] = None
    return list(sets)


def _some(sets: list[tuple[str, ...]], most: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    if len(sets) <= most:
        return sets
    return [sets[place] for place in sorted(rng.choice(len(sets), most, replace=False))]


def _within(
    found: list[tuple[str, ...]], cells: Mapping[str, int], most_total: int, rng: np.random.Generator
) -> list[tuple[str, ...]]:
    sizes = np.array([table_cells(group, cells) for group in found])
    if sizes.sum() <= most_total:
        return found
    order = rng.permutation(len(found))
    keep = order[np.cumsum(sizes[order]) <= most_total]
    kept = keep if len(keep) else np.array([int(np.argmin(sizes))])
    return [found[place] for place in sorted(kept)]


def table_cells(group: Sequence[str], cells: Mapping[str, int]) -> int:
    """Number of cells of the joint table of some columns, counted before it is built."""
    size = 1
    for name in group:
        size *= cells[name]
    return size
