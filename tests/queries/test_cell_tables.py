"""Counts of every column by cell of rows. Bounds are checked for all queries in tests/contracts."""

import numpy as np

from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.row_cells import LikelyCells, WholeClasses
from triplea.queries.cell_tables import CellTables
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "columns": [
            {"name": name, "kind": "categorical", "categories": ["u", "v"]} for name in ("label", "a", "b")
        ]
    }
)
BINS = {column.name: each_value(column) for column in SCHEMA.columns}
ROWS = {"label": np.array([0, 0, 0, 1]), "a": np.array([0, 1, 1, 0]), "b": np.array([1, 1, 0, 0])}


def test_counts_are_by_cell_and_bin():
    tables = {"a": np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])}
    rule = LikelyCells(owner=np.array([0, 0, 1]), weights=np.ones(3), tables=tables)
    query = CellTables(cells=rule, label="label", features=["a", "b"], binnings=BINS)
    found = query.tables(query.partial_sums(ROWS))
    assert found["a"].tolist() == [[1, 0], [0, 2], [1, 0]]
    assert found["b"].tolist() == [[0, 1], [1, 1], [1, 0]]
    assert query.row_l2 == np.sqrt(2.0)


def test_without_features_the_cells_themselves_are_counted():
    query = CellTables(cells=WholeClasses(classes=2), label="label", features=[], binnings=BINS)
    assert query.tables(query.partial_sums(ROWS))[""].tolist() == [[3], [1]]


def test_without_a_label_all_rows_are_one_class():
    query = CellTables(cells=WholeClasses(classes=1), label=None, features=["a"], binnings=BINS)
    assert query.tables(query.partial_sums(ROWS))["a"].tolist() == [[2, 2]]
