"""Cells of rows: fixed beforehand, one for every row."""

import numpy as np
import pytest

from triplea.approximate.mixtures.row_cells import (
    HashedCells,
    LikelyCells,
    WholeClasses,
    cells_per_class,
    scattered_tables,
)

OWNER = np.array([0, 0, 1, 1, 1])
RNG = np.random.default_rng(0)
TABLES = {"a": RNG.random((5, 3)), "b": RNG.random((5, 7))}
RULES = [LikelyCells(owner=OWNER, weights=RNG.random(5), tables=TABLES), HashedCells(owner=OWNER, key=3)]


def rows(n, seed=1):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n), {"a": rng.integers(0, 3, n), "b": rng.integers(0, 7, n)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_row_goes_to_a_cell_of_its_class_alone_or_among_others(rule):
    klass, codes = rows(200)
    cell = rule.assign(klass, codes)
    assert np.array_equal(OWNER[cell], klass)
    for i in range(30):
        alone = rule.assign(klass[i : i + 1], {name: code[i : i + 1] for name, code in codes.items()})
        assert alone[0] == cell[i]


def test_a_row_goes_where_it_is_likeliest():
    tables = {"a": np.array([[0.9, 0.1], [0.1, 0.9]])}
    rule = LikelyCells(owner=np.array([0, 0]), weights=np.ones(2), tables=tables)
    assert rule.assign(np.zeros(2, int), {"a": np.array([0, 1])}).tolist() == [0, 1]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_row_of_a_class_without_cells_is_nowhere(rule):
    assert rule.assign(np.array([7]), {"a": np.array([0]), "b": np.array([0])}).tolist() == [-1]


def test_whole_classes_have_one_cell_each():
    rule = WholeClasses(classes=3)
    assert rule.owner.tolist() == [0, 1, 2]
    assert rule.assign(np.array([2, 0]), {}).tolist() == [2, 0]


def test_the_number_of_cells_follows_the_rows():
    assert cells_per_class([0.0, 499.0, 1000.0, 1e9], least=250.0, most=6).tolist() == [1, 1, 4, 6]


def test_scattered_tables_are_shares_and_single_cells_keep_theirs():
    shares = {"a": np.array([[0.2, 0.8], [0.5, 0.5]]), "b": np.full((2, 4), 0.25)}
    owner = np.array([0, 1, 1])
    made = scattered_tables(shares, owner, ordered={"a": False, "b": True}, rng=np.random.default_rng(0))
    for name, table in made.items():
        assert np.allclose(table.sum(axis=1), 1.0) and (table > 0).all()
        assert np.allclose(table[0], shares[name][0]) and not np.allclose(table[1], table[2])
