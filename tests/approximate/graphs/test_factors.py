"""Tables multiply, slice and sum as their columns say."""

import numpy as np

from triplea.approximate.graphs.factors import Factor, product, product_cells

ONE = Factor(names=("a", "b"), values=np.arange(6.0).reshape(2, 3))
TWO = Factor(names=("b", "c"), values=np.arange(12.0).reshape(3, 4))


def test_products_join_by_name():
    joint = product([ONE, TWO], last="b")
    assert joint.names == ("a", "c", "b")
    assert joint.values[1, 2, 0] == ONE.values[1, 0] * TWO.values[0, 2]
    assert product_cells([ONE, TWO]) == joint.values.size == 24


def test_fixed_columns_vanish_and_sums_drop_an_axis():
    assert ONE.given({"a": 1}).values.tolist() == [3, 4, 5]
    assert ONE.given({"z": 1}).names == ("a", "b")
    assert ONE.sum_out("a").values.tolist() == [3, 5, 7]
