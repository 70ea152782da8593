"""Joint counts over binned columns."""

import numpy as np

from triplea.approximate.codes.binning import each_value, equal_width
from triplea.queries.marginals import Marginals
from triplea.schema import Column

COLOUR = Column(name="colour", kind="categorical", categories=("red", "green"), nullable=True)
AGE = Column(name="age", kind="integer", lower=0, upper=99)


def test_a_pair_is_counted_in_row_major_order():
    query = Marginals(
        groups=[("colour", "age"), ("age",)],
        binnings={"colour": each_value(COLOUR), "age": equal_width(AGE, 2)},
    )
    rows = {"colour": np.array([0, 1, 2, 2]), "age": np.array([10, 60, 10, 99])}
    tables = query.tables(query.partial_sums(rows).astype(float))
    assert tables["colour", "age"].tolist() == [[1, 0], [0, 1], [1, 1]]
    assert tables[("age",)].tolist() == [2, 2]
    assert query.row_l2**2 == np.float64(2.0) or abs(query.row_l2**2 - 2) < 1e-12


def test_only_the_columns_of_the_groups_are_read():
    query = Marginals(groups=[("age",)], binnings={"colour": each_value(COLOUR), "age": equal_width(AGE, 2)})
    assert query.columns == ("age",)
