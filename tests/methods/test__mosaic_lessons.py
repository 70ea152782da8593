"""The teacher of mixed tables: whole rows for one that heard some of their features."""

import numpy as np

from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.crossed_weights import CrossedWeights
from triplea.methods._mosaic_lessons import _spread_out


def test_features_that_were_not_heard_change_nothing():
    """A teacher of the first and third of three features says the same of whole rows."""
    heard = np.array([0, 2, 4])
    crossed = CrossedWeights.nothing(np.array([[0, 1]]), np.array([0, 1, 0, 1]), heard, 2)
    crossed.weights[:, 1] = [1.0, -1.0, 0.5, 2.0]
    teacher = AdditiveTeacher(
        weights=np.stack([np.zeros(4), [0.3, -0.2, 0.1, 0.7]], axis=1), bias=np.zeros(2), offsets=heard,
        crossed=crossed,
    )  # fmt: skip
    whole = _spread_out(teacher, ["a", "b", "c"], ["a", "c"], [2, 5, 2])
    rows_of_three = np.array([[0, 4, 1], [1, 0, 0], [1, 2, 1], [0, 3, 0]])
    assert np.allclose(whole.probabilities(rows_of_three), teacher.probabilities(rows_of_three[:, [0, 2]]))
