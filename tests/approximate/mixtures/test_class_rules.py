"""Rules that name a row's class by released cells."""

import numpy as np

from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.class_rules import LikelyCentres, LikelyTables
from triplea.schema import Column

OWNER, WEIGHTS = np.array([0, 0, 1]), np.array([5.0, 5.0, 10.0])


def test_the_likeliest_table_names_the_class():
    towns = Column(name="town", kind="categorical", categories=("a", "b", "c"))
    tables = {"town": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.1, 0.9]])}
    rule = LikelyTables(owner=OWNER, weights=WEIGHTS, tables=tables, binnings={"town": each_value(towns)})
    assert rule.columns == ("town",)
    assert rule.assign({"town": np.array([0, 1, 2])}).tolist() == [0, 0, 1]


def test_the_likeliest_centre_names_the_class_by_distance_spread_and_weight():
    centres, variances = np.array([[-1.0], [0.0], [1.0]]), np.array([[0.1], [0.1], [0.1]])
    rule = LikelyCentres(
        owner=OWNER, weights=WEIGHTS, centres=centres, variances=variances, columns=("x",),
        vectors=lambda rows: rows["x"][:, None],
    )  # fmt: skip
    assert rule.assign({"x": np.array([-2.0, 0.2, 0.8])}).tolist() == [0, 0, 1]
    assert rule.assign({"x": np.array([0.5])}).tolist() == [1]  # as near to both: the larger cell


def test_a_row_alone_gets_the_class_that_it_gets_among_others():
    rng = np.random.default_rng(0)
    centres, values = rng.normal(size=(3, 40)), rng.normal(size=(500, 40))
    rule = LikelyCentres(
        owner=OWNER, weights=WEIGHTS, centres=centres, variances=np.ones((3, 40)), columns=("x",),
        vectors=lambda rows: rows["x"],
    )  # fmt: skip
    together = rule.assign({"x": values})
    assert together.tolist() == [int(rule.assign({"x": row[None]})[0]) for row in values]
