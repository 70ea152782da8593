"""Coarser cells for pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.coarse_groups import merge_neighbours, merge_rare


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.floats(1, 200), st.booleans())
def test_groups_are_runs_without_gaps(masses, target, missing):
    group = merge_neighbours(np.array(masses), target=target, missing=missing, floor=1.0)
    steps = np.diff(group)
    assert group[0] == 0
    assert ((steps == 0) | (steps == 1)).all()


def test_a_heavy_cell_stays_alone():
    group = merge_neighbours(np.array([1.0, 1.0, 50.0, 1.0, 9.0]), target=10.0, missing=False, floor=1.0)
    assert (group == group[2]).sum() == 1


def test_rare_cells_share_a_group():
    assert merge_rare(np.array([10.0, 0.1, 5.0, 0.2]), floor=1.0).tolist() == [0, 2, 1, 2]
    assert merge_rare(np.array([10.0, 0.1]), floor=1.0).tolist() == [0, 1]
