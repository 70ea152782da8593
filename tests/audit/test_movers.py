"""The pair of neighbours that gives published cluster mixing away."""

import numpy as np

from triplea.audit.movers import mover_pair


def test_the_tables_differ_in_one_row():
    schema, table, neighbour = mover_pair()
    assert schema.target is None and table.num_rows == neighbour.num_rows == 200
    one, two = (t.to_pandas().to_numpy() for t in (table, neighbour))
    assert np.flatnonzero((one != two).any(axis=1)).tolist() == [199]
