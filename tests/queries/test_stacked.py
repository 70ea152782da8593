"""Several histogram queries asked as one."""

import numpy as np
import pytest

from triplea.queries.dyadic import DyadicCounts
from triplea.queries.stacked import Stacked
from triplea.schema import Column

X = Column(name="x", kind="numeric", lower=0.0, upper=1.0)
Y = Column(name="y", kind="numeric", lower=0.0, upper=1.0)


def test_parts_stand_side_by_side_with_their_own_noise():
    query = Stacked(
        parts=[DyadicCounts(column=X, levels=[1]), DyadicCounts(column=Y, levels=[1, 2])], scales=[1.0, 0.5]
    )
    sums = query.partial_sums({"x": np.array([0.2]), "y": np.array([0.9])})
    assert [part.tolist() for part in query.split_parts(sums)] == [[1, 0], [0, 1, 0, 0, 0, 1]]
    assert query.row_l2 == pytest.approx(np.sqrt(1 + 4 + 4))
    assert query.columns == ("x", "y")


def test_nothing_stacked_is_nothing_asked():
    query = Stacked(parts=[])
    assert query.shape == (0,)
    assert query.partial_sums({}).tolist() == []
