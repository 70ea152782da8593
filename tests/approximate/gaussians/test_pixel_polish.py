"""Gaussian images are bent to the histograms and moments that were released."""

import numpy as np
import pytest

from triplea.approximate.gaussians.pixel_polish import (
    PixelPolish,
    Wanted,
    cell_thresholds,
    to_cells,
    to_middles,
)

RNG = np.random.default_rng(0)
HISTOGRAMS = np.array([[1.0, 0, 0, 0], [0.7, 0.0, 0.0, 0.3], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]])


def _wanted():
    directions = np.eye(4)[:, 1:3]
    return Wanted(
        histograms=HISTOGRAMS,
        offset=np.zeros(4),
        directions=directions,
        means=np.array([[-0.4, -0.2], [-0.4, 0.2]]),
        covariances=np.array([np.eye(2) * 0.4]),
    )


def test_every_pixel_takes_its_histogram():
    images = RNG.normal(size=(4000, 4))
    bent = to_cells(images, *cell_thresholds(images, HISTOGRAMS))
    for pixel, shares in enumerate(HISTOGRAMS):
        found = np.histogram(bent[:, pixel], bins=4, range=(-1, 1))[0] / 4000
        assert found == pytest.approx(shares, abs=0.01)
    assert set(bent[:, 0].tolist()) == {-1.0}


def test_pixels_beyond_the_public_draws_stay_in_their_cells():
    images = RNG.normal(size=(500, 4))
    cuts = cell_thresholds(images, HISTOGRAMS)
    bent = to_cells(np.full((1, 4), 1e6), *cuts)
    assert bent[0] == pytest.approx([-1.0, 1.0, 1.0, 0.0], abs=1e-6)
    assert to_cells(np.full((1, 4), -1e6), *cuts).tolist() == [[-1.0] * 4]


def test_nothing_is_told_below_the_size_of_a_cell():
    shown = to_middles(np.array([[-1.0, -0.51, -0.5, -0.49, 0.0, 0.2, 1.0]]), 4)
    assert shown.tolist() == [[-1.0, -1.0, -1.0, -0.25, -0.25, 0.25, 0.75]]


def test_the_polish_works_on_rows_that_it_was_not_found_on_and_round_trips():
    klass = np.repeat([0, 1], 2000)
    polish = PixelPolish.find(RNG.normal(size=(4000, 4)), klass, _wanted(), layers=3)
    again = PixelPolish.from_arrays(polish.arrays())
    fresh = RNG.normal(size=(3000, 4))
    bent = again.apply(fresh, np.ones(3000, dtype=int))
    assert np.array_equal(bent, polish.apply(fresh, np.ones(3000, dtype=int)))
    assert set(np.unique(bent)) <= {-1.0, -0.25, 0.25, 0.75}
    assert bent[:, 2].mean() > 0.05
