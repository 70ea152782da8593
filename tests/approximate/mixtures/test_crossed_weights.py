"""Weights of pairs: every row takes one per pair, by the groups of its two cells."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.mixtures.crossed_weights import CrossedWeights

OFFSETS = np.array([0, 3, 5, 9])
GROUPS = np.array([0, 1, 1, 0, 1, 0, 0, 1, 2])
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def test_there_is_a_weight_for_every_pair_of_groups():
    crossed = CrossedWeights.nothing(PAIRS, GROUPS, OFFSETS, 4)
    assert crossed.starts.tolist() == [0, 4, 10, 16]
    assert crossed.weights.shape == (16, 4)
    assert not crossed.weights.any()


@given(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3))
def test_a_row_takes_the_weight_of_its_two_groups(first, second, third):
    crossed = CrossedWeights.nothing(PAIRS, GROUPS, OFFSETS, 2)
    places = [int(place[0]) for place in crossed.places(np.array([[first, second, third]]), OFFSETS)]
    groups = (GROUPS[first], GROUPS[3 + second], GROUPS[5 + third])
    assert places == [
        groups[0] * 2 + groups[1],
        4 + groups[0] * 3 + groups[2],
        10 + groups[1] * 3 + groups[2],
    ]
