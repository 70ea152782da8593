"""Tilting gives the wanted shares and leaves the rest alone."""

import numpy as np
import pytest

from triplea.approximate.mixtures.tilting import resample, tilt, weights_of


def test_tilted_rows_have_the_wanted_shares_and_keep_their_association():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 60_000)
    second = np.where(rng.random(60_000) < 0.8, first, 1 - first)
    cells = {"a": first, "b": second}
    wanted = {"a": np.array([0.3, 0.7]), "b": np.array([0.4, 0.6])}
    chosen = resample(weights_of(cells, tilt(cells, wanted)), 20_000, rng)
    table = np.bincount(2 * first[chosen] + second[chosen], minlength=4).reshape(2, 2) / 20_000
    assert table.sum(1) == pytest.approx(wanted["a"], abs=0.01)
    assert table.sum(0) == pytest.approx(wanted["b"], abs=0.01)
    odds = table[0, 0] * table[1, 1] / (table[0, 1] * table[1, 0])
    assert odds == pytest.approx(16.0, rel=0.15)


def test_cells_that_never_occur_are_not_forced():
    factors = tilt({"a": np.zeros(100, int)}, {"a": np.array([0.5, 0.5])})
    assert np.isfinite(factors["a"]).all()


def test_resampling_takes_every_row_as_often_as_its_weight_says():
    chosen = resample(np.array([0.0, 1.0, 3.0]), 400, np.random.default_rng(0))
    assert np.bincount(chosen, minlength=3).tolist() == [0, 100, 300]
    assert len(resample(np.zeros(3), 5, np.random.default_rng(0))) == 5
    assert len(resample(np.ones(3), 0, np.random.default_rng(0))) == 0
