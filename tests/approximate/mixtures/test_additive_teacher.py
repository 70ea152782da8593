"""The teacher's chances, and what tells rows apart."""

import numpy as np

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.crossed_weights import CrossedWeights


def test_spreads_tell_rows_apart_by_what_matters():
    teacher = AdditiveTeacher(
        weights=np.array([[0.0, -2.0], [0.0, 2.0], [0.0, 0.1], [0.0, -0.1]]),
        bias=np.zeros(2),
        offsets=np.array([0, 2, 4]),
    )
    spreads = teacher.spreads(np.array([[0, 0], [1, 1]]))
    assert np.abs(spreads[0, 0] - spreads[1, 0]) > np.abs(spreads[0, 1] - spreads[1, 1])


def test_a_teacher_with_crossed_weights_comes_back_as_it_was():
    offsets = np.array([0, 2, 4])
    crossed = CrossedWeights.nothing(np.array([[0, 1]]), np.array([0, 1, 0, 1]), offsets, 2)
    crossed.weights[:, 1] = [2.0, 0.0, 0.0, -2.0]
    teacher = AdditiveTeacher(weights=np.zeros((4, 2)), bias=np.zeros(2), offsets=offsets, crossed=crossed)
    cells = np.array([[0, 0], [0, 1], [1, 1]])
    chances = teacher.probabilities(cells)[:, 1]
    assert chances[0] > chances[1] > chances[2]
    again = AdditiveTeacher.from_state(teacher.state())
    assert np.array_equal(again.probabilities(cells)[:, 1], chances)
    assert np.all(teacher.without(np.array([1])).probabilities(cells)[:, 1] == 0.0)
