"""The teacher's chances, what tells rows apart, and the weight a residual may have."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher, leverage
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


@given(st.integers(2, 6), st.integers(0, 10_000))
def test_no_label_makes_a_weighted_residual_longer_than_one(classes, seed):
    chances = np.random.default_rng(seed).dirichlet(np.full(classes, 0.3), size=20)
    weights = leverage(chances)
    for label in range(classes):
        residual = (np.eye(classes)[label] - chances)[:, 1:] * weights[:, None]
        assert np.linalg.norm(residual, axis=1).max() <= 1.0 + 1e-12
