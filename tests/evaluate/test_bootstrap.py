from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate import bootstrap as module
from triplea.evaluate.bootstrap import Bootstrap
from triplea.evaluate.label_scores import accuracy


def test_every_draw_counts_as_many_rows_as_there_are() -> None:
    found = Bootstrap.of(50, seed=0, draws=20)
    assert found.counts.shape == (20, 50)
    assert (found.counts.sum(axis=1) == 50).all()


def test_the_interval_of_a_share_has_the_binomial_width() -> None:
    rng = np.random.default_rng(0)
    hit = rng.random(1000) < 0.3
    found = Bootstrap.of(1000, seed=0, draws=1000)
    low, high = found.of_rows(hit.mean(), lambda rows, w: w @ hit[rows] / w.sum(axis=1))
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.21 / 1000), rel=0.15)
    matrix = np.array([[int(hit.sum()), int((~hit).sum())], [0, 0]])
    low, high = found.of_confusion(matrix, accuracy)
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.21 / 1000), rel=0.15)


def test_a_large_table_is_resampled_in_part_with_the_width_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 500)
    hit = np.random.default_rng(0).random(8000) < 0.3
    found = Bootstrap.of(8000, seed=0, draws=500)
    assert len(found.part) == 500
    low, high = found.of_rows(hit.mean(), lambda rows, w: w @ hit[rows] / w.sum(axis=1))
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.21 / 8000), rel=0.2)


def test_no_rows_give_no_width() -> None:
    assert Bootstrap.of(0, seed=0).of_rows(0.5, lambda rows, w: w.sum(axis=1)) == (0.5, 0.5)
