"""Candidate parent sets fit the limits, cannot be enlarged, and stay few."""

from math import prod

import numpy as np

from triplea.approximate.graphs.parent_sets import parent_candidates, table_cells

CELLS = {"a": 2, "b": 3, "c": 5, "d": 7, "e": 1000}


def found(**changes):
    options = {
        "children": ["d", "e"],
        "known": ["a", "b", "c"],
        "cells": CELLS,
        "most_cells": 50,
        "most_parents": 3,
        "most_candidates": 100,
        "most_total": 10**6,
        "rng": np.random.default_rng(0),
    }
    return parent_candidates(**{**options, **changes})


def test_candidates_are_all_sets_that_fit_and_cannot_grow():
    assert found() == [("a", "b", "d"), ("c", "d"), ("e",)]


def test_the_number_of_parents_is_limited():
    assert found(most_parents=1, children=["d"]) == [("a", "d"), ("b", "d"), ("c", "d")]


def test_many_columns_give_a_bounded_random_choice():
    cells = {f"x{i}": 2 for i in range(80)}
    known = list(cells)[:79]
    sets = found(
        children=["x79"], known=known, cells=cells, most_cells=40, most_candidates=30, most_parents=4
    )
    assert 0 < len(sets) <= 30
    assert all(len(group) == 5 and group[-1] == "x79" for group in sets)


def test_all_tables_of_a_step_together_fit_the_limit_or_one_is_left():
    sets = found(most_total=45, children=["d"])
    assert sum(table_cells(group, CELLS) for group in sets) <= 45
    assert len(found(most_total=1, children=["e"])) == 1


def test_cells_are_counted_before_a_table_is_built():
    assert table_cells(("a", "b", "d"), CELLS) == prod([2, 3, 7])
