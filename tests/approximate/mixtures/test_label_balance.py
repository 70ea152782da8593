"""Labels are traded until cells of one feature and of two have what they should have."""

import numpy as np
import pytest

from triplea.approximate.mixtures.label_balance import balance_labels
from triplea.approximate.mixtures.label_draw import draw_labels


def _rows(rng, n, classes=2):
    cells = rng.integers(0, 4, (n, 3)).astype(np.int32)
    score = (cells[:, [0]] - 1.5) * np.arange(classes) * (1 + 0.3 * cells[:, [1]])
    chances = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    order = np.lexsort((rng.random(n), chances[:, -1]))
    return cells, chances, draw_labels(chances, order, rng), order


def _luck(cells, chances, labels, a, b):
    """Mean squared gap between labels and expectation over the cells of two features, class by class."""
    joint = cells[:, a] * 4 + cells[:, b]
    gaps = [np.bincount(joint, (labels == c) - chances[:, c], minlength=16) for c in range(chances.shape[1])]
    return float(np.square(gaps).mean())


@pytest.mark.parametrize("classes", [2, 3])
def test_pairs_of_features_come_nearer_to_their_expected_labels(classes):
    rng = np.random.default_rng(0)
    cells, chances, labels, order = _rows(rng, 8000, classes)
    balanced = balance_labels(labels, chances, cells, order, rng)
    pairs = ((0, 2), (1, 2))  # the order already takes care of the first two features
    before, after = (sum(_luck(cells, chances, y, a, b) for a, b in pairs) for y in (labels, balanced))
    assert after < 0.4 * before


def test_trades_keep_the_number_of_every_class():
    rng = np.random.default_rng(1)
    cells, chances, labels, order = _rows(rng, 3000, 3)
    balanced = balance_labels(labels, chances, cells, order, rng)
    assert np.bincount(balanced).tolist() == np.bincount(labels).tolist()
    assert (balanced != labels).any()


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_few_rows_work(rows):
    rng = np.random.default_rng(2)
    cells, chances, labels, order = _rows(rng, rows)
    assert len(balance_labels(labels, chances, cells, order, rng)) == rows
