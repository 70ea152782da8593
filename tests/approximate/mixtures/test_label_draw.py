"""Labels are right in expectation for every row, and nearly right for every region."""

import numpy as np
import pytest

from triplea.approximate.mixtures.label_draw import draw_labels, similar_order


def _order(chances, spreads, rng):
    return similar_order(spreads, chances @ np.arange(chances.shape[1]), rng)


def test_every_row_keeps_its_probability():
    rng = np.random.default_rng(0)
    chances = np.array([[0.7, 0.2, 0.1]] * 40 + [[0.1, 0.3, 0.6]] * 40)
    spreads = rng.normal(size=(80, 2))
    hits = np.zeros((80, 3))
    for _ in range(2000):
        hits[np.arange(80), draw_labels(chances, _order(chances, spreads, rng), rng)] += 1
    # 240 frequencies with standard error at most 0.0112: 0.05 is beyond four of them.
    assert np.abs(hits / 2000 - chances).max() < 0.05


def test_totals_are_met_to_a_rounding():
    rng = np.random.default_rng(1)
    p = rng.random(5000)
    chances = np.stack([1 - p, p], axis=1)
    labels = draw_labels(chances, _order(chances, rng.normal(size=(5000, 3)), rng), rng)
    assert abs(labels.sum() - p.sum()) < 1.5


def test_regions_have_less_luck_than_independent_draws():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 1))
    p = 1 / (1 + np.exp(-x[:, 0]))
    region = (x[:, 0] > 0.2) & (x[:, 0] < 0.9)
    chances = np.stack([1 - p, p], axis=1)
    gaps = [
        draw_labels(chances, _order(chances, x, rng), rng)[region].sum() - p[region].sum() for _ in range(60)
    ]
    independent = np.sqrt((p * (1 - p))[region].sum())
    assert np.std(gaps) < independent / 4


@pytest.mark.parametrize("rows", [0, 1, 13])
def test_few_and_equal_rows_work(rows):
    chances = np.tile([0.5, 0.5], (rows, 1))
    rng = np.random.default_rng(0)
    assert len(draw_labels(chances, _order(chances, np.zeros((rows, 2)), rng), rng)) == rows
