"""A student learns shares of votes, also when they are noisy."""

import numpy as np

from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.optimizers import adam
from triplea.approximate.networks.students import study


def test_a_student_learns_who_gets_more_votes():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (400, 5)).astype(np.float32)
    noisy = 0.2 + 0.6 * rows[:, 0] + rng.normal(0, 0.5, 400)
    layers = dense_layers("critic", (5, 8, 1), rng=rng)
    taught = study(layers, rows, noisy.astype(np.float32), optimizer=adam(0.02), steps=150)
    hidden = rows @ taught["critic.0"][0] + taught["critic.0"][1]
    scores = np.maximum(hidden, 0.2 * hidden) @ taught["critic.1"][0] + taught["critic.1"][1]
    assert scores[rows[:, 0] == 1].mean() > scores[rows[:, 0] == 0].mean() + 0.5
