"""One covariance for many numbers, and the directions in which classes differ."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.methods._mosaic_wide import clean_spectrum, shrunk_gaps, telling_basis


def test_the_difference_of_two_classes_survives():
    rng = np.random.default_rng(0)
    label = rng.random(6000) < 0.3
    rows = 0.3 * rng.standard_normal((6000, 60)) + 0.2
    rows[label, :20] += 0.3
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    frame = made.rows.to_pandas()
    gap = frame[frame.y].mean() - frame[~frame.y].mean()
    assert gap.iloc[:20].mean() == pytest.approx(0.3, abs=0.12)
    assert abs(gap.iloc[20:60].mean()) < 0.08


def test_gaps_of_pure_noise_vanish_and_strong_ones_stay():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 300))
    variances = np.ones(2)
    small = np.linalg.norm(shrunk_gaps(noise, np.ones(300), variances), axis=1)
    assert (small < 0.35 * np.linalg.norm(noise, axis=1)).all()
    assert shrunk_gaps(100 * noise, np.ones(300), variances) == pytest.approx(100 * noise, rel=0.01)


def test_a_clean_spectrum_keeps_the_trace_and_is_positive():
    matrix = np.diag([10.0, 1.0, 1.0, 1.0])
    spectrum, directions, known = clean_spectrum(matrix, 0.5)
    assert known == 1 and (spectrum > 0).all()
    assert spectrum.sum() == pytest.approx(13.0)
    assert abs(directions[0, 0]) == pytest.approx(1.0)


def test_the_telling_basis_is_orthonormal():
    rng = np.random.default_rng(2)
    directions = np.linalg.qr(rng.normal(size=(50, 50)))[0]
    for classes in (1, 2, 6):
        basis = telling_basis(rng.normal(size=(classes, 50)), np.full(classes, 1 / classes), directions, 4)
        assert basis.T @ basis == pytest.approx(np.eye(basis.shape[1]), abs=1e-9)
