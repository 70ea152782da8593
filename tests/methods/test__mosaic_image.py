"""Images: classes in smooth patterns, crisp pixels."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.methods._mosaic_image import LEAST_KNOWN, pattern_spectrum, pixel_histograms


def _bars(n, seed=0):
    """8 x 8 images of a bright bar, on the left or on the right, that moves up and down."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.5
    images = np.zeros((n, 8, 8))
    top = rng.integers(0, 4, n)
    for row in range(4):
        images[np.arange(n), top + row, np.where(label, 6, 1)] = 255.0
        images[np.arange(n), top + row, np.where(label, 5, 2)] = 200.0
    return images.reshape(n, 64), label


def test_classes_look_different_and_pixels_stay_black_or_bright(monkeypatch):
    monkeypatch.setattr("triplea.methods._mosaic_image.PUBLIC_DRAWS", 2000)
    images, label = _bars(6000)
    schema = schema_of(64, lower=0.0, upper=255.0, image={"shape": [8, 8]})
    made, _ = fitted(table_of(images, label), schema)
    frame = made.rows.to_pandas()
    pixels = frame[[f"x{i}" for i in range(64)]].to_numpy().reshape(-1, 8, 8)
    left = pixels[~frame.y.to_numpy()][:, :, 1:3].mean()
    right = pixels[~frame.y.to_numpy()][:, :, 5:7].mean()
    assert left > 3 * right
    assert (pixels == 0.0).mean() == pytest.approx((images == 0).mean(), abs=0.1)


def test_histograms_are_shares_whatever_the_noise():
    noisy = np.random.default_rng(0).normal(size=(30, 16)) * 100
    shares = pixel_histograms(noisy, 100.0, (5, 6))
    assert shares.sum(axis=1) == pytest.approx(np.ones(30)) and (shares >= 0).all()


def test_histograms_of_neighbours_help_each_other_against_noise():
    place = np.add.outer(np.arange(12), np.arange(12)).ravel() / 22.0
    true = 5000.0 * np.column_stack([1.0 - place, place / 4.0, 3.0 * place / 4.0])
    noisy = true + np.random.default_rng(2).normal(size=true.shape) * 300.0
    found = 5000.0 * pixel_histograms(noisy, 300.0, (12, 12))
    assert np.abs(found - true).mean() < 0.5 * np.abs(noisy - true).mean()


def test_directions_beyond_the_noise_are_known_and_the_rest_keeps_its_variance():
    rng = np.random.default_rng(3)
    matrix = np.diag(np.concatenate([np.arange(20.0, 12.0, -1.0), np.full(52, 0.1)]))
    half = np.triu(rng.normal(size=(60, 60)) * 0.2, 1)
    found = pattern_spectrum(matrix + half + half.T, 0.2)
    assert found.directions.shape == (60, 8) and found.deviations[0] ** 2 == pytest.approx(20.0, rel=0.1)
    assert np.trace(found.rest) == pytest.approx(5.2, abs=2.0)
    assert np.allclose(found.rest @ found.directions, 0.0)
    drowned = pattern_spectrum(matrix, 100.0)
    assert drowned.directions.shape == (60, LEAST_KNOWN) and (drowned.deviations > 0).all()
